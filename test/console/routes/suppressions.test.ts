/** The page of opt-outs over HTTP: every list that its reader may see, and which list each number is on. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { suppressionAdd, suppressionListAll } from "../../../src/admin/operations/suppressions.ts";
import { addSuppression } from "../../../src/domain/accounts/suppressions.ts";
import { type Json, type SendFixture, sendFixture } from "./send-fixture.ts";

let sending: SendFixture;
let other: string;
let staff: string;
beforeEach(async () => {
  sending = await sendFixture();
  const { context } = sending.place;
  other = await sending.place.admin.account();
  staff = await sending.entered("owner@example.bf", "OWNER", null);
  const entry = { messageClass: "MARKETING", note: null } as const;
  await suppressionAdd(context, sending.account, { ...entry, msisdn: "05112233" });
  await suppressionAdd(context, other, { ...entry, msisdn: "05112233" });
  await suppressionAdd(context, other, { ...entry, msisdn: "05112200", messageClass: null });
  await suppressionAdd(context, null, { ...entry, msisdn: "05119999" });
  // That of a sandbox is no list of the account.
  await suppressionAdd(context, { account: other, mode: "test" }, { ...entry, msisdn: "05110000" });
});
afterEach(() => sending.place.close());

async function listed(as: string, query = "") {
  const { status, json } = await sending.ask("GET", `/suppressions${query}`, undefined, as);
  const rows = (json.suppressions ?? []) as Json[];
  return { status, next: json.next_after, rows: rows.map((row) => [row.account_id, row.msisdn]) };
}

const everything = () => [
  [null, "+22605119999"],
  [sending.account, "+22605112233"],
  ...Array.from({ length: 3 }, () => [other, "+22605112200"]),
  [other, "+22605112233"],
];

test("staff see the appliance-wide list and those of all accounts, with their names", async () => {
  expect(await listed(staff)).toEqual({ status: 200, next: null, rows: everything() });
  const { json } = await sending.ask("GET", "/suppressions", undefined, staff);
  const names = (json.suppressions as Json[]).map(({ account }) => account);
  expect([names[0], names.at(-1)]).toEqual([null, "Faso Shop 2"]);
});

test("page by page each number stands once, whole", async () => {
  const rows: unknown[][] = [];
  let query = "?limit=1";
  for (let pages = 0; pages < 10; pages += 1) {
    const page = await listed(staff, query);
    rows.push(...page.rows);
    if (page.next === null) break;
    query = `?limit=1&after=${encodeURIComponent(String(page.next))}`;
  }
  expect(rows).toEqual(everything());
  expect((await listed(staff, "?after=abc")).status).toBe(422);
});

test("one account's list is chosen, and people of an account see theirs alone, whatever they ask", async () => {
  const own = [[sending.account, "+22605112233"]];
  expect((await listed(staff, `?account=${sending.account}`)).rows).toEqual(own);
  expect((await listed(sending.cookie)).rows).toEqual(own);
  expect((await listed(sending.cookie, `?account=${other}`)).status).toBe(404);
  expect((await listed(sending.cookie, "?after=0%2B1")).rows).not.toContainEqual([null, "+22605119999"]);
});

test("many numbers of many lists come in steps, and none is lost between them", async () => {
  await sending.place.context.store.write((tx) => {
    for (let n = 0; n < 1200; n += 1) {
      const msisdn = `+22607${String(n).padStart(6, "0")}`;
      addSuppression(tx, { accountId: n % 2, msisdn, messageClass: "OTP", source: "IMPORT", note: null }, 0);
    }
  });
  const all = await suppressionListAll(sending.place.context, null, 2000);
  if (!all.ok) throw new Error(all.refusal.code);
  const { suppressions, next_after } = all.value;
  expect([suppressions.length, next_after]).toEqual([1200 + everything().length, null]);
  expect(new Set(suppressions.map((row) => JSON.stringify(row))).size).toBe(suppressions.length);
});
