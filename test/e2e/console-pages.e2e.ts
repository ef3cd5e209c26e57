/** The console's first pages in a real browser, over a back end that answers from samples, and what keeps somebody from using them. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ACCOUNT_ME, CODE, LINK_PROPOSAL, LINK_SECRET, PASSWORD, STAFF_ME } from "../console/sample.ts";
import { openStage } from "../console/stage.ts";
import { until } from "../kit/tenants.ts";
import { barriers } from "./axe.ts";
import { findBrowser, openBrowser } from "./browser.ts";
import { atNightAll } from "./night.ts";

/** Whom a page is for, and where it is. */
type ConsolePlace = {
  readonly path: string;
  readonly who: typeof STAFF_ME | typeof ACCOUNT_ME | null;
};

type ConsoleLook = { readonly width?: number; readonly colorScheme?: "light" | "dark" };

const DOOR: ConsolePlace = { path: "/console", who: null };
/** The check walks through the pages of who is signed in elsewhere (console-walk.e2e.ts). */
const PLACES = atNightAll<ConsolePlace>(
  [
    DOOR,
    { path: `/console/link#${LINK_SECRET}`, who: null },
    { path: "/console/link#gone", who: null },
    { path: "/console/nowhere", who: ACCOUNT_ME },
  ],
  [
    { path: "/console", who: STAFF_ME },
    { path: "/console", who: ACCOUNT_ME },
    { path: "/console/you", who: STAFF_ME },
    { path: "/console/margin", who: STAFF_ME },
  ],
);

type OpenConsole = (
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

const LOOKS = atNightAll<Required<ConsoleLook> & { readonly language: "en" | "fr" }>(
  [{ language: "fr", colorScheme: "dark", width: 360 }],
  [
    { language: "en", colorScheme: "light", width: 1440 },
    { language: "fr", colorScheme: "light", width: 1440 },
    { language: "en", colorScheme: "dark", width: 1440 },
    { language: "en", colorScheme: "light", width: 360 },
  ],
);

const found = findBrowser();
if (found === null) {
  process.stderr.write(
    "skipped: the console in a browser, for there is none; install Chromium or set CHROME_PATH\n",
  );
} else {
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
    test.each(LOOKS)("can be used by everybody in $language, $colorScheme, $width wide", async (look) => {
      const faults: unknown[] = [];
      for (const place of PLACES) {
        const { page, strangers, complaints, close } = await open(look.language, place, look);
        const all = [...(await barriers(page)), ...strangers, ...complaints];
        if (all.length > 0) faults.push([place.path, place.who?.role, ...all]);
        await close();
      }
      expect(faults).toEqual([]);
    });

    const typed = async (page: Page, text: string): Promise<void> => {
      await page.keyboard.type(text);
      await page.keyboard.press("Tab");
    };

    test.each([
      { language: "fr", who: STAFF_ME, title: "Est-ce que tout part ?", shows: "1 284 300 F CFA" },
      { language: "en", who: STAFF_ME, title: "Is everything going out?", shows: "1,284,300 XOF" },
      { language: "fr", who: ACCOUNT_ME, title: "Où en sont vos messages ?", shows: "13 240 livrés" },
      { language: "en", who: ACCOUNT_ME, title: "How are your messages doing?", shows: "13,240 delivered" },
    ] as const)(
      "lets $who.role in by the keyboard alone, in $language",
      async ({ language, who, title, shows }) => {
        const { page, strangers, complaints, close } = await open(language, { path: "/console", who: null });
        expect(await page.locator("html").getAttribute("lang")).toBe(language);
        await typed(page, who.login);
        await page.keyboard.type("not the password");
        await page.keyboard.press("Enter");
        await page.locator("[role=alert]").waitFor();
        await page.locator("[name=password]").focus();
        await page.keyboard.press("Control+A");
        await page.keyboard.type(PASSWORD);
        await page.keyboard.press("Enter");
        await page.locator("[name=code]").waitFor();
        await page.waitForFunction('document.activeElement?.name === "code"');
        await page.keyboard.type(CODE);
        await page.keyboard.press("Enter");
        await page.locator(".stats").waitFor();
        const plain = async (where: string): Promise<string> =>
          String(await page.locator(where).textContent()).replaceAll(/[\u00A0\u202F]/g, " ");
        expect(await plain("h1")).toBe(title);
        const text = await plain("main");
        expect(text).toContain(shows);
        expect([strangers, complaints]).toEqual([[], []]);
        await close();
      },
    );

    test("sets up the first user by a link whose secret never stands in a request's address", async () => {
      const { page, stage, complaints, close } = await open("fr", {
        path: `/console/link#${LINK_SECRET}`,
        who: null,
      });
      await page.locator("svg.qr path").waitFor({ state: "attached" });
      await page.locator("[name=login]").fill("awa@reseau.example");
      await page.locator("[name=password]").fill("court");
      await page.locator("[name=again]").fill("autre");
      await page.locator("[name=code]").fill("246 810");
      await page.keyboard.press("Enter");
      await page.locator(".fault").first().waitFor();
      expect(await page.locator(".fault").allTextContents()).toEqual([
        "Douze caractères au moins.",
        "Les deux ne sont pas identiques.",
      ]);
      await page.locator("[name=password]").fill(PASSWORD);
      await page.locator("[name=again]").fill(PASSWORD);
      await page.keyboard.press("Enter");
      await page.locator(".codes li").first().waitFor();
      expect(stage.asked.at(-1)).toEqual({
        name: "POST /link/use",
        body: {
          secret: LINK_SECRET,
          password: PASSWORD,
          code: CODE,
          proposal: LINK_PROPOSAL,
          login: "awa@reseau.example",
        },
      });
      expect(stage.asked.filter(({ name }) => name.includes(LINK_SECRET))).toEqual([]);
      expect(page.url()).not.toContain(LINK_SECRET);
      await page.locator(".button.primary").click();
      await page.locator("h1", { hasText: "Que faire ensuite ?" }).waitFor();
      expect(complaints).toEqual([]);
      await close();
    });

    test("goes where keys lead: help, search, a page, and back out; a session that ended leads to signing in", async () => {
      const { page, stage, close } = await open("en", { path: "/console", who: STAFF_ME });
      await page.keyboard.press("?");
      await page.locator("dialog[open]").waitFor();
      await page.keyboard.press("Escape");
      await page.locator("dialog").waitFor({ state: "detached" });
      await page.keyboard.press("g");
      await page.keyboard.press("y");
      await page.locator("h1", { hasText: "Where are you signed in" }).waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("70 12");
      await page.locator("[role=option]").first().waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForFunction('location.pathname.startsWith("/console/accounts/")');
      expect(stage.asked.filter(({ name }) => name.startsWith("GET /search")).length).toBeGreaterThan(0);
      await page.goBack();
      await page.locator("h1", { hasText: "Where are you signed in" }).waitFor();
      await page.locator(".page-head .button").click();
      await page.locator("[name=login]").waitFor();
      await close();
    });

    test("says that somebody is still signed in when the signing out did not arrive, and signs them out once it does", async () => {
      const { page, close } = await open("en", { path: "/console/you", who: STAFF_ME });
      const out = page.locator(".page-head .button");
      await page.route("**/api/sign-out", (route) => route.abort());
      await out.click();
      await page.locator("[role=alert]", { hasText: "You are still signed in" }).waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.unroute("**/api/sign-out");
      await page.locator("[role=alert] .button").click();
      await page.locator("[name=login]").waitFor();
      await close();
    });

    test.each([1440, 360])(
      "explains the word of a figure whole, whatever it stands in (%i wide)",
      async (width) => {
        const { page, close } = await open("en", { path: "/console", who: STAFF_ME }, { width });
        await page.locator(".stats .term").first().hover();
        await page.locator(".stats [role=tooltip]").first().waitFor();
        const isSeen = await page.evaluate(`(() => {
      const box = document.querySelector(".stats [role=tooltip]").getBoundingClientRect();
      const corners = [[box.left + 9, box.top + 9], [box.right - 9, box.bottom - 9]];
      return corners.map(([x, y]) => document.elementFromPoint(x, y)?.closest("[role=tooltip]") !== null);
    })()`);
        expect(isSeen).toEqual([true, true]);
        await close();
      },
    );

    test("asks in words before it ends a session, and keeps language and theme", async () => {
      const { page, stage, close } = await open("en", { path: "/console/you", who: STAFF_ME });
      await page.locator("td .button").click();
      expect(await page.locator("dialog p").textContent()).toContain("Chrome 142, Android is signed out");
      await page.locator("dialog .danger").click();
      await page.locator(".toast").waitFor();
      expect(stage.asked).toContainEqual({ name: "POST /me/sessions/end", body: { id: "1" } });
      await page.locator("select").first().selectOption("fr");
      await page.locator("select").last().selectOption("dark");
      await page.reload();
      await page.locator("h1", { hasText: "Qui est connecté" }).waitFor();
      expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
      await close();
    });

    test("asks for the second factor where it is wanted again, then does what was asked; Escape leaves it undone", async () => {
      const { page, stage, close } = await open("fr", { path: "/console/you", who: STAFF_ME });
      stage.forgetFactor();
      const done = () => stage.asked.filter(({ name }) => name === "POST /me/sessions/end").length;
      const start = async () => {
        await page.locator("td .button").click();
        await page.locator("dialog .danger").click();
        await page.locator("dialog [name=code]").waitFor();
      };
      await start();
      expect(await page.locator("dialog h2").last().textContent()).toBe("Confirmez avec votre code");
      await page.keyboard.press("Escape");
      await page.locator("dialog").first().waitFor({ state: "detached" });
      expect(done()).toBe(1);
      await start();
      await page.locator("dialog .actions .primary").last().click();
      await page.locator("dialog .fault", { hasText: "Saisissez les six chiffres" }).waitFor();
      await page.locator("dialog [name=code]").focus();
      await page.keyboard.type("111111");
      await page.keyboard.press("Enter");
      await page.locator("dialog [role=alert]", { hasText: "Ce code n’a pas été accepté" }).waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.locator("dialog [name=code]").focus();
      await page.keyboard.type(CODE);
      await page.keyboard.press("Enter");
      await page.locator(".toast").waitFor();
      await page.locator("dialog").first().waitFor({ state: "detached" });
      expect(done()).toBe(3);
      await close();
    });

    test("hears no figures while it is hidden, and some again when it is not", async () => {
      const { page, close } = await open("en", { path: "/console", who: STAFF_ME });
      const states = await page.evaluate(`(async () => {
      const made = [];
      const Plain = EventSource;
      window.EventSource = function (path) { const one = new Plain(path); made.push(one); return one; };
      const show = (state) => {
        Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
      };
      show("visible");
      const before = made.map(({ readyState }) => readyState !== 2);
      show("hidden");
      const hidden = made.map(({ readyState }) => readyState !== 2);
      show("visible");
      return [before, hidden, made.map(({ readyState }) => readyState !== 2)];
    })()`);
      expect(states).toEqual([[true], [false], [false, true]]);
      await close();
    });

    test("says of what it asks by itself whether anybody is there, and tells of whoever is", async () => {
      const who: typeof STAFF_ME = { ...STAFF_ME, capabilities: [...STAFF_ME.capabilities, "queue.read"] };
      const { page, close } = await open("en", { path: "/console/queue", who });
      const asked: string[] = [];
      page.on("request", (request) => {
        const where = new URL(request.url()).pathname.replace("/console/api", "");
        asked.push(`${where} ${request.headers()["x-unattended"] === undefined ? "attended" : "alone"}`);
      });
      // A request is told some time after the page made it: what is asked for counts from before the act, until all that is wanted was seen.
      const asks = async (wanted: string[], forMs: number, act?: () => Promise<void>): Promise<void> => {
        asked.length = 0;
        await act?.();
        await page.clock.runFor(forMs);
        await until(() => wanted.every((one) => asked.includes(one)));
        expect([...new Set(asked)].sort()).toEqual(wanted);
      };
      await page.clock.install();
      await page.reload();
      await page.locator("h1").waitFor();
      await page.mouse.move(100, 100);
      await page.waitForLoadState("networkidle");
      await asks(["/queue attended"], 6_000);
      await page.clock.runFor(6 * 60_000);
      await until(() => asked.includes("/queue alone"));
      await asks(["/queue alone"], 6_000);
      await asks(["/me attended", "/queue attended"], 6_000, () => page.mouse.move(200, 200));
      await close();
    });
  });
}
