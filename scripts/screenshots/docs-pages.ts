import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { LANGUAGES } from "../../src/docs/site/language.ts";
import { appliance } from "../../test/e2e/appliance.ts";
import { EXECUTABLE } from "../../test/e2e/executable.ts";
import type { Wanted } from "./tour.ts";

const WIDTHS = [1440, 360] as const;

/** Pictures of each page of the documentation that the executable serves, as its menu offers them, and of a search and an address without a page; how many. */
export async function pictureDocs(browser: Browser, directory: string, wanted: Wanted): Promise<number> {
  if (!existsSync(EXECUTABLE)) return 0;
  const bendre = await appliance({ operators: { orange: "away", moov: "away" } });
  let made = 0;
  try {
    for (const language of LANGUAGES) {
      const start = `/docs/${language}`;
      const page = await browser.newPage({ locale: language });
      await page.goto(bendre.url() + start);
      const links = (await page.evaluate(
        `[...document.querySelectorAll("a[href^='${start}']")].map((link) => link.getAttribute("href"))`,
      )) as string[];
      const others = [`${start}/search?q=hmac`, `${start}/quick_start`];
      const paths = [...new Set([...links.map((link) => link.replace(/#.*$/, "")), ...others])];
      for (const path of paths)
        for (const width of WIDTHS)
          for (const colorScheme of ["light", "dark"] as const) {
            const name = path.replaceAll(/[/?=]/g, "-").slice(1);
            const file = `${name}-${colorScheme}-${width}.png`;
            if (!wanted(file)) continue;
            await page.setViewportSize({ width, height: 900 });
            await page.emulateMedia({ colorScheme });
            await page.goto(bendre.url() + path);
            await page.locator("h1").first().waitFor();
            await page.screenshot({ path: join(directory, file), fullPage: true });
            made += 1;
          }
      await page.close();
    }
  } finally {
    bendre.close();
  }
  return made;
}
