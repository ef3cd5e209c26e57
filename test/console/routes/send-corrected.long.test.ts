/** Corrected rows of a batch, over HTTP: who of them was served before, who failed before, and what is sent to whom. */

import { afterEach, beforeEach, expect, test } from "vitest";
import {
  SENDER_OPERATIONS,
  senderApprove,
  senderRegister,
  senderRequest,
} from "../../../src/admin/operations/senders.ts";
import { run } from "../../admin/operations/run-operation.ts";
import { BATCH, type Json, KEY, latin1, type SendFixture, sendFixture } from "./send-fixture.ts";

let sending: SendFixture;
let batch: string;

/** A batch of which one was delivered, one has no receipt, one is under way, two failed and one number is missing a digit. */
beforeEach(async () => {
  sending = await sendFixture();
  const { json } = await sending.bring(
    latin1(
      "nom;tel\r\nAwa;05110001\r\nAli;05110002\r\nEve;05110003\r\nIda;05110004\r\nLea;05110005\r\nBob;511000\r\n",
    ),
  );
  const wanted = { ...BATCH, body: "Bonjour {nom}", file: json.file_id, key: KEY };
  batch = String((await sending.ask("POST", `/send/${sending.account}`, wanted)).json.batch_id);
  await became("05110001", "DELIVERED");
  await became("05110002", "SENT");
  await became("05110004", "FAILED", "UNKNOWN_SUBSCRIBER");
  await became("05110005", "FAILED", "EXPIRED_AT_OPERATOR");
});
afterEach(() => sending.place.close());

/** A message of the batch ended, at this moment of the clock. */
async function became(number: string, status: string, error: string | null = null): Promise<void> {
  const { context, admin } = sending.place;
  await context.store.write((tx) =>
    tx.run(
      `UPDATE messages SET status = ?, is_final = 1, is_money_closed = 1, error_code = ?, finalized_at = ? WHERE msisdn = ?`,
      ...[status, error, admin.clock.nowMs(), `+226${number}`],
    ),
  );
}

async function brought(rows: readonly string[]): Promise<string> {
  const { json } = await sending.bring(latin1(`nom;tel\r\n${rows.join("\r\n")}\r\n`));
  return String(json.file_id);
}

const CORRECTED = () => ({ of: batch, sends_served: false, sends_failed: true });

async function quoted(rows: readonly string[], corrected: Json = CORRECTED(), sender = BATCH.sender) {
  const file = await brought(rows);
  const body = { ...BATCH, body: "Bonsoir {nom}", file, corrected, sender };
  const { status, json } = await sending.ask("POST", `/send/${sending.account}/quote`, body);
  expect([status, json.detail]).toEqual([200, undefined]);
  const left = await sending.ask("GET", `/send/${sending.account}/files/${file}/left-out.csv`);
  return { json, body, left: left.text.split("\r\n").slice(1, -1) };
}

test("a corrected row whose number the batch served is told with its line and number, and is left out", async () => {
  const { json, left } = await quoted(["Bob;05110001", "Tom;05110002", "Zoe;05110003", "Max;05110009"]);
  expect(json).toMatchObject({
    accepted: 1,
    rejected: 3,
    rejections_by_reason: { SERVED_BEFORE: 3 },
    earlier: {
      fresh: 1,
      left: 3,
      served: {
        rows: 3,
        first: [
          { line: 2, msisdn: "+22605110001", state: "DELIVERED" },
          { line: 3, msisdn: "+22605110002", state: "SENT" },
          { line: 4, msisdn: "+22605110003", state: "UNDER_WAY" },
        ],
      },
      failed: { rows: 0, causes: [] },
    },
  });
  expect(json.first).toMatchObject([{ msisdn: "+22605110009", text: "Bonsoir Max" }]);
  expect(left).toEqual([
    expect.stringMatching(/^2;DEJA_SERVI;.*-2;Bob;'05110001$/),
    expect.stringMatching(/^3;DEJA_SERVI;/),
    expect.stringMatching(/^4;DEJA_SERVI;/),
  ]);
});

test("they are sent where somebody chose it, and are told all the same", async () => {
  const { json } = await quoted(["Bob;05110001", "Max;05110009"], { ...CORRECTED(), sends_served: true });
  expect(json).toMatchObject({ accepted: 2, rejected: 0, earlier: { left: 0, served: { rows: 1 } } });
});

test("rows that failed before are told by cause, and sent to where another try may reach them or somebody chose it", async () => {
  const rows = ["Ida;05110004", "Lea;05110005", "Max;05110009"];
  const { json } = await quoted(rows);
  expect(json).toMatchObject({
    accepted: 2,
    rejected: 1,
    rejections_by_reason: { FAILED_BEFORE: 1 },
    earlier: {
      fresh: 1,
      left: 1,
      served: { rows: 0 },
      failed: {
        rows: 2,
        lasting: 1,
        causes: [
          { detail: "Le numéro n’est pas en service.", rows: 1, is_passing: false },
          { rows: 1, is_passing: true },
        ],
      },
    },
  });
  const without = await quoted(rows, { ...CORRECTED(), sends_failed: false });
  expect(without.json).toMatchObject({
    accepted: 1,
    rejected: 2,
    rejections_by_reason: { FAILED_BEFORE: 2 },
    earlier: { left: 2, failed: { rows: 2 } },
  });
  const all = await quoted(rows, { ...CORRECTED(), sends_lasting: true });
  expect(all.json).toMatchObject({ accepted: 3, rejected: 0, earlier: { left: 0, failed: { lasting: 1 } } });
});

test("a row that failed because its operator did not know the sender is sent again once it does", async () => {
  await became("05110004", "FAILED", "SENDER_NOT_REGISTERED");
  const { context } = sending.place;
  const rows = ["Ida;05110004", "Max;05110009"];
  expect((await quoted(rows)).json).toMatchObject({ accepted: 2, earlier: { failed: { lasting: 0 } } });
  await senderRegister(context, sending.account, "SHOP", "moov");
  await run(SENDER_OPERATIONS["sender unregister"], context, {
    account: sending.account,
    sender: "SHOP",
    operator: "orange",
  });
  expect((await quoted(rows)).json).toMatchObject({ accepted: 1, earlier: { failed: { lasting: 1 } } });
});

test("a row whose reason code somebody emptied is sent without asking again, and one that was added is not", async () => {
  const { body } = await quoted(["Bob;05110001", "Max;05110009"]);
  const { json: sent } = await sending.ask("POST", `/send/${sending.account}`, {
    ...body,
    key: "fedcba9876543210",
  });
  const { text } = await sending.ask("GET", `/batches/${sent.batch_id}/left-out.csv`);
  const emptied = `${text.replace(";DEJA_SERVI;", ";;")};;;;;'05110002;Tom;\r\n`;
  const { json: looked } = await sending.bring(Buffer.from(emptied));
  const wanted = { ...body, body: "Bonsoir {nom}", file: looked.file_id, corrected: CORRECTED() };
  const { json } = await sending.ask("POST", `/send/${sending.account}/quote`, wanted);
  expect(json).toMatchObject({
    accepted: 1,
    rejected: 1,
    first: [{ msisdn: "+22605110001" }],
    earlier: { unlocked: 1, fresh: 0, served: { rows: 1, first: [{ msisdn: "+22605110002" }] } },
  });
});

test("a row whose code was emptied is told like any other once a correction has sent it: its file may be brought again", async () => {
  const { body } = await quoted(["Bob;05110001", "Max;05110009"]);
  const order = (wanted: Json, key: string) =>
    sending.ask("POST", `/send/${sending.account}`, { ...wanted, key });
  const { json: second } = await order(body, "fedcba9876543210");
  const { text } = await sending.ask("GET", `/batches/${second.batch_id}/left-out.csv`);
  const emptied = Buffer.from(text.replace(";DEJA_SERVI;", ";;"));
  const wanted = async () => {
    const { json } = await sending.bring(emptied);
    const of = String(second.batch_id);
    return { ...body, body: "Bonne nuit {nom}", file: json.file_id, corrected: { ...CORRECTED(), of } };
  };
  const quote = async () =>
    (await sending.ask("POST", `/send/${sending.account}/quote`, await wanted())).json;
  expect(await quote()).toMatchObject({ accepted: 1, earlier: { unlocked: 1, served: { rows: 0 } } });
  sending.place.admin.clock.setBy(1000);
  expect((await order(await wanted(), "fedcba9876543211")).status).toBe(200);
  sending.place.admin.clock.setBy(1000);
  expect(await quote()).toMatchObject({
    accepted: 0,
    rejections_by_reason: { SERVED_BEFORE: 1 },
    earlier: { unlocked: 0, served: { rows: 1, first: [{ msisdn: "+22605110001" }] } },
  });
});

test("it is the sender that is written now that operators have to know, and they had to when it was quoted", async () => {
  await became("05110004", "FAILED", "SENDER_NOT_REGISTERED");
  const { context, admin } = sending.place;
  const { account } = sending;
  await senderRequest(context, account, "NEWSHOP");
  await senderApprove(context, account, "NEWSHOP");
  await senderRegister(context, account, "NEWSHOP", "moov");
  const rows = ["Ida;05110004", "Max;05110009"];
  const lasting = async (sender: string) => (await quoted(rows, CORRECTED(), sender)).json;
  expect(await lasting("SHOP")).toMatchObject({ accepted: 2, earlier: { failed: { lasting: 0 } } });
  const { json, body } = await quoted(rows, CORRECTED(), "NEWSHOP");
  expect(json).toMatchObject({ accepted: 1, earlier: { failed: { lasting: 1 } } });
  // Registered between the quote and the press: what is sent, and paid, is what was quoted.
  admin.clock.setBy(1000);
  await senderRegister(context, account, "NEWSHOP", "orange");
  const { as_of } = json.earlier as { as_of: number };
  const order = { ...body, corrected: { ...CORRECTED(), as_of }, key: "fedcba9876543210" };
  const { json: sent } = await sending.ask("POST", `/send/${account}`, order);
  expect((await sending.ask("GET", `/batches/${sent.batch_id}`)).json).toMatchObject({ accepted: 1 });
});

test("two corrected rows with one number are a double, and one of them is sent", async () => {
  const { json } = await quoted(["Max;05110009", "Bob;05 11 00 09"]);
  expect(json).toMatchObject({
    accepted: 1,
    rejected: 1,
    rejections_by_reason: { DUPLICATE_IN_BATCH: 1 },
    repeats: [{ line: 3, first: 2 }],
    earlier: { fresh: 2, left: 0 },
  });
});

test("where every row was served before, nothing is to be sent, and the choice is still there", async () => {
  const { json } = await quoted(["Bob;05110001"]);
  expect(json).toMatchObject({
    accepted: 0,
    rejected: 1,
    amount: 0,
    earlier: { left: 1, served: { rows: 1 } },
  });
});

test("what is sent is what was quoted, however messages of the first batch end meanwhile, and is sent once", async () => {
  const { json, body } = await quoted(["Zoe;05110003", "Max;05110009"]);
  const { as_of, batches } = json.earlier as { as_of: number; batches: readonly { batch_id: string }[] };
  const compared = { as_of, batches: batches.map(({ batch_id }) => batch_id) };
  sending.place.admin.clock.setBy(1000);
  await became("05110003", "FAILED", "UNKNOWN_SUBSCRIBER");
  const order = { ...body, corrected: { ...body.corrected, ...compared }, key: "fedcba9876543210" };
  const send = () => sending.ask("POST", `/send/${sending.account}`, order);
  const { json: sent } = await send();
  expect((await sending.ask("GET", `/batches/${sent.batch_id}`)).json).toMatchObject({ accepted: 1 });
  expect((await send()).json).toEqual({ batch_id: sent.batch_id, is_replayed: true });
});

test("who was left out stands with the new batch, and stays out when its file comes back", async () => {
  const { json, body } = await quoted(["Bob;05110001", "Lea;05110004", "Max;05110009"], {
    ...CORRECTED(),
    sends_failed: false,
  });
  expect(json).toMatchObject({ accepted: 1, rejected: 2 });
  const order = { ...body, key: "fedcba9876543210" };
  const { json: sent } = await sending.ask("POST", `/send/${sending.account}`, order);
  const missed = async () => (await sending.ask("GET", `/batches/${sent.batch_id}`)).json;
  expect(await missed()).toMatchObject({
    accepted: 1,
    unreadable: 0,
    sent_already: 2,
    repeated_rows: [
      { line: 2, cause: expect.stringContaining("a déjà reçu le texte par le lot d’avant") },
      { line: 3, cause: expect.stringContaining("a échoué pour son numéro") },
    ],
  });
  const file = await sending.ask("GET", `/batches/${sent.batch_id}/left-out.csv`);
  expect(file.text).toMatch(/;2;DEJA_SERVI;[^;]*;[^;]*-2;'05110001;Bob;/);
  const { json: again } = await sending.bring(Buffer.from(`${file.text};;;;;'05110008;Eva;\r\n`));
  expect(again).toMatchObject({ recipients: 3, bad: 0, of_batch: sent.batch_id });
  // Nobody need say that it is a correction: by its ids it is known as one.
  const wanted = { ...body, file: again.file_id, corrected: undefined };
  const { json: quote } = await sending.ask("POST", `/send/${sending.account}/quote`, wanted);
  expect(quote).toMatchObject({
    accepted: 1,
    rejected: 2,
    rejections_by_reason: { SERVED_BEFORE: 1, FAILED_BEFORE: 1 },
    first: [{ msisdn: "+22605110008" }],
  });
});

test("a batch of another account is as unknown as one that does not exist", async () => {
  const other = await sending.place.admin.account();
  const stranger = await sending.entered("eve@example.bf", "ACCOUNT_SENDER", other);
  const { json } = await sending.ask("POST", `/send/${other}/files`, latin1("tel\r\n05110009\r\n"), stranger);
  const body = { ...BATCH, body: "Bonsoir", file: json.file_id };
  const quoteOf = async (of: string) => {
    const corrected = { ...CORRECTED(), of };
    return sending.ask("POST", `/send/${other}/quote`, { ...body, corrected }, stranger);
  };
  const quote = await quoteOf(batch);
  const unknown = await quoteOf("01KJPWE3XGPVAR0EWXVB43ZH0H");
  expect([quote.status, quote.json.detail]).toEqual([404, unknown.json.detail]);
});
