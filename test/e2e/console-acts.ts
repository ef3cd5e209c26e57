/** The main act of each page of the console, by the keyboard alone, and what comes of it outside of the page. */
import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import { phoneNumber } from "../../src/console/ui/format.ts";
import type { Role } from "../../src/domain/accounts/roles.ts";
import { type Json, poll } from "./api.ts";
import type { Appliance, Tenant } from "./appliance.ts";
import type { Keyboard } from "./console-keyboard.ts";
import { VISITOR_PASSWORD, type Visitor } from "./console-visitor.ts";

/** Where an act is done: each language and width has an account, a waiting sender and numbers of its own. */
export type Place = {
  readonly bendre: Appliance;
  readonly shop: Tenant;
  /** Stands in every name that the acts of this place give. */
  readonly tag: string;
  readonly account: string;
  readonly sender: string;
  /** A number that got a text, and one that gets one. */
  readonly reached: string;
  readonly next: string;
  /** A batch that waits for an operator that is away, and one that failed for a reason that passes. */
  readonly waiting: string;
  readonly failed: string;
};

export type Act = {
  /** The page, as the title of a failure. */
  readonly page: string;
  readonly role: Role;
  readonly act: (keys: Keyboard, place: Place, visitor: Visitor) => Promise<void>;
};

export const audited = async ({ bendre }: Place, action: string): Promise<Json[]> =>
  ((await bendre.ask("audit list", { action: action })).entries ?? []) as Json[];
export const listed = (answer: Json, name: string): Json[] => (answer[name] ?? []) as Json[];

/** By the list of accounts to the one of the place, then to a page about it. */
export async function accountPage(keys: Keyboard, place: Place, ending: string): Promise<void> {
  await keys.page("a");
  await keys.fill("[name=search]", place.account);
  await keys.enter(`main td a[href*="${place.shop.accountId}"]`);
  await keys.enter(`main :is(.links, .tabs) a[href$="${ending}"]`);
  await keys.sees("main :is(form, .filters)");
}

const SUPPORT: readonly Act[] = [
  {
    page: "messages: a text is found by its number and read for a reason",
    role: "SUPPORT",
    act: async (keys, place) => {
      await keys.page("s");
      await keys.press("/");
      await keys.to("#search");
      await keys.type(place.reached.slice(3));
      await keys.sees("[role=option]");
      await keys.press("Enter");
      await keys.enter("main td a");
      await keys.sees(".timeline .moment");
      const before = (await audited(place, "message text")).length;
      await keys.enter("main section:last-of-type button");
      await keys.fill("dialog [name=reason]", `réclamation ${place.tag}`);
      await keys.press("Enter");
      await keys.sees("blockquote", "4711");
      expect((await audited(place, "message text")).length).toBe(before + 1);
    },
  },
  {
    page: "queue",
    role: "SUPPORT",
    act: async (keys) => {
      await keys.page("q");
      await keys.sees("main td", "moov");
    },
  },
  {
    page: "doubts",
    role: "SUPPORT",
    act: async (keys) => {
      await keys.page("d");
      await keys.sees("main .empty-title");
    },
  },
  {
    page: "inbound: what somebody wrote is read for a reason",
    role: "SUPPORT",
    act: async (keys, { bendre, reached, tag }) => {
      const come = async (): Promise<number> => listed(await bendre.ask("inbound list", {}), "texts").length;
      const before = await come();
      bendre.types("orange", `mo ${reached} 3333 merci ${tag}`);
      await poll(come, (count) => count === before + 1);
      await keys.page("i");
      await keys.enter("main tbody tr:first-child td .button");
      await keys.fill("dialog [name=reason]", `plainte ${tag}`);
      await keys.press("Enter");
      await keys.sees("blockquote", `merci ${tag}`);
      await keys.enter("dialog .button");
      await keys.seesNo("dialog");
    },
  },
  {
    page: "reports: another grouping, and the file of it",
    role: "SUPPORT",
    act: async (keys, _, { page }) => {
      await keys.page("r");
      await keys.to("main .filters select");
      await keys.press("ArrowDown");
      await keys.sees("main table");
      const [file] = await Promise.all([page.waitForEvent("download"), keys.enter("main a[download]")]);
      expect((await Bun.file(String(await file.path())).text()).split("\n").length).toBeGreaterThan(1);
    },
  },
  {
    page: "audit: what somebody did",
    role: "SUPPORT",
    act: async (keys, { tag }) => {
      await keys.page("j");
      await keys.fill("[name=actor]", loginOf("SUPPORT", tag));
      await keys.sees("main td", `réclamation ${tag}`);
    },
  },
];

const OPERATIONS: readonly Act[] = [
  {
    page: "start",
    role: "OPERATIONS",
    act: async (keys) => {
      await keys.page("y");
      await keys.page("s");
      await keys.sees("main td", "moov");
    },
  },
  {
    page: "operators: one is paused for a reason, and goes on",
    role: "OPERATIONS",
    act: async (keys, { bendre, tag }) => {
      const paused = async () =>
        listed(await bendre.ask("operator status", {}), "connections").map((one) => one.paused);
      await keys.page("o");
      await keys.enter("main .section-head button:last-of-type");
      await keys.fill("dialog [name=reason]", `works ${tag}`);
      await keys.press("Enter");
      await keys.seesNo("dialog");
      await poll(paused, (all) => all.includes(`works ${tag}`));
      await keys.sees(".toast");
      await keys.enter("main .section-head button:last-of-type");
      await poll(paused, (all) => !all.includes(`works ${tag}`));
    },
  },
  {
    page: "batches: what waits is called off",
    role: "OPERATIONS",
    act: async (keys, { bendre, waiting, tag }) => {
      await keys.page("b");
      await keys.fill("[name=reference]", `waiting-${tag}`);
      await keys.enter(`main td a[href*="${waiting}"]`);
      await keys.enter(".page-head button");
      await keys.fill("dialog [name=reason]", `wrong text ${tag}`);
      await keys.press("Enter");
      await keys.sees("main p", `wrong text ${tag}`);
      expect(await bendre.ask("batch show", { BATCH: waiting })).toMatchObject({ status: "CANCELLED" });
    },
  },
  {
    page: "senders: one is approved and registered",
    role: "OPERATIONS",
    act: async (keys, { bendre, shop, sender }) => {
      await keys.page("n");
      await keys.enter(`main button[aria-label$="${sender}"]`);
      await keys.enter("dialog .primary");
      await keys.seesNo("dialog");
      await keys.enter(`main button[aria-label$="${sender}"]`);
      await keys.to("dialog input[value=orange]");
      await keys.press("Space");
      await keys.enter("dialog .primary");
      await keys.seesNo("dialog");
      expect(listed(await bendre.ask("sender list", { ACCOUNT: shop.accountId }), "senders")).toContainEqual(
        expect.objectContaining({ sender, status: "APPROVED", operators: ["orange"] }),
      );
    },
  },
  {
    page: "alarms: a rule is silenced",
    role: "OPERATIONS",
    act: async (keys, place) => {
      const before = (await audited(place, "alert silence")).length;
      await keys.page("l");
      await keys.enter("main td .button");
      await keys.to("dialog [name=until]");
      await keys.type("3");
      await keys.enter("dialog .primary");
      await keys.seesNo("dialog");
      expect((await audited(place, "alert silence")).length).toBe(before + 1);
    },
  },
  {
    page: "state: an edited file is put in force",
    role: "OPERATIONS",
    act: async (keys, place) => {
      const before = (await audited(place, "config reload")).length;
      const text = readFileSync(place.bendre.config, "utf8");
      writeFileSync(
        place.bendre.config,
        text.replace(/window = (\d+)/, (_, old) => `window = ${Number(old) + 1}`),
      );
      await keys.page("t");
      await keys.enter("main .section-head button:last-of-type");
      await keys.enter("dialog .primary");
      await poll(
        async () => (await audited(place, "config reload")).length,
        (count) => count === before + 1,
      );
    },
  },
  {
    page: "backups: one is made",
    role: "OPERATIONS",
    act: async (keys, { bendre }) => {
      const count = async () => listed(await bendre.ask("backup list", {}), "backups").length;
      const before = await count();
      await keys.page("c");
      await keys.enter(".page-head .button");
      await poll(count, (backups) => backups === before + 1);
    },
  },
  {
    page: "connecting another operator: what to write is checked, and the commands name the file",
    role: "OPERATIONS",
    act: async (keys, { bendre, tag }) => {
      await keys.page("o");
      await keys.enter(".page-head a.button");
      await keys.fill("[name=code]", "telecel");
      await keys.fill("[name=name]", `Telecel ${tag}`);
      await keys.fill("[name=host]", "127.0.0.1");
      await keys.fill("[name=systemId]", "us");
      await keys.fill("[name=prefixes]", "58 68");
      // The price is the owner's; in the field of prefixes Enter begins another line.
      await keys.enter("main form .primary");
      await keys.sees("pre.file", `name = "Telecel ${tag}"`);
      await keys.sees("pre.file", 'prefixes = ["22658", "22668"]');
      await keys.sees(".todo code", "…");
      await keys.sees(".todo code", `config reload --config ${bendre.config}`);
      await keys.enter(".verdict .section-head button");
      await keys.sees(".verdict .section .note");
    },
  },
];

const FINANCE: readonly Act[] = [
  {
    page: "accounts: one is made, and gets a ceiling",
    role: "FINANCE",
    act: async (keys, { bendre, tag }, { page }) => {
      await keys.page("a");
      await keys.enter(".page-head .button");
      await keys.fill("dialog [name=name]", `Pharmacie ${tag}`);
      await keys.press("Enter");
      await keys.sees("h1", `Pharmacie ${tag}`);
      await keys.enter("main .section-head .button");
      await keys.fill("dialog [name=recipients_per_day]", "5 000");
      await keys.press("Enter");
      await keys.seesNo("dialog");
      const id = String(page.url().split("/").at(-1));
      expect(await bendre.ask("account show", { ACCOUNT: id })).toMatchObject({
        name: `Pharmacie ${tag}`,
        recipients_per_day: 5000,
      });
    },
  },
  {
    page: "money: a payment is looked at and entered",
    role: "FINANCE",
    act: async (keys, place, { page }) => {
      const { bendre, shop, tag, account } = place;
      const balance = async () =>
        Number((await bendre.ask("wallet show", { ACCOUNT: shop.accountId })).balance);
      const before = await balance();
      await accountPage(keys, place, "/money");
      await keys.fill("[name=amount]", "250 000");
      await keys.fill("[name=because]", `recu-${tag}`);
      await keys.press("Enter");
      await keys.confirmed("dialog .facts");
      const shown = String(await page.locator("dialog").textContent()).replaceAll(/[\u00A0\u202F]/g, " ");
      for (const said of [account, `recu-${tag}`, "250"]) expect(shown).toContain(said);
      const verb = String(await page.locator("dialog .primary").textContent());
      expect(verb.replaceAll(/[^\d\p{L} ]/gu, "")).toMatch(new RegExp(`250000.*${account}`));
      expect(await balance()).toBe(before);
      await keys.enter("dialog .primary");
      await keys.sees(".toast");
      expect(await balance()).toBe(before + 250_000);
    },
  },
  {
    page: "prices: one is agreed",
    role: "FINANCE",
    act: async (keys, place) => {
      await accountPage(keys, place, "/prices");
      await keys.fill("[name=price]", "9");
      await keys.press("Enter");
      await keys.enter("dialog .primary");
      await keys.seesNo("dialog");
      expect(
        listed(await place.bendre.ask("price list", { ACCOUNT: place.shop.accountId }), "prices"),
      ).toContainEqual(expect.objectContaining({ amount: 9, source: "account" }));
    },
  },
];

const ADMIN: readonly Act[] = [
  {
    page: "start of an account",
    role: "ACCOUNT_ADMIN",
    act: async (keys) => {
      await keys.page("y");
      await keys.page("s");
      await keys.sees("main .stats");
    },
  },
  {
    page: "send: a text to a pasted number arrives at the operator",
    role: "ACCOUNT_ADMIN",
    act: async (keys, { bendre, next, tag }, { page }) => {
      await keys.page("e");
      await keys.to("[name=sender]");
      await keys.press("Space");
      await keys.to("[name=class]:checked");
      await keys.press("ArrowDown");
      await keys.to("[name=source]:checked");
      await keys.press("ArrowDown");
      await keys.fill("[name=pasted]", next);
      await keys.press("Tab", "Enter");
      await keys.sees(".found");
      await keys.fill("[name=text]", `Bonjour ${tag}`);
      await keys.enter("form.send button[type=submit]");
      await keys.sees("main .stats");
      await keys.enter("main button.primary");
      await page.waitForURL("**/console/batches/*");
      await keys.sees(".progress .note");
      await keys.sees("main .badge.good");
      expect(
        bendre.seen("orange").filter(({ kind, to }) => kind === "text" && to === `226${next}`),
      ).toMatchObject([{ text: `Bonjour ${tag}` }]);
    },
  },
  {
    page: "messages and batches of an account",
    role: "ACCOUNT_ADMIN",
    act: async (keys, { next }) => {
      await keys.page("b");
      await keys.sees("main td a");
      await keys.page("m");
      await keys.sees("main td a", phoneNumber(`+226${next}`));
    },
  },
  {
    page: "suppressions: a number is put on the list",
    role: "ACCOUNT_ADMIN",
    act: async (keys, { bendre, shop, next }) => {
      await keys.page("x");
      await keys.fill("main form [name=msisdn]", next);
      await keys.press("Enter");
      await keys.sees("main td", phoneNumber(`+226${next}`));
      expect(
        listed(await bendre.ask("suppression list", { ACCOUNT: shop.accountId }), "suppressions"),
      ).toContainEqual(expect.objectContaining({ msisdn: `+226${next}` }));
    },
  },
  {
    page: "senders: one is asked for",
    role: "ACCOUNT_ADMIN",
    act: async (keys, { bendre, shop, tag }) => {
      await keys.page("n");
      await keys.fill("[name=sender]", `N${tag}`);
      await keys.press("Enter");
      await keys.sees("main td strong", `N${tag}`);
      expect(listed(await bendre.ask("sender list", { ACCOUNT: shop.accountId }), "senders")).toContainEqual(
        expect.objectContaining({ sender: `N${tag}`, status: "REQUESTED" }),
      );
    },
  },
  {
    page: "keys: one is created, and opens the API",
    role: "ACCOUNT_ADMIN",
    act: async (keys, { bendre, tag }, { page }) => {
      await keys.page("k");
      await keys.enter("main .section-head .button");
      await keys.fill("dialog [name=name]", `CRM ${tag}`);
      await keys.press("Enter");
      await keys.confirmed(".once code");
      const key = String(await page.locator(".once code").first().textContent());
      const answer = await fetch(
        `${bendre.url()}/public/v1/messages?status_changed_since=2026-01-01T00:00:00Z`,
        {
          headers: { authorization: `Bearer ${key}` },
        },
      );
      expect(answer.status).toBe(200);
    },
  },
  {
    page: "webhooks: an endpoint is added",
    role: "ACCOUNT_ADMIN",
    act: async (keys, { bendre, shop, tag }) => {
      await keys.page("w");
      await keys.enter("main .section-head .button");
      await keys.fill("dialog [name=url]", `https://127.0.0.1:1/${tag}`);
      await keys.press("Enter");
      await keys.confirmed(".once code");
      expect(
        listed(await bendre.ask("webhook list", { ACCOUNT: shop.accountId }), "webhooks"),
      ).toContainEqual(expect.objectContaining({ url: `https://127.0.0.1:1/${tag}` }));
    },
  },
  {
    page: "users: somebody is asked for",
    role: "ACCOUNT_ADMIN",
    act: async (keys, { bendre, shop, tag }) => {
      await keys.page("u");
      await keys.enter("main .section-head .button");
      await keys.fill("dialog [name=login]", `colleague-${tag}@example.bf`);
      await keys.press("Enter");
      await keys.confirmed("main [role=status] .notice");
      expect(listed(await bendre.ask("user list", {}), "users")).toContainEqual(
        expect.objectContaining({ login: `colleague-${tag}@example.bf`, account_id: shop.accountId }),
      );
    },
  },
  {
    page: "settings, balance and prices of an account, by their own links",
    role: "ACCOUNT_ADMIN",
    act: async (keys) => {
      await keys.page("a");
      await keys.enter("main .tabs a[href$='/prices']");
      await keys.sees("main table");
      await keys.page("f");
      await keys.sees("main .stats");
      await keys.enter("main .tabs a[href$='/statement']");
      await keys.sees("main table");
    },
  },
  {
    page: "audit of an account: who did it, and by what way",
    role: "ACCOUNT_ADMIN",
    act: async (keys, { tag }) => {
      await keys.page("j");
      await keys.sees("main td", loginOf("ACCOUNT_ADMIN", tag));
    },
  },
  {
    page: "you: another password",
    role: "ACCOUNT_ADMIN",
    act: async (keys, place) => {
      const before = (await audited(place, "user password")).length;
      await keys.page("y");
      await keys.fill("[name=password]", VISITOR_PASSWORD);
      await keys.fill("[name=next]", `${VISITOR_PASSWORD} encore`);
      await keys.fill("[name=again]", `${VISITOR_PASSWORD} encore`);
      await keys.press("Enter");
      await poll(
        async () => (await audited(place, "user password")).length,
        (count) => count === before + 1,
      );
    },
  },
];

/** Who does the acts of a role at a place. */
export function loginOf(role: Role, tag: string): string {
  return `${role.toLowerCase().replace("_", "-")}-${tag}@example.bf`;
}

/** The main act of each page; those of a role in an order in which each can be done. */
export const MAIN_ACTS: readonly Act[] = [...SUPPORT, ...OPERATIONS, ...FINANCE, ...ADMIN];
