import { Database } from "bun:sqlite";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Client, type Stage, stage } from "../../scenarios/stage.ts";

const DAY_MS = 86_400_000;

let whole: Stage;
let client: Client;
beforeEach(async () => {
  whole = await stage();
  client = await whole.client();
});
afterEach(() => whole.close());

const purgeNow = async (args: Readonly<Record<string, string>> = {}) => {
  let isDone = false;
  const told = whole.admin("storage purge", args).finally(() => {
    isDone = true;
  });
  while (!isDone) await whole.clock.advance(20);
  return told;
};

test("what is due is counted without a change, purged at once, and not again", async () => {
  const recipients = Array.from({ length: 300 }, (_, index) => ({ msisdn: String(70_100_000 + index) }));
  const { batch_id } = await client.submit({ recipients });
  await client.until(batch_id, ({ status }) => status === "SETTLED");
  whole.clock.setBy(31 * DAY_MS);
  await whole.admin("clock accept");
  expect(await purgeNow({ "dry-run": "" })).toEqual({ dry_run: true, texts: 300, messages: 0 });
  expect(await purgeNow()).toMatchObject({ dry_run: false, texts: 1, messages: 0 });
  expect(await purgeNow()).toMatchObject({ dry_run: false, texts: 0, messages: 0 });
  expect(await purgeNow({ "dry-run": "" })).toEqual({ dry_run: true, texts: 0, messages: 0 });
  whole.clock.setBy(370 * DAY_MS);
  await whole.admin("clock accept");
  expect(await purgeNow({ "dry-run": "" })).toEqual({ dry_run: true, texts: 0, messages: 300 });
  expect(await purgeNow()).toMatchObject({ messages: 300, audit_entries: 0 });
  expect(await whole.admin("ledger check")).toMatchObject({ messages: 300 });
  const { entries } = (await whole.admin("audit list")) as { entries: readonly object[] };
  expect(entries[0]).toMatchObject({ action: "storage purge", detail: { messages: 300 } });
});

test("a message that is not final stays however old it is, and its text with it", async () => {
  await whole.smsc.stop();
  const { batch_id } = await client.submit({
    message_class: "TRANSACTIONAL",
    body: "Bonjour {name}",
    recipients: [{ msisdn: "70100000", attributes: { name: "Awa" } }],
  });
  const [message] = await client.messages(batch_id);
  whole.clock.setBy(31 * DAY_MS);
  expect(await purgeNow()).toMatchObject({ texts: 0, messages: 0 });
  const traced = await whole.admin("message trace", {
    MESSAGE: String(message?.message_id),
    "show-text": "",
  });
  expect(traced).toMatchObject({ text: "Bonjour Awa" });
});

test("what searches know of messages goes with the messages, and no sooner", async () => {
  const context = { from: 70_100_000 };
  const send = async () => {
    const recipients = Array.from({ length: 10 }, () => ({ msisdn: String(context.from++) }));
    const { batch_id } = await client.submit({ recipients });
    await client.until(batch_id, ({ status }) => status === "SETTLED");
  };
  await send();
  await whole.stop();
  const db = new Database(join(whole.settings.now().storage.directory, "bendre.db"));
  const blocks = () => db.query("SELECT block FROM search_blocks ORDER BY 1").values().flat();
  const runs = () => db.query("SELECT run FROM search_runs").values().flat();
  // As it stands when the appliance has got on by a hundred thousand messages.
  db.run(
    "INSERT OR REPLACE INTO search_blocks (block, messages, is_stale, facets) VALUES (0, 10, 0, x''), (32, 5, 0, x'')",
  );
  db.run("INSERT OR REPLACE INTO search_runs (run, messages) VALUES (0, 10), (1, 5)");
  db.run("INSERT OR REPLACE INTO search_numbers (bucket, run, entries) VALUES (7, 0, x'00'), (7, 1, x'00')");
  db.run("UPDATE batches SET first_message_id = first_message_id + 100000");
  db.run("UPDATE messages SET id = id + 100000");
  await whole.start();
  expect(await purgeNow()).toMatchObject({ messages: 0 });
  expect([blocks().filter((block) => Number(block) < 64), runs()]).toEqual([[], []]);
  expect(db.query("SELECT count(*) FROM search_numbers WHERE run < 2").values()).toEqual([[0]]);
  db.close();
  expect(await whole.admin("ledger check")).toMatchObject({ messages: 10 });
});

test("rows that no one could read go with what was rejected, and what they would have been sent goes with texts", async () => {
  const { batch_id } = await client.submit({ recipients: [{ msisdn: "70100000" }] });
  await client.until(batch_id, ({ status }) => status === "SETTLED");
  const db = new Database(join(whole.settings.now().storage.directory, "bendre.db"));
  db.run(
    `INSERT INTO import_rows (batch_id, line, status, code, params, written, cells, of_batch, of_line)
     SELECT id, value, 'UNREADABLE', 'NOT_A_NUMBER', '{"written":"7"}', '7', '{"name":"Awa"}', 0, 2 FROM batches,
       (WITH RECURSIVE lines (value) AS (SELECT 2 UNION ALL SELECT value + 1 FROM lines WHERE value < 601) SELECT value FROM lines)`,
  );
  db.run("UPDATE batches SET unreadable = 600");
  // Where its recipients stood in their file.
  db.run("INSERT INTO imports (batch_id, runs) SELECT id, '[[0,2]]' FROM batches");
  const lines = () => db.query("SELECT count(*) FROM imports").values();
  const kept = (condition: string) =>
    db.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM import_rows WHERE ${condition}`).get()?.rows;
  await purgeNow();
  expect(kept("cells IS NOT NULL")).toBe(600);
  whole.clock.setBy(31 * DAY_MS);
  await whole.admin("clock accept");
  await purgeNow();
  expect([kept("cells IS NOT NULL"), kept("written = '7'")]).toEqual([0, 600]);
  expect(lines()).toEqual([[1]]);
  whole.clock.setBy(370 * DAY_MS);
  await whole.admin("clock accept");
  expect(await purgeNow()).toMatchObject({ messages: 1, rejections: 600 });
  expect(kept("true")).toBe(0);
  expect(lines()).toEqual([[0]]);
  expect(db.query("SELECT unreadable FROM batches").values()).toEqual([[600]]);
  db.close();
});
