/** The pictures of the README: the demonstration's console as its owner sees it, at a desk and on a telephone, in both languages. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { start } from "../../test/e2e/executable.ts";

const PLACE = join(import.meta.dir, "pictures");
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 640 };

/** Makes the pictures anew; how many. The executable must be built. */
export async function pictureReadme(browser: Browser): Promise<number> {
  mkdirSync(PLACE, { recursive: true });
  for (const language of ["en", "fr"] as const) {
    const demo = start("demo", "--language", language);
    try {
      await demo.until((output) => / DELIVERED/.test(output.stdout()));
      const [, link = ""] = /^console +(\S+)/m.exec(demo.stdout()) ?? [];
      const context = await browser.newContext({
        viewport: DESK,
        colorScheme: "light",
        locale: language === "fr" ? "fr-FR" : "en-GB",
      });
      const page = await context.newPage();
      await page.goto(link);
      await picture(page, `console.${language}`);
      await page.setViewportSize(PHONE);
      await page.goto(new URL("/console/batches", page.url()).href);
      await page.locator("main a[href*='/batches/']").last().click();
      await picture(page, `phone.${language}`);
      await context.close();
    } finally {
      demo.signal("SIGTERM");
      await demo.ended;
    }
  }
  return 4;
}

async function picture(page: Page, name: string): Promise<void> {
  await page.locator("h1").waitFor();
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: join(PLACE, `${name}.png`) });
}
