import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type GuideLanguage, LANGUAGES } from "../../src/docs/site/language.ts";
import { GUIDE } from "../../src/docs/site/pages.ts";
import { type Appliance, appliance } from "./appliance.ts";
import { barriers } from "./axe.ts";
import { findBrowser, openBrowser } from "./browser.ts";
import { atNightAll } from "./night.ts";
import { READABLE } from "./readable.ts";

/** A page of each kind: those of the guide are all rendered alike. */
const KINDS = [
  "",
  "/quick-start",
  "/errors",
  "/reference",
  "/reference/submitBatch",
  "/try",
  "/search?q=segment",
  "/xx",
];
/** The pages of the guide that are none of these. */
const GUIDE_PAGES = GUIDE.map(({ slug }) => `/${slug}`).filter((path) => !KINDS.includes(path));

type Operation = { readonly operationId?: string };

let bendre: Appliance;
beforeAll(async () => {
  bendre = await appliance({ operators: { orange: "away" } });
});
afterAll(() => bendre?.close());

const textOf = async (path: string) => (await fetch(bendre.url() + path)).text();

describe("the documentation as it is served", () => {
  test("names nothing outside: every address in its pages, styles and start is relative or holds its own data", async () => {
    const addresses = [];
    for (const page of ["/docs", "/docs/errors", "/docs/try"]) {
      const answer = await fetch(bendre.url() + page);
      expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'self';/);
      const html = await answer.text();
      // What stands in a field is an example for the reader to send.
      expect(html.replaceAll(/<textarea[\s\S]*?<\/textarea>/g, "")).not.toMatch(/:\/\//);
      addresses.push(...[...html.matchAll(/\b(?:src|href|action)="([^"]*)"/g)].map(([, url]) => String(url)));
    }
    const guide = await textOf("/docs/guide.css");
    expect(guide).not.toMatch(/@import|url\(/);
    for (const script of ["/docs/guide.js", "/docs/try.js"]) {
      addresses.push(script);
      expect(await textOf(script)).not.toMatch(/https?:\/\//);
    }
    const local = addresses.filter((url) => /^\/(?!\/)/.test(url));
    expect(addresses.filter((url) => !local.includes(url) && !/^(data:|#)/.test(url))).toEqual([]);
    for (const url of local) expect([url, (await fetch(bendre.url() + url)).status]).toEqual([url, 200]);
  });
});

const found = findBrowser();
if (found === null) {
  process.stderr.write(
    "skipped: the documentation in a browser, for there is none; install Chromium or set CHROME_PATH\n",
  );
} else {
  describe("the documentation in a browser", () => {
    let browser: Browser;
    beforeAll(async () => {
      const directory = join(bendre.directory, "browser");
      mkdirSync(directory);
      browser = await openBrowser(found, directory);
    });
    afterAll(() => browser?.close());

    /** Opens a page that can reach nothing but the appliance; what it asked for and what it complained of. */
    const open = async (path: string) => {
      const page = await browser.newPage();
      const asked: string[] = [];
      const complaints: string[] = [];
      await page.route("**/*", (route) =>
        route.request().url().startsWith(`${bendre.url()}/`) ? route.continue() : route.abort(),
      );
      page.on("request", (request) => asked.push(request.url()));
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(String(error)));
      await page.goto(bendre.url() + path);
      const strangers = () =>
        asked.filter((url) => !url.startsWith(`${bendre.url()}/`) && !/^(data|blob):/.test(url));
      return { page, complaints, strangers };
    };

    test.each(LANGUAGES)(
      "has a form for every operation, and asks nobody else for anything (%s)",
      async (language) => {
        const { page, complaints, strangers } = await open(`/docs/${language}/try`);
        const { paths } = JSON.parse(await textOf("/openapi.json")) as {
          paths: Record<string, Record<string, Operation>>;
        };
        const ids = Object.values(paths)
          .flatMap((methods) => Object.values(methods))
          .flatMap(({ operationId }) => operationId ?? []);
        const shown = await page.evaluate('[...document.querySelectorAll(".trial")].map(({ id }) => id)');
        expect((shown as string[]).sort()).toEqual(ids.sort());
        expect([complaints, strangers()]).toEqual([[], []]);
        await page.close();
      },
    );

    test.each(LANGUAGES)(
      "tries operations out with a test key, one after the other, on a phone too (%s)",
      async (language) => {
        const { accountId } = await bendre.tenant(`Lectrice ${language}`);
        const { apiKey } = bendre.key(accountId, "--scopes", "all", "--mode", "test");
        const { page, complaints, strangers } = await open(`/docs/${language}/try`);
        await page.setViewportSize({ width: 360, height: 740 });
        const tried = async (operation: string) => {
          const form = page.locator(`#${operation}`);
          await form.locator("summary").click();
          await form.locator("button:enabled").click();
          await form.locator(".answer pre").nth(1).waitFor();
          return String(await form.locator(".answer").textContent());
        };
        // Without a key it is told so.
        expect(await tried("listSenderIds")).toContain("UNAUTHORIZED");
        await page.locator("#key").fill(apiKey);
        expect(await tried("getBalance")).toMatch(/200.*"spendable": 1000000/s);
        const sent = await tried("submitBatch");
        expect(sent).toMatch(/202 .*"accepted": 1,/s);
        expect(sent).toContain('-H "Authorization: Bearer $BENDRE_KEY"');
        expect(sent).not.toContain(apiKey);
        // The batch that was sent is the one that the other forms ask for.
        const [, batchId = "none"] = /"batch_id": "(\w+)"/.exec(sent) ?? [];
        expect(await tried("getBatch")).toContain(`"batch_id": "${batchId}"`);
        expect(await page.evaluate(READABLE)).toEqual([]);
        expect(page.url()).not.toContain("key");
        expect(strangers()).toEqual([]);
        expect(complaints).toEqual([expect.stringContaining("401")]);
        await page.close();
      },
    );

    test("shows every program without JavaScript, and is walked through by keyboard from the text on", async () => {
      const context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${bendre.url()}/docs/fr/quick-start`);
      const python = page.locator('pre[data-lang="python"]');
      expect(await python.isVisible()).toBe(false);
      await page.locator('label:text("Python")').click();
      expect(await python.isVisible()).toBe(true);
      await page.goto(`${bendre.url()}/docs/fr/quick-start`);
      await page.keyboard.press("Tab");
      expect(await page.locator(":focus").textContent()).toBe("Aller au texte");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      expect(await page.locator("main :focus").count()).toBe(1);
      await context.close();
    });

    test.each(LANGUAGES)("is searched and walked by the keyboard alone (%s)", async (language) => {
      const { page, strangers } = await open(`/docs/${language}`);
      const focused = () => page.locator(":focus");
      const tabTo = async (selector: string) => {
        for (let presses = 0; presses < 200; presses++) {
          if ((await focused().count()) > 0 && (await page.locator(`${selector}:focus`).count()) > 0) return;
          await page.keyboard.press("Tab");
        }
        throw new Error(`no tab leads to ${selector}`);
      };
      await tabTo('input[name="q"]');
      await page.keyboard.type("hmac");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/search\?q=hmac$/);
      await tabTo(".results a");
      // What has the focus is seen to have it.
      const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
      expect(outline).toBe("solid");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/webhooks#/);
      // A choice of programming languages is one stop, within which arrows move.
      await tabTo(".tabs > input");
      await page.keyboard.press("ArrowRight");
      const chosen = await page.evaluate("[document.activeElement.value, document.activeElement.checked]");
      expect(chosen).toEqual(["js", true]);
      expect(await page.locator('.tabs pre[data-lang="js"]').first().isVisible()).toBe(true);
      // The other language has the same page.
      await tabTo("a.language");
      await page.keyboard.press("Enter");
      const other = language === "fr" ? "en" : "fr";
      await page.waitForURL(new RegExp(`/docs/${other}/webhooks`));
      expect(strangers()).toEqual([]);
      await page.close();
    });

    test.each(atNightAll(["fr"], ["en"]))(
      "has nothing that axe-core knows to be in somebody's way (%s)",
      async (language) => {
        const context = await browser.newContext({ bypassCSP: true });
        const page = await context.newPage();
        const faults: unknown[] = [];
        for (const path of atNightAll(KINDS, GUIDE_PAGES)) {
          await page.goto(`${bendre.url()}/docs/${language}${path}`);
          if (path === "/try") await page.locator("#submitBatch summary").click();
          const barred = await barriers(page);
          if (barred.length > 0) faults.push([path, ...barred]);
        }
        await context.close();
        expect(faults).toEqual([]);
      },
    );

    const looks = atNightAll<readonly [GuideLanguage, "light" | "dark"]>(
      [["fr", "dark"]],
      [
        ["en", "dark"],
        ["en", "light"],
        ["fr", "light"],
      ],
    );
    test.each(looks)(
      "can be read by everybody, on a phone too, in %s, %s: contrast, headings, no scrolling sideways",
      async (language, colorScheme) => {
        const context = await browser.newContext({ colorScheme, viewport: { width: 360, height: 740 } });
        const page = await context.newPage();
        const faults: unknown[] = [];
        for (const path of [...KINDS, ...GUIDE_PAGES]) {
          await page.goto(`${bendre.url()}/docs/${language}${path}`);
          const found = (await page.evaluate(READABLE)) as string[];
          if (found.length > 0) faults.push([path, ...found]);
        }
        await context.close();
        expect(faults).toEqual([]);
      },
    );

    test("explains each error where its type points to", async () => {
      const { page, complaints, strangers } = await open("/docs/errors#insufficient-funds");
      const heading = page.locator("h3:target");
      expect(await heading.textContent()).toBe("INSUFFICIENT_FUNDS");
      expect([complaints, strangers()]).toEqual([[], []]);
    });
  });
}
