/** The documentation's pages, and what keeps somebody from using them. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { GuideLanguage } from "../../src/docs/site/language.ts";
import { GUIDE } from "../../src/docs/site/pages.ts";
import { type Appliance, appliance } from "./appliance.ts";
import { barriers } from "./axe.ts";
import { findBrowser, openBrowser } from "./browser.ts";
import { READABLE } from "./readable.ts";

/** Paths of all pages in a language, and of one that is none. */
function pagesIn(language: GuideLanguage): string[] {
  const slugs = GUIDE.map(({ slug }) => `/${slug}`);
  return ["", ...slugs, "/reference", "/reference/submitBatch", "/try", "/search?q=segment", "/xx"].map(
    (path) => `/docs/${language}${path}`,
  );
}

export type DocsLooks = {
  /** The language whose pages axe-core looks at. */
  readonly axe: GuideLanguage;
  /** Languages and colours in which every page must be readable on a phone. */
  readonly looks: readonly (readonly [GuideLanguage, "light" | "dark"])[];
};

/** Tests of every page; none where there is no browser. */
export function describeDocsBarriers({ axe, looks }: DocsLooks): void {
  const found = findBrowser();
  if (found === null) return;
  describe("every page of the documentation", () => {
    let bendre: Appliance;
    let browser: Browser;
    beforeAll(async () => {
      bendre = await appliance({ operators: { orange: "away" } });
      const directory = join(bendre.directory, "browser");
      mkdirSync(directory);
      browser = await openBrowser(found, directory);
    });
    afterAll(async () => {
      await browser?.close();
      bendre?.close();
    });

    test(`has nothing that axe-core knows to be in somebody's way (${axe})`, async () => {
      const context = await browser.newContext({ bypassCSP: true });
      const page = await context.newPage();
      const faults: unknown[] = [];
      for (const path of pagesIn(axe)) {
        await page.goto(bendre.url() + path);
        if (path.endsWith("/try")) await page.locator("#submitBatch summary").click();
        const barred = await barriers(page);
        if (barred.length > 0) faults.push([path, ...barred]);
      }
      await context.close();
      expect(faults).toEqual([]);
    });

    test.each(looks)(
      "can be read by everybody, on a phone too, in %s, %s: contrast, headings, no scrolling sideways",
      async (language, colorScheme) => {
        const context = await browser.newContext({ colorScheme, viewport: { width: 360, height: 740 } });
        const page = await context.newPage();
        const faults: unknown[] = [];
        for (const path of pagesIn(language)) {
          await page.goto(bendre.url() + path);
          const found = (await page.evaluate(READABLE)) as string[];
          if (found.length > 0) faults.push([path, ...found]);
        }
        await context.close();
        expect(faults).toEqual([]);
      },
    );
  });
}
