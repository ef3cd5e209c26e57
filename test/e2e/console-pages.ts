/** The console's first pages over a back end that answers from samples, and what keeps somebody from using them. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ACCOUNT_ME, LINK_SECRET, STAFF_ME } from "../console/sample.ts";
import { openStage } from "../console/stage.ts";
import { barriers } from "./axe.ts";
import { findBrowser, openBrowser } from "./browser.ts";

/** Whom a page is for, and where it is. */
export type ConsolePlace = { readonly path: string; readonly who: typeof STAFF_ME | null };

export type ConsoleLook = { readonly width?: number; readonly colorScheme?: "light" | "dark" };

export const PLACES = [
  { path: "/console", who: null },
  { path: `/console/link#${LINK_SECRET}`, who: null },
  { path: "/console/link#gone", who: null },
  { path: "/console", who: STAFF_ME },
  { path: "/console", who: ACCOUNT_ME },
  { path: "/console/you", who: STAFF_ME },
  { path: "/console/nowhere", who: ACCOUNT_ME },
] as const;

export type OpenConsole = (
  language: "en" | "fr",
  place: ConsolePlace,
  look?: ConsoleLook,
) => ReturnType<typeof openConsole>;

/** Opens a page; what it asked of others and complained of. */
async function openConsole(
  browser: Browser,
  language: "en" | "fr",
  { path, who }: ConsolePlace,
  { width = 1440, colorScheme = "light" }: ConsoleLook = {},
) {
  const stage = await openStage(language);
  if (who) stage.enter(who);
  // A browser without a screen may have no language that is one: a picture's figures are written in it.
  const locale = language === "fr" ? "fr-FR" : "en-GB";
  const context = await browser.newContext({ colorScheme, locale, viewport: { width, height: 800 } });
  const page = await context.newPage();
  const strangers: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${stage.url}/`) && !url.startsWith("data:")) strangers.push(url);
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    // A browser notes every answer above 399 by itself.
    const isOurs = !message.text().startsWith("Failed to load resource");
    if (["error", "warning"].includes(message.type()) && isOurs) complaints.push(message.text());
  });
  await page.goto(stage.url + path);
  await page.locator("h1").waitFor();
  if (who && path === "/console") await page.locator(".stats").waitFor();
  const close = async (): Promise<void> => {
    await context.close();
    stage.close();
  };
  return { page, stage, strangers, complaints, close };
}

/** A test of all places for each look, and what else is tested in this browser; none where there is no browser. */
export function describePages(
  looks: readonly (Required<ConsoleLook> & { readonly language: "en" | "fr" })[],
  others?: (open: OpenConsole) => void,
): void {
  const found = findBrowser();
  if (found === null) {
    process.stderr.write(
      "skipped: the console in a browser, for there is none; install Chromium or set CHROME_PATH\n",
    );
    return;
  }
  describe("the console in a browser", () => {
    let browser: Browser;
    const directory = mkdtempSync(join(tmpdir(), "bendre-pages-"));
    beforeAll(async () => {
      mkdirSync(join(directory, "browser"));
      browser = await openBrowser(found, join(directory, "browser"));
    });
    afterAll(async () => {
      await browser?.close();
      rmSync(directory, { recursive: true, force: true });
    });

    const open: OpenConsole = (language, place, look) => openConsole(browser, language, place, look);
    test.each(looks)("can be used by everybody in $language, $colorScheme, $width wide", async (look) => {
      const faults: unknown[] = [];
      for (const place of PLACES) {
        const { page, strangers, complaints, close } = await open(look.language, place, look);
        const all = [...(await barriers(page)), ...strangers, ...complaints];
        if (all.length > 0) faults.push([place.path, place.who?.role, ...all]);
        await close();
      }
      expect(faults).toEqual([]);
    });

    others?.(open);
  });
}
