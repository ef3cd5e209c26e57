import { afterEach, beforeEach, expect, test } from "vitest";
import { type Client, type Stage, stage } from "../../scenarios/stage.ts";
import { AWA, ISSA, keepEverything } from "../operations/about-number-fixture.ts";

let whole: Stage;
let client: Client;
beforeEach(async () => {
  whole = await stage();
  client = await whole.client();
});
afterEach(() => whole.close());

test("everything that is kept about a number is in one document, and nothing about anybody else", async () => {
  const { own, campaign, rejected } = await keepEverything(whole, client);
  const told = await whole.admin("data export", { MSISDN: "70 12 34 56" });
  const { messages } = told as { messages: { batch_id: string; text: string; events: object[] }[] };
  expect(messages.map(({ text }) => text)).toEqual([
    "Bonjour Ramatou Sawadogo",
    "Ramatou, 4711",
    "Bonjour Ramatou Sawadogo, code 4711",
  ]);
  expect(messages.map(({ batch_id }) => batch_id)).toContain(own.batch_id);
  expect(messages[0]?.batch_id).toBe(campaign.batch_id);
  expect(messages[0]?.events.length).toBeGreaterThan(3);
  expect(told).toMatchObject({
    msisdn: AWA,
    messages_in_all: 3,
    rejections: [{ batch_id: rejected.batch_id, index: 0, reason_code: "SUPPRESSED" }],
    unreadable_rows: [
      { line: 2, written: "70 12 34 56 - 1", attributes: { name: "Ramatou" } },
      { line: 3, written: "123456", attributes: null },
    ],
    suppressions: [{ account_id: client.accountId, message_class: "MARKETING", source: "ADMIN" }],
    inbound_texts: [{ text: "STOP Ramatou Sawadogo" }, { octets: Buffer.from("4711").toString("hex") }],
    inbound_segments: [{ part: 1, parts: 2 }],
    receipts: [{ id: "F00", text: "text:Ramatou Sawadogo" }, { id: "F01" }],
    operator_tests: [{ operator: "orange", sender: "ACME", receipt_at: null }],
    // Answers name nobody: their lists of who was rejected are those above.
    remembered_answers: [],
    waiting_events: [{ event_id: "evt_1" }],
    audit_entries: [{ action: "suppression add", subject: client.accountId }],
    validating: [],
  });
  expect(JSON.stringify(told)).not.toMatch(/70888001|Issa|Merci/);
  expect(await whole.admin("data export", { MSISDN: ISSA })).toMatchObject({
    messages_in_all: 1,
    suppressions: [{ account_id: null }],
    receipts: [{ id: "F02" }],
  });
});

test("a number of which nothing is known has empty lists, and what is no number is refused", async () => {
  const told = await whole.admin("data export", { MSISDN: "70 00 00 01" });
  expect(Object.values(told).flat()).toEqual(["+22670000001", expect.any(String), 0]);
  expect((await whole.refusal("data export", { MSISDN: "awa" })).code).toBe("INVALID_MSISDN");
});
