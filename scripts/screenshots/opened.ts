import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { Town } from "../../test/e2e/console-town.ts";
import { signIn } from "../../test/e2e/console-visitor.ts";
import type { Wanted } from "./tour.ts";

const SCREENS = [
  { width: 1440, height: 900 },
  { width: 360, height: 740 },
] as const;

const THEMES = ["light", "dark"] as const;

/** What stands open only once somebody did something: its file's name, where it is, and what is done. */
const OPENED: readonly {
  readonly name: string;
  readonly path: string;
  readonly act: (page: Page) => Promise<void>;
}[] = [
  { name: "operator-drafted", path: "/operators/new", act: draft },
  {
    name: "operator-written",
    path: "/settings/operators/telecel",
    act: async (page) => {
      await page.locator("[name=price]").fill("x");
      await page.locator("main form [type=submit]").click();
      await page.locator(".fault").first().waitFor();
    },
  },
  {
    name: "operator-add-route",
    path: "/settings/operators/telecel/route",
    act: async (page) => {
      await page.locator("[name=first-cost]").fill("9");
      await page.locator("[name=route-name]").fill("Agg 1");
      await page.locator("main form [type=submit]").click();
      await page.locator(".fault").first().waitFor();
    },
  },
  {
    name: "operators-by-day",
    path: "/operators",
    act: async (page) => {
      await page.locator("details summary").first().click();
    },
  },
  {
    name: "operator-pause",
    path: "/operators",
    act: async (page) => {
      await page.locator("main .section-head").first().locator("button").last().click();
      await page.locator("dialog[open]").waitFor();
    },
  },
  {
    name: "state-edited",
    path: "/state/settings",
    act: async (page) => {
      await page.locator("[name=setting]").fill("window");
    },
  },
];

/** Pictures of pages with something open over them, or done on them; how many. */
export async function pictureOpened(
  { bendre }: Town,
  browser: Browser,
  directory: string,
  wanted: Wanted,
): Promise<number> {
  let made = 0;
  for (const language of ["fr", "en"] as const) {
    const who = { login: `opened.${language}@example.bf`, role: "OWNER", language } as const;
    const { page, settled } = await signIn(bendre, browser, who);
    for (const { name, path, act } of OPENED)
      for (const viewport of SCREENS) {
        const files = THEMES.map((theme) => `${name}-${language}-${theme}-${viewport.width}.png`);
        if (!files.some(wanted)) continue;
        await page.setViewportSize(viewport);
        await page.goto(`${bendre.url()}/console${path}`);
        await settled();
        await act(page);
        for (const [at, colorScheme] of THEMES.entries()) {
          const file = String(files[at]);
          if (!wanted(file)) continue;
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          await settled();
          await page.screenshot({ path: join(directory, file), fullPage: true });
          made += 1;
        }
      }
    await page.context().close();
  }
  return made;
}

async function draft(page: Page): Promise<void> {
  await page.locator("main button.quiet").click();
  const typed = { code: "telecel", name: "Telecel Faso", host: "smsc.telecel.example", systemId: "bendre" };
  for (const [name, value] of Object.entries({ ...typed, prefixes: "58 68", price: "14" }))
    await page.locator(`[name=${name}]`).fill(value);
  await page.keyboard.press("Enter");
  await page.locator(".todo").waitFor();
}
