import { describe, expect, test } from "vitest";
import { readReceipt } from "../../src/channels/sms/read-deliver-sm.ts";
import { receiptMessage } from "../../src/simulator/message-life.ts";
import type { ReceiptStat } from "../../src/simulator/message-states.ts";
import { PLAIN, type Quirks } from "../../src/simulator/quirks.ts";
import { shortMessage } from "../../src/smpp/short-message.ts";

const about = shortMessage({ sourceAddr: "MAVOIX", sourceAddrTon: 5, destinationAddr: "22670123456" });

function receipt(quirks: Partial<Quirks>, stat: ReceiptStat = "DELIVRD") {
  const submittedAtMs = Date.UTC(2026, 2, 2, 9, 5, 7);
  const facts = {
    about,
    id: "17",
    stat,
    submittedAtMs,
    doneAtMs: submittedAtMs + 60_000,
    text: "id:9 stat:FAILED",
  };
  return receiptMessage(facts, { ...PLAIN, ...quirks });
}

const FORMS: readonly (readonly [name: string, quirks: Partial<Quirks>])[] = [
  ["in full", {}],
  ["text only", { noTlvs: true }],
  ["parameters only", { noReceiptText: true }],
  ["in message_payload", { payloadReceipts: true }],
  ["in message_payload without parameters", { payloadReceipts: true, noTlvs: true }],
  ["for data_sm", { dataSmReceipts: true, noTlvs: true }],
  ["unmarked", { unmarkedReceipts: true }],
  ["unmarked, text only", { unmarkedReceipts: true, noTlvs: true }],
  ["with seconds", { receiptSeconds: true, noTlvs: true }],
];

describe("a receipt", () => {
  test.each(FORMS)("%s says the same", (_name, quirks) => {
    expect(readReceipt(receipt(quirks))).toMatchObject({ id: "17", state: "DELIVERED" });
    expect(readReceipt(receipt(quirks, "EXPIRED"))).toMatchObject({ id: "17", state: "EXPIRED" });
  });

  test("is in short_message or in message_payload, never in both", () => {
    expect(receipt({}).tlvs.messagePayload).toBeUndefined();
    expect(receipt({ payloadReceipts: true }).shortMessage.length).toBe(0);
    expect(receipt({ payloadReceipts: true, noReceiptText: true }).tlvs.messagePayload).toBeUndefined();
  });

  test("has dates of 10 digits, or of 12", () => {
    const text = (quirks: Partial<Quirks>) => Buffer.from(receipt(quirks).shortMessage).toString();
    expect(text({})).toContain("submit date:2603020905 done date:2603020906 ");
    expect(text({ receiptSeconds: true })).toContain("submit date:260302090507 done date:260302090607 ");
  });

  test("that the message is on its way ends nothing", () => {
    expect(receipt({}, "ENROUTE").esmClass).toBe(0x20);
    expect(readReceipt(receipt({}, "ENROUTE"))).toMatchObject({ id: "17", state: "PENDING" });
    expect(readReceipt(receipt({ unmarkedReceipts: true }, "ENROUTE"))).toMatchObject({ state: "PENDING" });
  });
});
