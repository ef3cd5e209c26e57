/**
 * Pictures of the pages of the console and of the documentation, to look at: both languages, both themes, wide and on a telephone. `bun run screenshots [DIR [PART...]]`
 * leaves them in DIR, else in a new directory, with PARTs those alone whose names hold each of them (`owner en-light-360`): scenes over samples, then, where the executable was built, each page that its navigation
 * offers an owner and an account's administrator, and each page of the documentation. `bun run screenshots --readme` makes those that
 * the README shows.
 */
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ACCOUNT_ME, CODE, LINK_SECRET, STAFF_ME } from "../test/console/sample.ts";
import { openStage } from "../test/console/stage.ts";
import { findBrowser, openBrowser } from "../test/e2e/browser.ts";
import { APPLIANCE_SCENES, type Scene } from "./screenshots/appliance-scenes.ts";
import { pictureDocs } from "./screenshots/docs-pages.ts";
import { pictureReadme } from "./screenshots/readme.ts";
import { tour, type Wanted } from "./screenshots/tour.ts";

const isForReadme = process.argv.includes("--readme");
const directory =
  (isForReadme ? undefined : process.argv[2]) ?? mkdtempSync(join(tmpdir(), "bendre-screenshots-"));
const parts = process.argv.slice(3);
/** Whether a picture of this name is asked for. */
const wanted: Wanted = (file) => parts.every((part) => file.includes(part));
mkdirSync(directory, { recursive: true });
const found = findBrowser();
if (found === null) {
  console.error("there is no browser: install Chromium or set CHROME_PATH");
  process.exit(1);
}
const profile = mkdtempSync(join(tmpdir(), "bendre-browser-"));
const browser = await openBrowser(found, profile);

if (isForReadme) {
  console.log(`${await pictureReadme(browser)} pictures of the README`);
  await browser.close();
  process.exit(0);
}

/** A page by its file's name: where it is, who sees it, and what is done before the picture. */
const SCENES: readonly Scene[] = [
  { name: "sign-in", path: "/console" },
  {
    name: "second-step",
    path: "/console",
    act: async (page) => {
      await page.locator("[name=login]").fill(STAFF_ME.login);
      await page.locator("[name=password]").fill("une calebasse et sa peau");
      await page.keyboard.press("Enter");
      await page.locator("[name=code]").fill(CODE.slice(0, 3));
    },
  },
  {
    name: "first-start",
    path: `/console/link#${LINK_SECRET}`,
    act: (page) => page.locator("svg.qr path").waitFor({ state: "attached" }),
  },
  {
    name: "recovery-codes",
    path: `/console/link#${LINK_SECRET}`,
    act: async (page) => {
      await page.locator("[name=login]").fill("awa@reseau.example");
      await page.locator("[name=password]").fill("une calebasse et sa peau");
      await page.locator("[name=again]").fill("une calebasse et sa peau");
      await page.locator("[name=code]").fill(CODE);
      await page.keyboard.press("Enter");
      await page.locator(".codes").waitFor();
    },
  },
  {
    name: "dead-link",
    path: "/console/link#gone",
    act: (page) => page.locator("main a, main code").first().waitFor(),
  },
  { name: "start-staff", path: "/console", who: STAFF_ME },
  { name: "start-account", path: "/console", who: ACCOUNT_ME },
  {
    name: "search",
    path: "/console",
    who: STAFF_ME,
    act: async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("70 12");
      await page.locator("[role=option]").first().waitFor();
    },
  },
  {
    name: "keyboard",
    path: "/console",
    who: STAFF_ME,
    act: async (page) => {
      await page.keyboard.press("?");
      await page.locator("dialog").waitFor();
    },
  },
  { name: "you", path: "/console/you", who: STAFF_ME },
  { name: "not-found", path: "/console/nowhere", who: STAFF_ME },
  ...APPLIANCE_SCENES,
];

let made = 0;
for (const language of ["fr", "en"] as const)
  for (const theme of ["light", "dark"] as const)
    for (const width of [1440, 360]) {
      const viewport = { width, height: width === 360 ? 740 : 900 };
      const context = await browser.newContext({ colorScheme: theme, viewport, locale: language });
      for (const { name, path, who, act } of SCENES) {
        const file = `${name}-${language}-${theme}-${width}.png`;
        if (!wanted(file)) continue;
        const stage = await openStage(language);
        if (who) stage.enter(who);
        const page = await context.newPage();
        await page.goto(stage.url + path);
        await page.locator("h1").waitFor();
        if (who && path === "/console") await page.locator(".stats").waitFor();
        await act?.(page);
        await page.screenshot({ path: join(directory, file), fullPage: true });
        await page.close();
        stage.close();
        made += 1;
      }
      await context.close();
    }
made += await tour(browser, directory, wanted);
made += await pictureDocs(browser, directory, wanted);
await browser.close();
console.log(`${made} pictures in ${directory}`);
