import { afterEach, beforeEach, expect, test } from "vitest";
import { type Client, type Stage, stage } from "../scenarios/stage.ts";

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
