import { Database } from "bun:sqlite";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dataErase } from "../../../src/admin/operations/erasure/number-data.ts";
import { systemPlatform } from "../../../src/app/platform.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { hashKey, idFactory } from "../../../src/core/ids.ts";
import { openStore } from "../../../src/db/store.ts";
import { toRecipientKey } from "../../../src/domain/messages/recent-messages.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { english } from "../../../src/i18n/text.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { type Client, type Stage, stage } from "../../scenarios/stage.ts";
import { AWA, databaseOf, HERS, ISSA, keepEverything } from "./about-number-fixture.ts";

let whole: Stage;
let client: Client;
beforeEach(async () => {
  whole = await stage();
  client = await whole.client();
});
afterEach(() => whole.close());

/** Runs a command whose steps rest between each other. */
const admin = async (name: string, args: Readonly<Record<string, string>>) => {
  let isDone = false;
  const told = whole.admin(name, args).finally(() => {
    isDone = true;
  });
  told.catch(() => {});
  while (!isDone) await whole.clock.advance(20);
  return told;
};
const erase = (args: Readonly<Record<string, string>> = {}) => admin("data erase", { MSISDN: AWA, ...args });

/** Instants may happen to hold the digits of her number; integers so large are nothing else here. */
const isNoInstant = ([, value]: readonly [string, unknown]) => typeof value !== "number" || value < 1e12;

/** Every value of every table as text, blobs by their octets, with where it stands. */
function everyValue(db: Database): string[] {
  const tables = db.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return tables.flatMap(({ name }) =>
    db
      .query<Record<string, unknown>, []>(`SELECT * FROM ${name}`)
      .all()
      .flatMap((row) =>
        Object.entries(row)
          .filter(isNoInstant)
          .map(
            ([column, value]) =>
              `${name}.${column}: ${value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : value}`,
          ),
      ),
  );
}
const valuesOf = () => {
  const db = databaseOf(whole);
  const values = everyValue(db);
  db.close();
  return values;
};
const hers = (values: readonly string[]) =>
  values.filter((value) => HERS.some((word) => value.includes(word)));

test("nothing of a number is in any table, what concerns others is as it was, and money is to the franc", async () => {
  const { own, campaign } = await keepEverything(whole, client);
  const before = valuesOf();
  expect(new Set(hers(before).map((value) => value.split(":")[0])).size).toBeGreaterThan(15);
  const { balance, reserved } = await client.balance();
  const figures = await whole.admin("batch show", { BATCH: campaign.batch_id });
  const told = await erase();
  expect(told).toMatchObject({
    number: expect.stringMatching(/^erased:[a-p]{24}$/),
    cancelled: 0,
    erased: {
      messages: 3,
      rejections: 3,
      suppressions: 1,
      inbound_texts: 3,
      receipts: 2,
      operator_tests: 1,
      remembered_answers: 0,
      waiting_events: 1,
      audit_entries: 1,
    },
    left: 0,
    left_in_file: 0,
    held_by: [],
  });
  const after = valuesOf();
  expect(hers(after)).toEqual([]);
  const ofOthers = /Issa|70888001|Merci/;
  const [issaBefore, issaAfter] = [before, after].map((values) =>
    values.filter((each) => ofOthers.test(each)),
  );
  expect(issaAfter).toEqual(issaBefore);
  expect(await client.balance()).toMatchObject({ balance, reserved });
  expect(await whole.admin("batch show", { BATCH: campaign.batch_id })).toEqual(figures);
  expect(await whole.admin("ledger check")).toMatchObject({ accounts: 1 });
  const [message] = await client.messages(own.batch_id);
  expect(message).toMatchObject({ msisdn: told.number, status: "DELIVERED", amount: 15 });
});

test("nothing of a number is in any file of the data directory", async () => {
  await keepEverything(whole, client);
  await erase();
  await whole.stop();
  const { directory } = whole.settings.now().storage;
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  for (const { name, parentPath } of files) {
    const octets = readFileSync(join(parentPath, name));
    expect([name, HERS.filter((word) => octets.includes(word))]).toEqual([name, []]);
  }
});

test("no hash of a number is left that can be tried without the key", async () => {
  await keepEverything(whole, client);
  const db = databaseOf(whole);
  const { id } = db.query<{ id: number }, []>("SELECT id FROM accounts").get() ?? { id: 0 };
  const sends = () =>
    db
      .query<{ keys: Uint8Array }, []>("SELECT keys FROM recent_message_runs")
      .all()
      .flatMap(({ keys }) => [...new Float64Array(keys.slice().buffer)]);
  const [hersKey, issasKey] = [toRecipientKey(id, AWA), toRecipientKey(id, ISSA)];
  expect(sends()).toEqual(expect.arrayContaining([hersKey, issasKey]));
  db.run(
    "INSERT INTO recent_messages (recipient_key, is_marketing, text_key, planned_at, message_id) VALUES (?, 0, 7, 7, 7)",
    [hersKey],
  );
  db.run("INSERT INTO search_runs (run, messages) VALUES (0, 4)");
  const [bucket, more] = [hashKey(AWA) % 256, Math.floor(hashKey(AWA) / 256) % 65_536];
  const pairs = new Uint16Array([1, more, 2, more, 3, more, 4, more, 9000, more, 1, 5]);
  db.run("INSERT INTO search_numbers (bucket, run, entries) VALUES (?, 0, ?)", [
    bucket,
    new Uint8Array(pairs.buffer),
  ]);
  await erase();
  expect(sends()).not.toContain(hersKey);
  expect(sends()).toContain(issasKey);
  expect(db.query("SELECT count(*) FROM recent_messages").values()).toEqual([[0]]);
  const entries = db.query<{ entries: Uint8Array }, []>("SELECT entries FROM search_numbers").get()?.entries;
  const left = new Uint16Array(entries?.slice().buffer ?? new ArrayBuffer(0));
  // The three messages to her are gone from it; one of Issa's with the same hash, and others, are not.
  expect(left).toHaveLength(6);
  db.close();
});

test("where the number still stands in the file is counted, and it is not taken out of texts to others", async () => {
  const { batch_id } = await client.submit({ body: "Awa: +22670123456", recipients: [{ msisdn: ISSA }] });
  await client.until(batch_id, ({ status }) => status === "SETTLED");
  expect(await erase()).toMatchObject({ erased: { messages: 0 }, left: 0, left_in_file: 1 });
  const [message] = await client.messages(batch_id);
  const traced = await whole.admin("message trace", {
    MESSAGE: String(message?.message_id),
    "show-text": "",
  });
  expect(traced.text).toBe("Awa: +22670123456");
});

test("whatever the moment that power fails, nothing comes to be known of her that was not, and erasing goes on", async () => {
  await keepEverything(whole, client);
  const { directory } = whole.settings.now().storage;
  const copies: string[] = [];
  const erasing = whole.admin("data erase", { MSISDN: AWA });
  let isDone = false;
  void erasing.then(() => {
    isDone = true;
  });
  while (!isDone) {
    const copy = mkdtempSync(join(tmpdir(), "bendre-cut-"));
    cpSync(directory, copy, { recursive: true, filter: (path) => !path.endsWith(".sock") });
    copies.push(copy);
    await whole.clock.advance(20);
  }
  await erasing;
  expect(copies.length).toBeGreaterThan(5);
  const context = contextOn();
  for (const copy of copies) {
    const store = openStore(copy, systemClock);
    const config = { ...whole.settings.now(), storage: { ...whole.settings.now().storage, directory: copy } };
    const asked = { msisdn: AWA, isCancelling: false, isWithNewKey: false, listRetainedCopies: () => [] };
    const outcome = await dataErase({ ...context, store, config }, asked);
    expect(outcome).toMatchObject({ ok: true, value: { left: 0, left_in_file: 0 } });
    const db = new Database(join(copy, "bendre.db"));
    expect(hers(everyValue(db))).toEqual([]);
    expect(db.query("SELECT count(*) FROM erased_suppressions").values()).toEqual([[1]]);
    db.close();
    await store.close();
    rmSync(copy, { recursive: true });
  }
}, 60_000);

/** What an operation works with, without a server. */
function contextOn() {
  const chance = seededChance(9);
  const config = whole.settings.now();
  return {
    config,
    clock: systemClock,
    chance,
    newId: idFactory(systemClock, chance),
    actor: "test",
    server: null,
    machine: systemPlatform,
  };
}

test("a suppression survives as a hash, is counted, and is taken away by the number", async () => {
  await keepEverything(whole, client);
  await erase();
  const ACCOUNT = { ACCOUNT: client.accountId };
  expect(await whole.admin("suppression list", ACCOUNT)).toMatchObject({ suppressions: [], erased: 1 });
  const marketing = { message_class: "MARKETING", recipients: [{ msisdn: AWA }] };
  expect((await client.submit(marketing)).rejections).toMatchObject([{ reason_code: "SUPPRESSED" }]);
  const taken = await whole.admin("suppression remove", {
    ...ACCOUNT,
    MSISDN: "70123456",
    class: "MARKETING",
  });
  expect(taken).toMatchObject({ message_classes: [] });
  expect(await whole.admin("suppression list", ACCOUNT)).toMatchObject({ erased: 0 });
  expect((await client.submit(marketing)).accepted).toBe(1);
});

test("while the key is missing that tells numbers erased before, no other takes its place unless it is asked for", async () => {
  await keepEverything(whole, client);
  await erase();
  await whole.stop();
  const { directory } = whole.settings.now().storage;
  rmSync(join(directory, "erased-numbers.key"));
  await whole.start();
  await expect(erase({ MSISDN: ISSA })).rejects.toThrow("ERASURE_KEY_MISSING");
  expect(readdirSync(directory)).not.toContain("erased-numbers.key");
  expect(await erase({ MSISDN: ISSA, "new-key": "" })).toMatchObject({ left: 0 });
  expect(readdirSync(directory)).toContain("erased-numbers.key");
});

test("what waits to leave for a number that was erased and suppressed does not leave", async () => {
  await keepEverything(whole, client);
  await erase();
  const waiting = await client.submit({
    message_class: "TRANSACTIONAL",
    scheduled_at: new Date(whole.clock.nowMs() + 3_600_000).toISOString(),
    recipients: [{ msisdn: AWA }],
  });
  const ALL = { ACCOUNT: client.accountId, MSISDN: AWA, class: "all" };
  await whole.admin("suppression add", ALL);
  const { left } = await erase({ cancel: "" });
  expect(left).toBe(0);
  expect(await client.batch(waiting.batch_id)).toMatchObject({ status: "CANCELLED" });
  expect((await client.submit({ recipients: [{ msisdn: AWA }] })).rejections).toMatchObject([
    { reason_code: "SUPPRESSED" },
  ]);
});

describe("while something is not final", () => {
  const inAnHour = () => new Date(whole.clock.nowMs() + 3_600_000).toISOString();

  test("nothing is erased, and the refusal lists it", async () => {
    const { batch_id } = await client.submit({ scheduled_at: inAnHour(), recipients: [{ msisdn: AWA }] });
    const [message] = await client.messages(batch_id);
    const { code, detail } = await whole.refusal("data erase", { MSISDN: AWA });
    expect(code).toBe("NOT_FINAL");
    expect(detail).toEqual(phrase("refusal.NOT_FINAL", { open: `${message?.message_id} QUEUED` }));
    expect((await client.messages(batch_id))[0]).toMatchObject({ msisdn: AWA, status: "QUEUED" });
  });

  test("--cancel cancels what waits and gives its money back, and the rest of its batch goes on", async () => {
    const alone = await client.submit({ scheduled_at: inAnHour(), recipients: [{ msisdn: AWA }] });
    const shared = await client.submit({
      scheduled_at: inAnHour(),
      recipients: [{ msisdn: AWA }, { msisdn: ISSA }],
    });
    const { spendable } = await client.balance();
    expect(await erase({ cancel: "" })).toMatchObject({ cancelled: 2, erased: { messages: 2 }, left: 0 });
    expect((await client.balance()).spendable).toBe(spendable + 30);
    expect(await client.batch(alone.batch_id)).toMatchObject({ status: "CANCELLED" });
    expect(await client.batch(shared.batch_id)).toMatchObject({ status: "SCHEDULED" });
    whole.clock.setBy(3_600_000);
    await whole.admin("clock accept");
    expect(await client.until(shared.batch_id, ({ status }) => status === "SETTLED")).toMatchObject({
      counts: { delivered: 1, cancelled: 1 },
    });
    expect(await whole.admin("ledger check")).toMatchObject({ accounts: 1 });
  });

  test("what has left is waited for, also with --cancel", async () => {
    await whole.smsc.stop();
    const { batch_id } = await client.submit({ recipients: [{ msisdn: AWA }] });
    const db = databaseOf(whole);
    db.run("UPDATE messages SET status = 'SUBMITTED'");
    db.close();
    const [message] = await client.messages(batch_id);
    const { code, detail } = await whole.refusal("data erase", { MSISDN: AWA, cancel: "" });
    expect([code, english(detail).includes(`${message?.message_id} SUBMITTED`)]).toEqual(["NOT_FINAL", true]);
  });
});

test("the audit list says who erased what, without the number", async () => {
  await keepEverything(whole, client);
  const { number } = await erase();
  const { entries } = (await whole.admin("audit list")) as { entries: object[] };
  const entry = { actor: "test", action: "data erase", subject: number };
  expect(entries.slice(0, 2)).toMatchObject([
    { ...entry, detail: { messages: 3, suppressions: 1 } },
    { ...entry, detail: { found: 15 } },
  ]);
  expect(JSON.stringify(entries)).not.toContain("70123456");
});

test("erasing again finds nothing, and what came since under the same number gets the same name", async () => {
  await keepEverything(whole, client);
  const { number } = await erase();
  const none = Object.fromEntries(Object.keys((await erase()).erased as object).map((name) => [name, 0]));
  expect((await erase()).erased).toEqual(none);
  const { batch_id } = await client.submit({ recipients: [{ msisdn: AWA }] });
  await client.until(batch_id, ({ status }) => status === "SETTLED");
  expect(await erase()).toMatchObject({ number, erased: { ...none, messages: 1 } });
});

test("broken off at any step and begun anew, it ends as if it had not been", async () => {
  await keepEverything(whole, client);
  const all = hers(valuesOf()).length;
  for (let steps = 1; hers(valuesOf()).length > 0; steps++) {
    const erasing = whole.admin("data erase", { MSISDN: AWA }).catch(() => null);
    for (let step = 0; step < steps; step++) await whole.clock.advance(20);
    await whole.stop();
    await erasing;
    await whole.start();
    const { entries } = (await whole.admin("audit list", { action: "data erase" })) as { entries: object[] };
    if (hers(valuesOf()).length < all) expect(entries.length).toBeGreaterThan(0);
    expect(steps).toBeLessThan(40);
  }
  expect(await erase()).toMatchObject({ erased: { messages: 0 }, left: 0 });
  expect((await client.submit({ message_class: "MARKETING", recipients: [{ msisdn: AWA }] })).rejected).toBe(
    1,
  );
  expect(await whole.admin("ledger check")).toMatchObject({ accounts: 1 });
});

test("it says which backups hold the number, and until when", async () => {
  await keepEverything(whole, client);
  const { directory } = whole.settings.now().storage;
  const file = join(directory, "mine.db");
  await whole.admin("backup create");
  await whole.admin("backup create", { FILE: file });
  const { held_by } = (await erase()) as {
    held_by: { file: string; made_at: string; until: string | null }[];
  };
  const week = new Date(whole.clock.nowMs() + 7 * 86_400_000).toISOString().slice(0, 10);
  expect(held_by.map(({ file: each, until }) => [each === file, until?.slice(0, 10) ?? null])).toEqual(
    expect.arrayContaining([
      [false, week],
      [true, null],
    ]),
  );
  expect(held_by).toHaveLength(2);
});
