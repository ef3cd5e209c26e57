/** Every page of the console, walked over the executable as people of its roles. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isAccountRole, type Role } from "../../src/domain/accounts/roles.ts";
import type { Appliance, Tenant } from "./appliance.ts";
import { barriers } from "./axe.ts";
import { findBrowser, openBrowser } from "./browser.ts";
import { consoleTown, OTHER_ACCOUNT } from "./console-town.ts";
import { signIn, type Visitor } from "./console-visitor.ts";

/** Pages that only other pages lead to: each is found by the links of a list. */
const DETAILS = ["messages", "batches", "accounts", "webhooks", "operators", "settings"] as const;

/** Pages about one thing that no list leads to first: below which path of the navigation each is, and who may open it. */
const BESIDE: readonly {
  readonly path: (account: string) => string;
  readonly roles: readonly Role[];
}[] = [
  { path: (account) => `/accounts/${account}/money`, roles: ["OWNER", "FINANCE"] },
  ...["statement", "consumption"].map((part) => ({
    path: (account: string) => `/accounts/${account}/${part}`,
    roles: ["OWNER", "FINANCE", "ACCOUNT_ADMIN"] as const,
  })),
  { path: (account) => `/accounts/${account}/prices`, roles: ["OWNER", "FINANCE", "ACCOUNT_ADMIN"] },
  ...["keys", "senders", "users", "webhooks"].map((list) => ({
    path: (account: string) => `/${list}?account=${account}`,
    roles: ["OWNER"] as const,
  })),
  { path: () => "/operators/new", roles: ["OWNER", "OPERATIONS"] },
  { path: () => "/state/settings", roles: ["OWNER", "OPERATIONS"] },
  { path: () => "/first", roles: ["OWNER", "OPERATIONS"] },
];

/** Runs in a page: where it says that one is. */
const WHERE = `({
  heading: document.querySelector("h1").textContent,
  title: document.title,
  way: [...document.querySelectorAll("nav.trail a")].map((link) => link.getAttribute("href")),
  marked: [...document.querySelectorAll("#menu [aria-current]")].map((link) => link.getAttribute("href")),
})`;

export type Where = {
  readonly heading: string;
  /** Of the browser's tab. */
  readonly title: string;
  /** Addresses of the pages above it. */
  readonly way: readonly string[];
  /** Addresses of the entries of the navigation that are marked. */
  readonly marked: readonly string[];
};

/** Where a page that is open says that one is. */
export async function whereOn({ page }: Visitor): Promise<Where> {
  return (await page.evaluate(WHERE)) as Where;
}

/** What the keyboard passes around a page, at most: navigation, search, who one is. */
const SHELL_STEPS = 80;

/** Runs in a page: a name for each control of its main part that can be seen and used. */
const CONTROLS = `[...document.querySelectorAll("main :is(a[href], button, input, select, textarea, summary)")]
  .filter((one) => one.checkVisibility() && !one.disabled && one.tabIndex >= 0 && one.type !== "radio")
  .map((one) => one.outerHTML.slice(0, 160))`;

/** Runs in a page: the control that has the focus, if it is of the main part, and whether one can see that. */
const FOCUS = `(() => {
  const one = document.activeElement?.closest("main :is(a[href], button, input, select, textarea, summary)");
  if (!one) return null;
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
  const isShown = (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none";
  return { name: one.outerHTML.slice(0, 160), isShown };
})()`;

/** Words that only an English sentence has. */
const ENGLISH =
  /(?<![\p{L}_])(?:the|of|and|with|which|is|are|was|not|from|your|has|have|been|this|that)(?![\p{L}_])/giu;

/** What a page does not say of where one is: in the tab what it is called, and in the navigation and above it where it belongs. */
function lostOn({ heading, title, way, marked }: Where, path: string, isListed: boolean): string[] {
  const faults = title === `${heading} · Bendre` ? [] : [`is called ${heading} and ${title}`];
  if (marked.length !== 1) faults.push(`marks ${marked.length} entries`);
  if (isListed && marked[0] !== path) faults.push(`marks ${marked[0]}`);
  const [first] = way;
  if (!isListed && first === undefined) faults.push("says no way to it");
  const isBelow = path.split("?").length === 1;
  if (!isListed && isBelow && first !== marked[0]) faults.push(`leads to ${first} and marks ${marked[0]}`);
  return faults;
}

export type Walk = {
  readonly role: Role;
  readonly language: "en" | "fr";
  readonly isPhone: boolean;
  /** Reaches every control of every page that is offered by the keyboard, too. */
  readonly isByKeyboard?: boolean;
};

export type Walks = {
  /** Who looks at every page for barriers and errors, and for what is of another account. */
  readonly cases: readonly Walk[];
  /** What else is tested in this browser. */
  readonly others?: (walk: WalkPlace) => void;
};

/** For tests of the same browser and appliance. */
export type WalkPlace = {
  readonly visit: (role: Role, language: "en" | "fr", isPhone: boolean) => Promise<Visitor>;
  readonly bendre: () => Appliance;
  /** The visitors' account. */
  readonly shop: () => Tenant;
  /** Another account than the visitors'. */
  readonly other: () => Tenant;
};

/** Tests of every page; none where there is no browser. */
export function describeWalk({ cases, others }: Walks): void {
  const found = findBrowser();
  if (found === null) {
    process.stderr.write("skipped: the walk through the console, for there is no browser\n");
    return;
  }
  describe("every page of the console", () => {
    const directory = mkdtempSync(join(tmpdir(), "bendre-walk-"));
    let bendre: Appliance;
    let browser: Browser;
    let shop: Tenant;
    let other: Tenant;

    beforeAll(async () => {
      mkdirSync(join(directory, "browser"));
      browser = await openBrowser(found, join(directory, "browser"));
      ({ bendre, shop, other } = await consoleTown());
    });
    afterAll(async () => {
      await browser?.close();
      bendre?.close();
      rmSync(directory, { recursive: true, force: true });
    });

    let visitors = 0;
    const visit = (role: Role, language: "en" | "fr", isPhone: boolean): Promise<Visitor> => {
      visitors += 1;
      return signIn(bendre, browser, {
        login: `visitor${visitors}@example.bf`,
        role,
        language,
        ...(isAccountRole(role) && { account: shop.accountId }),
        screen: {
          viewport: { width: isPhone ? 360 : 1440, height: 800 },
          colorScheme: isPhone ? "dark" : "light",
        },
      });
    };

    /** Addresses that the list of pages offers. */
    const offered = async ({ page }: Visitor): Promise<string[]> =>
      (await page.evaluate(
        "[...document.querySelectorAll('#menu a')].map((link) => link.getAttribute('href'))",
      )) as string[];

    /** The first thing that a list leads to, for each list that has one. */
    const leads = async ({ page }: Visitor): Promise<string[]> =>
      (await page.evaluate(`[...document.querySelectorAll("main :is(td, h2) a")].map((link) => link.getAttribute("href"))
        .filter((to) => ${JSON.stringify(DETAILS)}.some((kind) => to.startsWith("/console/" + kind + "/")))
        .slice(0, 1)`)) as string[];

    /** What is wrong with the page that is open. */
    const faultsOf = async ({ page, strangers, complaints }: Visitor): Promise<string[]> => [
      ...(await barriers(page)),
      ...(await page.locator("main [role=alert]").allTextContents()).map((text) => `shows an error: ${text}`),
      ...strangers,
      ...complaints,
    ];

    /** What stands in English on a page that is open in French, with what is around it. */
    const englishOn = async ({ page }: Visitor): Promise<string[]> => {
      const texts = await page.locator("main").allInnerTexts();
      return texts.flatMap((text) =>
        [...text.matchAll(ENGLISH)].map(
          ({ index }) => `English: ${text.slice(Math.max(0, index - 30), index + 30)}`,
        ),
      );
    };

    /** Controls of a page that is open which the keyboard alone does not reach, and places where one does not see where one is. */
    const faultsByKeyboard = async ({ page }: Visitor): Promise<string[]> => {
      const faults: string[] = [];
      const missed = new Set((await page.evaluate(CONTROLS)) as string[]);
      const steps = missed.size + SHELL_STEPS;
      for (let step = 0; step < steps && missed.size > 0; step++) {
        await page.keyboard.press("Tab");
        const at = (await page.evaluate(FOCUS)) as { name: string; isShown: boolean } | null;
        if (!at) continue;
        missed.delete(at.name);
        if (!at.isShown) faults.push(`does not show its focus: ${at.name}`);
      }
      return [...faults, ...[...missed].map((name) => `is not reached: ${name}`)];
    };

    test.each([...cases])(
      "has no barrier for $role in $language, on a telephone: $isPhone",
      async ({ role, language, isPhone, isByKeyboard = false }) => {
        const visitor = await visit(role, language, isPhone);
        const { page } = visitor;
        const faults: unknown[] = [];
        const pages = await offered(visitor);
        expect(pages.length).toBeGreaterThan(1);
        const places = pages.length;
        for (const { path, roles } of BESIDE)
          if (roles.includes(role)) pages.push(`/console${path(shop.accountId)}`);
        const titles = new Set<string>();
        for (let at = 0; at < pages.length; at++) {
          const path = String(pages[at]);
          await page.goto(bendre.url() + path);
          await page.locator("h1").waitFor();
          await visitor.settled();
          if (at < places) titles.add(String(await page.locator("h1").textContent()));
          if (isAccountRole(role))
            expect([path, await page.locator("main").textContent()]).not.toEqual([
              path,
              expect.stringContaining(OTHER_ACCOUNT),
            ]);
          const all = await faultsOf(visitor);
          all.push(...lostOn(await whereOn(visitor), path, at < places));
          if (language === "fr") all.push(...(await englishOn(visitor)));
          if (isByKeyboard && at < places) all.push(...(await faultsByKeyboard(visitor)));
          if (all.length > 0) faults.push([path, ...all]);
          for (const lead of await leads(visitor)) if (!pages.includes(lead)) pages.push(lead);
        }
        expect(faults).toEqual([]);
        expect(titles.size).toBe(places);
        await page.context().close();
      },
    );

    others?.({ visit, bendre: () => bendre, shop: () => shop, other: () => other });
  });
}
