/**
 * Work is found from what is due: no statement that a running appliance issues reads a table that grows from end to end,
 * nor sorts one. Asked of SQLite itself, for every statement that was issued while an appliance did a little of everything.
 */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemPlatform } from "../../src/app/platform.ts";
import { openOnDisk } from "../../src/db/disk.ts";
import { applyMigrations } from "../../src/db/migrate.ts";
import { statementBook } from "../kit/statement-book.ts";
import { type Client, type Stage, stage } from "../scenarios/stage.ts";
import { faultOf, isAsked, plain } from "./growing.ts";

/** Statements that may do it all the same: a piece of their text, and why. */
const EXCEPTIONS: readonly (readonly [string, string])[] = [
  ["FROM ledger_checks ORDER BY id DESC LIMIT 1", "the last row"],
  ["SELECT id FROM (SELECT id, at FROM events ORDER BY id LIMIT", "the first few rows"],
  ["SELECT id FROM (SELECT id, at FROM audit_entries ORDER BY id LIMIT", "the first few rows"],
  [
    "WHERE status = 'VALIDATING' AND created_at <",
    "each has more than 10,000 recipients: they are few, and end after 30 minutes",
  ],
  ["group_concat(operator, ',' ORDER BY operator)", "sorts the operators of one sender"],
  ["AS isClosed FROM accounts", "an administrator's command names an account by its name"],
  [
    "m.id < b.first_message_id + b.accepted WHERE b.id = ? AND m.stamp_us >=",
    "sorts one batch: a small one, or a large one whose page is not near",
  ],
  [
    "FROM unaccepted_submits WHERE operator IN (SELECT value FROM json_each(?)) AND number_key = ?",
    "the doubts about one number",
  ],
  ["FROM unaccepted_submits u WHERE message_id = ?", "sorts the submits of one message"],
  [
    "created_at, closed_at FROM accounts WHERE id > 0 ORDER BY id",
    "a STOP to a number that is nobody's sender asks each account; and a command",
  ],
];

const book = statementBook(openOnDisk, () => {});
let appliance: Stage;
let client: Client;

const numbers = (count: number, from: number) =>
  Array.from({ length: count }, (_, index) => ({ msisdn: String(70_000_000 + from + index) }));

beforeAll(async () => {
  appliance = await stage({ ...systemPlatform, openDatabase: book.openDatabase });
  client = await appliance.client();
  const ACCOUNT = client.accountId;
  await appliance.admin("webhook create", { ACCOUNT, url: "https://hooks.example.test/in" }).catch(() => {});
  await appliance.admin("route override", { NUMBER: "70000001", OPERATOR: "orange" });
  await appliance.admin("route override", { NUMBER: "2267001*", OPERATOR: "orange" });
  await appliance.admin("route show", { MSISDN: "70000001" });
  await appliance.admin("route export");
  const sent = await client.submit({ recipients: numbers(3, 1) });
  const settled = (batch: { status: string }) => batch.status === "SETTLED";
  await client.until(sent.batch_id, settled);
  const marketing = await client.submit({ message_class: "MARKETING", recipients: numbers(300, 100) });
  await client.until(marketing.batch_id, settled);
  const large = await client.submit({
    message_class: "MARKETING",
    body: "x",
    recipients: numbers(10_001, 1000),
  });
  await client.until(large.batch_id, ({ status }) => status !== "VALIDATING");
  const later = await client.submit({
    body: "later",
    recipients: numbers(2, 1),
    scheduled_at: "2026-03-02T15:00:00Z",
  });
  await appliance.admin("batch cancel", { BATCH: large.batch_id, reason: "a mistake" });
  await appliance.admin("batch cancel", { BATCH: later.batch_id, reason: "a mistake" });
  await client.messages(sent.batch_id);
  await client.messages(large.batch_id);
  // A subscriber who opts out, an operator that asks for patience, one that swallows a submit, one that sends no receipts.
  appliance.smsc.sendMo("22670000001", "ACME", "STOP");
  appliance.smsc.change({ refusePercent: 100, refuseStatus: 0x58 });
  await client.submit({ body: "throttled", recipients: numbers(2, 501) });
  await appliance.clock.advance(2000);
  appliance.smsc.change({ refusePercent: 0, swallowEvery: 1 });
  await client.submit({ message_class: "MARKETING", body: "swallowed", recipients: numbers(1, 511) });
  await appliance.clock.advance(60_000);
  appliance.smsc.change({ swallowEvery: 0, noReceipts: true });
  const open = await client.submit({ body: "no receipts", recipients: numbers(3, 521) });
  await client.until(open.batch_id, ({ counts }) => counts.sent === 3);
  await client.balance();
  await appliance.admin("account suspend", { ACCOUNT, reason: "unpaid" });
  await appliance.admin("account resume", { ACCOUNT });
  await appliance.admin("operator status");
  await appliance.admin("account list");
  await appliance.stop();
  await appliance.clock.advance(100 * 3_600_000);
  await appliance.start();
  await appliance.clock.advance(61_000);
}, 60_000);
afterAll(async () => {
  await appliance.close();
});

describe("the statements of a running appliance", () => {
  test("are many, and of every room", () => {
    const issued = book.booked().filter(({ sql }) => isAsked(sql));
    expect(issued.length).toBeGreaterThan(100);
  });

  test("find what they look for by an index: none reads or sorts a table that grows", () => {
    const db = new Database(":memory:");
    applyMigrations(db, 0);
    const faults: string[] = [];
    for (const { sql } of book.booked()) {
      if (!isAsked(sql) || EXCEPTIONS.some(([piece]) => plain(sql).includes(piece))) continue;
      const fault = faultOf(db, sql);
      if (fault) faults.push(`${fault} <- ${plain(sql)}`);
    }
    db.close();
    expect(faults).toEqual([]);
  });

  test("that are excepted are still issued", () => {
    const issued = book.booked().map(({ sql }) => plain(sql));
    expect(EXCEPTIONS.filter(([piece]) => !issued.some((sql) => sql.includes(piece)))).toEqual([]);
  });
});
