import { describe, expect, test } from "vitest";
import type { DemoMessage } from "../../src/demo/api.ts";
import type { Sample } from "../../src/demo/scenario.ts";
import { type Evidence, findFaults } from "../../src/demo/verify.ts";
import { phrase } from "../../src/i18n/phrase.ts";
import type { HandsetText } from "../../src/simulator/handset.ts";

const samples: Sample[] = [
  { msisdn: "76102001", attributes: { prenom: "Awa", texte: "un." } },
  { msisdn: "70102002", attributes: { prenom: "Issouf", texte: "deux." } },
];

const first: DemoMessage = {
  message_id: "1",
  index: 0,
  msisdn: "+22676102001",
  operator: "orange",
  status: "DELIVERED",
  is_final: true,
  encoding: "GSM7",
  segments: 1,
  amount: 15,
  error: null,
};
const second: DemoMessage = {
  ...first,
  message_id: "2",
  index: 1,
  msisdn: "+22670102002",
  operator: "moov",
  amount: 14,
};

function text(to: string, words: string): HandsetText {
  return { from: "BENDRE", to, parts: 1, alphabet: "GSM7", text: words };
}
const texts = [text("22676102001", "Bonjour Awa, un."), text("22670102002", "Bonjour Issouf, deux.")];

const well: Evidence = {
  sent: { channel: "SMS", body: "Bonjour {prenom}, {texte}", recipients: samples },
  submission: {
    batch_id: "B",
    status: "QUEUED",
    accepted: 2,
    rejected: 0,
    reserved_amount: 29,
    total_segments: 2,
  },
  batch: { batch_id: "B", status: "SETTLED" },
  messages: [first, second],
  texts,
  before: { balance: 100, reserved: 0, spendable: 100 },
  after: { balance: 71, reserved: 0, spendable: 71 },
};

describe("the demonstration", () => {
  test("finds no fault when all was delivered and the money adds up", () => {
    expect(findFaults(well)).toEqual([]);
  });

  test.each<[string, Partial<Evidence>]>([
    ["a recipient was rejected", { submission: { ...well.submission, accepted: 1 } }],
    ["the batch is not settled", { batch: { batch_id: "B", status: "SENDING" } }],
    ["a handset shows nothing", { texts: texts.slice(1) }],
    ["a handset shows a text twice", { texts: [...texts, ...texts.slice(1)] }],
    ["a handset shows another text", { texts: [...texts.slice(1), text("22676102001", "Bonjour")] }],
    [
      "a message was delivered in more parts than billed",
      { texts: texts.map((one) => ({ ...one, parts: 2 })) },
    ],
    ["money is still reserved", { after: { balance: 71, reserved: 14, spendable: 57 } }],
    ["the wallet lost more than was charged", { after: { balance: 70, reserved: 0, spendable: 70 } }],
    ["more was reserved than charged", { submission: { ...well.submission, reserved_amount: 30 } }],
    [
      "a price is wrong",
      {
        messages: [
          { ...first, amount: 14 },
          { ...second, amount: 15 },
        ],
      },
    ],
  ])("finds a fault when %s", (_what, change) => {
    expect(findFaults({ ...well, ...change })).not.toEqual([]);
  });

  test("names the message that was not delivered, and why", () => {
    const lost = { ...second, status: "FAILED", error: { code: "UNKNOWN_SUBSCRIBER" } };
    expect(findFaults({ ...well, messages: [first, lost] })).toEqual([
      phrase("simulator.fault.status", { msisdn: "+22670102002", status: "FAILED (UNKNOWN_SUBSCRIBER)" }),
    ]);
    expect(findFaults({ ...well, messages: [first] })).toContainEqual(
      phrase("simulator.fault.feed", { found: 1, messages: 2 }),
    );
  });
});
