import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LANGUAGES } from "../../src/docs/site/language.ts";
import { GUIDE } from "../../src/docs/site/pages.ts";
import type { Json } from "./api.ts";
import { type Appliance, appliance } from "./appliance.ts";
import { findBrowser, openBrowser } from "./browser.ts";
import { READABLE } from "./readable.ts";

type Operation = { readonly operationId: string; readonly summary: string };

let bendre: Appliance;
beforeAll(async () => {
  bendre = await appliance({ operators: { orange: "away" } });
}, 30_000);
afterAll(() => bendre?.close());

const textOf = async (path: string) => (await fetch(bendre.url() + path)).text();

describe("the documentation as it is served", () => {
  test("names nothing outside: every address in its pages, styles and start is relative or holds its own data", async () => {
    const addresses = [];
    for (const page of ["/docs", "/docs/errors", "/docs/try"]) {
      const answer = await fetch(bendre.url() + page);
      expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'self';/);
      const html = await answer.text();
      expect(html).not.toMatch(/:\/\//);
      addresses.push(...[...html.matchAll(/\b(?:src|href|action)="([^"]*)"/g)].map(([, url]) => String(url)));
    }
    const style = await textOf("/docs/swagger-ui.css");
    expect(style).not.toMatch(/@import/);
    addresses.push(...[...style.matchAll(/url\(\s*["']?([^"')]*)/g)].map(([, url]) => String(url)));
    const guide = await textOf("/docs/guide.css");
    expect(guide).not.toMatch(/@import|url\(/);
    const start = await textOf("/docs/start.js");
    addresses.push(...[...start.matchAll(/"([^"]*\/[^"]*)"/g)].map(([, url]) => String(url)));

    expect(addresses).toContain("/openapi.json");
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
    }, 60_000);
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

    test("shows every operation, with what it takes and answers, and asks nobody else for anything", async () => {
      const { page, complaints, strangers } = await open("/docs/try");
      const description = JSON.parse(await textOf("/openapi.json")) as {
        paths: Record<string, Record<string, Operation>>;
        components: { schemas: Json };
      };
      const operations = Object.values(description.paths)
        .flatMap((methods) => Object.values(methods))
        .filter(({ operationId }) => operationId !== undefined);
      await page.waitForFunction(`document.querySelectorAll(".opblock").length === ${operations.length}`);
      const summaries = await page.locator(".opblock-summary-description").allTextContents();
      expect(summaries.sort()).toEqual(operations.map(({ summary }) => summary).sort());

      const submit = page.locator("#operations-Batches-submitBatch");
      await submit.locator(".opblock-summary-control").click();
      await submit.locator(".responses-table").first().waitFor();
      const text = String(await submit.textContent());
      for (const word of ["Idempotency-Key", "INSUFFICIENT_FUNDS", "recipients", "BENDRE"]) {
        expect(text).toContain(word);
      }
      const schemas = await page.locator(".models").textContent();
      for (const name of Object.keys(description.components.schemas)) expect(schemas).toContain(name);

      expect(complaints).toEqual([]);
      expect(strangers()).toEqual([]);
    }, 60_000);

    test("tries an operation out with a key, on the appliance itself", async () => {
      const { apiKey } = bendre.tenant("Lectrice", { money: 1234 });
      const { page, complaints, strangers } = await open("/docs/try");
      await page.locator(".btn.authorize").click();
      await page.locator("#auth-bearer-value").fill(apiKey);
      await page.locator(".auth-btn-wrapper .authorize").first().click();
      await page.locator(".btn-done").first().click();
      const balance = page.locator("#operations-Account-getBalance");
      await balance.locator(".opblock-summary-control").click();
      await balance.locator(".try-out__btn").click();
      await balance.locator(".execute").click();
      const answer = balance.locator(".live-responses-table .response").first();
      await answer.waitFor();
      expect(await answer.textContent()).toMatch(/^200.*"spendable": 1234/s);
      expect([complaints, strangers()]).toEqual([[], []]);
    }, 60_000);

    const SLUGS = ["", ...GUIDE.map(({ slug }) => `/${slug}`), "/reference", "/search?q=segment"];
    const PAGES = LANGUAGES.flatMap((language) => SLUGS.map((slug) => `/docs/${language}${slug}`));

    test.each(["light", "dark"] as const)(
      "can be read by everybody, on a phone too, in %s: contrast, headings, no scrolling sideways",
      async (colorScheme) => {
        const context = await browser.newContext({ colorScheme, viewport: { width: 360, height: 740 } });
        const page = await context.newPage();
        const faults: unknown[] = [];
        for (const path of PAGES) {
          await page.goto(bendre.url() + path);
          const found = (await page.evaluate(READABLE)) as string[];
          if (found.length > 0) faults.push([path, ...found]);
        }
        await context.close();
        expect(faults).toEqual([]);
      },
      60_000,
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
    }, 60_000);

    test("explains each error where its type points to", async () => {
      const { page, complaints, strangers } = await open("/docs/errors#insufficient-funds");
      const heading = page.locator("h3:target");
      expect(await heading.textContent()).toBe("INSUFFICIENT_FUNDS");
      expect([complaints, strangers()]).toEqual([[], []]);
    }, 60_000);
  });
}
