/** Every page of the console, walked in French on a telephone by an owner and in English on a wide screen by a client's administrator; at night by all roles in both. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isAccountRole, ROLES, type Role } from "../../src/domain/accounts/roles.ts";
import type { Json } from "./api.ts";
import type { Appliance, Tenant } from "./appliance.ts";
import { barriers } from "./axe.ts";
import { findBrowser, openBrowser } from "./browser.ts";
import { consoleTown, OTHER_ACCOUNT } from "./console-town.ts";
import { leave, signIn, type Visitor } from "./console-visitor.ts";
import { atNightAll } from "./night.ts";

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

type Where = {
  readonly heading: string;
  /** Of the browser's tab. */
  readonly title: string;
  /** Addresses of the pages above it. */
  readonly way: readonly string[];
  /** Addresses of the entries of the navigation that are marked. */
  readonly marked: readonly string[];
};

/** Where a page that is open says that one is. */
async function whereOn({ page }: Visitor): Promise<Where> {
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

type Walk = {
  readonly role: Role;
  readonly language: "en" | "fr";
  readonly isPhone: boolean;
  /** Reaches every control of every page that is offered by the keyboard, too. */
  readonly isByKeyboard?: boolean;
};

/** Who looks at every page for barriers and errors, and for what is of another account. */
const WALKS = atNightAll<Walk>(
  [
    { role: "OWNER", language: "fr", isPhone: true },
    { role: "ACCOUNT_ADMIN", language: "en", isPhone: false },
  ],
  ROLES.flatMap((role) => [
    { role, language: "fr", isPhone: false, isByKeyboard: role === "OWNER" },
    { role, language: "en", isPhone: true, isByKeyboard: role === "ACCOUNT_ADMIN" },
  ]),
);

const found = findBrowser();
if (found === null) {
  process.stderr.write("skipped: the walk through the console, for there is no browser\n");
} else {
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

    test.each(WALKS)(
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
          // As a link within the console does it: that each page is there by its address too is seen below.
          await page.evaluate(
            `history.pushState(null, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"));`,
          );
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
        await leave(page);
      },
    );

    test("says on each page of a thing its name, in heading and tab, the way to it, and which entry it belongs to", async () => {
      const visitor = await visit("OWNER", "en", false);
      const { page, settled } = visitor;
      const id = shop.accountId;
      const of = (path: string) => `/console${path}`;
      const [batch] = ((await bendre.ask("batch list", { ACCOUNT: id })).batches ?? []) as Json[];
      const [message] = ((await bendre.ask("message find", { number: "22605112233" })).messages ??
        []) as Json[];
      const [hook] = ((await bendre.ask("webhook list", { ACCOUNT: id })).webhooks ?? []) as Json[];
      const sent = of(`/batches/${String(batch?.batch_id)}`);
      const named = `${String(batch?.client_reference)} · ${String(batch?.accepted)}`;
      const account = of(`/accounts/${id}`);
      const accounts = [of("/accounts"), account];
      const rows: readonly (readonly [path: string, name: string, entry: string, way: readonly string[]])[] =
        [
          [account, "Faso Shop", of("/accounts"), [of("/accounts")]],
          [`${account}/money`, "Faso Shop · Balance", of("/accounts"), accounts],
          [`${account}/statement`, "Faso Shop · Statement", of("/accounts"), accounts],
          [`${account}/consumption`, "Faso Shop · Usage", of("/accounts"), accounts],
          [`${account}/prices`, "Faso Shop · Prices", of("/accounts"), accounts],
          [of(`/keys?account=${id}`), "Faso Shop · Keys", of("/keys"), accounts],
          [of(`/senders?account=${id}`), "Faso Shop · Senders", of("/senders"), accounts],
          [of(`/users?account=${id}`), "Faso Shop · Users", of("/users"), accounts],
          [of(`/webhooks?account=${id}`), "Faso Shop · Webhooks", of("/webhooks"), accounts],
          [sent, named, of("/batches"), [of("/batches")]],
          [`${sent}/report`, `${named} · Report`, of("/batches"), [of("/batches"), sent]],
          [
            of(`/messages/${String(message?.message_id)}`),
            "Message to +226 05 11 22 33",
            of("/messages"),
            [of("/messages")],
          ],
          [of("/operators/orange"), "orange", of("/operators"), [of("/operators")]],
          [of("/operators/new"), "New operator", of("/operators"), [of("/operators")]],
          [
            of(`/webhooks/${String(hook?.webhook_id)}`),
            "CRM",
            of("/webhooks"),
            [of("/webhooks"), of(`/webhooks?account=${id}`)],
          ],
          [of("/state/settings"), "Configuration in force", of("/state"), [of("/state")]],
        ];
      for (const [path, name, entry, way] of rows) {
        await page.goto(bendre.url() + path);
        await page.locator("h1").waitFor();
        await settled();
        const where = await whereOn(visitor);
        const heading = where.heading.replaceAll("\u00a0", " ");
        expect([path, { ...where, heading, title: where.title.replaceAll("\u00a0", " ") }]).toEqual([
          path,
          { heading: name, title: `${name} · Bendre`, way, marked: [entry] },
        ]);
      }
      await leave(page);
    });

    test("says the same of what is another account's as of what is not there", async () => {
      const visitor = await visit("ACCOUNT_ADMIN", "en", false);
      const { page } = visitor;
      const main = async (path: string): Promise<string> => {
        await page.goto(bendre.url() + path);
        await page.locator("h1").waitFor();
        await visitor.settled();
        return String(await page.locator("main").textContent());
      };
      const [batch] = ((await bendre.ask("batch list", { ACCOUNT: other.accountId })).batches ??
        []) as Json[];
      const foreign = await main(`/console/batches/${String(batch?.batch_id)}`);
      expect(foreign).toBe(await main("/console/batches/01JD0000000000000000000000"));
      await leave(page);
    });

    test("says that the network is gone and goes on when it is back, with nothing lost that was typed", async () => {
      const visitor = await visit("SUPPORT", "fr", true);
      const { page } = visitor;
      const context = page.context();
      await page.goto(`${bendre.url()}/console/messages`);
      await page.locator("main td a").first().waitFor();
      await context.setOffline(true);
      await page.locator("main td a").first().click();
      await page.locator("main [role=alert]").waitFor();
      expect(await page.locator("main [role=alert]").textContent()).toMatch(/réseau|connexion|joindre/i);
      await context.setOffline(false);
      await page.locator("main [role=alert] button").click();
      await page.locator("main .timeline").first().waitFor();
      await leave(page);
    });
  });
}
