/** Whoever sent a batch from the console reads its texts without a reason, over HTTP; everybody else as their role says. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { USER_OPERATIONS } from "../../../src/admin/operations/users.ts";
import { BATCH, type Json, KEY, latin1, type SendFixture, sendFixture } from "./send-fixture.ts";

let sending: SendFixture;
let cookies: Readonly<Record<string, string>>;
beforeEach(async () => {
  sending = await sendFixture();
  cookies = {
    owner: await sending.entered("owner@example.bf", "OWNER", null),
    second: await sending.entered("second@example.bf", "OWNER", null),
    support: await sending.entered("support@example.bf", "SUPPORT", null),
    finance: await sending.entered("finance@example.bf", "FINANCE", null),
    sender: sending.cookie,
    reader: await sending.entered("reader@example.bf", "ACCOUNT_READER"),
  };
});
afterEach(() => sending.place.close());

const as = (who: string) => cookies[who] ?? "";

/** Sends a batch to one number; the ids of it and of its message. */
async function sentBy(
  who: string,
  number = "05112233",
): Promise<{ readonly batch: string; readonly message: string }> {
  const { account, ask, bring, place } = sending;
  const { json } = await bring(latin1(`Prénom;tel\r\nAwa;${number}\r\n`), as(who));
  const wanted = { ...BATCH, file: json.file_id, key: `${KEY}${who}` };
  const sent = await ask("POST", `/send/${account}`, wanted, as(who));
  expect([sent.status, sent.json.code]).toEqual([200, undefined]);
  const sql =
    "SELECT m.ulid FROM messages m JOIN batches b ON b.id = m.batch_id WHERE b.ulid = ? ORDER BY m.id LIMIT 1";
  const message = place.context.store.read.get<{ ulid: string }>(sql, String(sent.json.batch_id));
  return { batch: String(sent.json.batch_id), message: message?.ulid ?? "" };
}

const textsRead = () =>
  sending.place.audits().filter(({ action }) => action === "batch text" || action === "message text");

/** What somebody gets of the texts of a batch without a reason: the texts, or the codes of refusals. */
async function readsFreely(who: string, { batch, message }: Awaited<ReturnType<typeof sentBy>>) {
  const { ask } = sending;
  const told = ({ json }: { readonly json: Json }) => json.text ?? json.code;
  const page = await ask("GET", `/batches/${batch}`, undefined, as(who));
  return {
    batch: told(await ask("POST", `/batches/${batch}/text`, {}, as(who))),
    message: told(await ask("POST", `/messages/${message}/text`, {}, as(who))),
    said: page.json.is_text_free,
  };
}

const FREE = { batch: "Bonjour {Prénom}", message: "Bonjour Awa", said: true };
const FOR_A_REASON = { batch: "INVALID_REASON", message: "INVALID_REASON", said: false };

describe("the texts of a batch", () => {
  test("are read without a reason by staff who sent it, and by its account; for a reason by other staff", async () => {
    const sent = await sentBy("owner");
    expect(await readsFreely("owner", sent)).toEqual(FREE);
    expect(await readsFreely("second", sent)).toEqual(FOR_A_REASON);
    expect(await readsFreely("support", sent)).toEqual(FOR_A_REASON);
    expect(await readsFreely("sender", sent)).toEqual(FREE);
    expect(await readsFreely("reader", sent)).toEqual(FREE);
    expect(textsRead()).toEqual([]);
    const { ask } = sending;
    const body = { reason: "ticket 4711" };
    const read = await ask("POST", `/messages/${sent.message}/text`, body, as("support"));
    expect([read.status, read.json.text]).toEqual([200, "Bonjour Awa"]);
    expect(textsRead()).toMatchObject([
      { action: "message text", detail: expect.stringContaining("ticket 4711") },
    ]);
  });

  test("stay closed to a role that reads no texts", async () => {
    const sent = await sentBy("owner");
    const answer = await sending.ask("POST", `/batches/${sent.batch}/text`, {}, as("finance"));
    expect(answer.status).toBe(403);
  });

  test("of a batch that the account sent are for a reason, also to staff who sent another", async () => {
    await sentBy("owner");
    const sent = await sentBy("sender", "05112244");
    expect(await readsFreely("sender", sent)).toEqual(FREE);
    expect(await readsFreely("owner", sent)).toEqual(FOR_A_REASON);
  });

  test("come with the rows that were left out, for whoever sent them", async () => {
    const { account, ask, bring } = sending;
    const { json } = await bring(latin1("Prénom;tel\r\nAwa;05112255\r\nAli;0511\r\n"), as("owner"));
    const wanted = { ...BATCH, file: json.file_id, key: `${KEY}rows` };
    const sent = await ask("POST", `/send/${account}`, wanted, as("owner"));
    const rowsOf = async (who: string) =>
      (await ask("GET", `/batches/${String(sent.json.batch_id)}/rows`, undefined, as(who))).json;
    expect(await rowsOf("owner")).toMatchObject({
      reads_values: true,
      rows: [{ values: { Prénom: "Ali" } }],
    });
    expect(await rowsOf("second")).toMatchObject({ reads_values: false, rows: [{ values: null }] });
  });

  test("the life of a message says whether its text is open", async () => {
    const { message } = await sentBy("owner");
    const isFree = async (who: string) =>
      (await sending.ask("GET", `/messages/${message}`, undefined, as(who))).json.is_text_free;
    expect([await isFree("owner"), await isFree("support"), await isFree("reader")]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test("are nobody's any more once who sent it was deleted, whoever comes next", async () => {
    const sent = await sentBy("second");
    await USER_OPERATIONS["user delete"].run(sending.place.context, { login: "second@example.bf" });
    cookies = { ...cookies, next: await sending.entered("next@example.bf", "OWNER", null) };
    expect(await readsFreely("next", sent)).toEqual(FOR_A_REASON);
  });
});
