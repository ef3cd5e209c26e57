/** The documentation's pages in one language, and what keeps somebody from using them. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { GuideLanguage } from "../../src/docs/site/language.ts";
import { GUIDE } from "../../src/docs/site/pages.ts";
import { type Appliance, appliance } from "./appliance.ts";
import { barriers } from "./axe.ts";
import { findBrowser, openBrowser } from "./browser.ts";

/** Paths of all pages in a language, and of one that is none. */
export function pagesIn(language: GuideLanguage): string[] {
  const slugs = GUIDE.map(({ slug }) => `/${slug}`);
  return ["", ...slugs, "/reference", "/try", "/search?q=segment", "/xx"].map(
    (path) => `/docs/${language}${path}`,
  );
}

/** A test of every page in a language; none where there is no browser. */
export function describeDocsBarriers(language: GuideLanguage): void {
  const found = findBrowser();
  if (found === null) return;
  describe(`the documentation in ${language}`, () => {
    let bendre: Appliance;
    let browser: Browser;
    beforeAll(async () => {
      bendre = await appliance({ operators: { orange: "away" } });
      const directory = join(bendre.directory, "browser");
      mkdirSync(directory);
      browser = await openBrowser(found, directory);
    }, 60_000);
    afterAll(async () => {
      await browser?.close();
      bendre?.close();
    });

    test("has nothing that axe-core knows to be in somebody's way", async () => {
      const context = await browser.newContext({ bypassCSP: true });
      const page = await context.newPage();
      const faults: unknown[] = [];
      for (const path of pagesIn(language)) {
        await page.goto(bendre.url() + path);
        if (path.endsWith("/try")) await page.locator("#submitBatch summary").click();
        const barred = await barriers(page);
        if (barred.length > 0) faults.push([path, ...barred]);
      }
      await context.close();
      expect(faults).toEqual([]);
    }, 180_000);
  });
}
