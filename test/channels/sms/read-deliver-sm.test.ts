import { describe, expect, test } from "vitest";
import { readReceipt } from "../../../src/channels/sms/read-deliver-sm.ts";
import { type MessageTlvs, shortMessage, toStoredMessageId } from "../../../src/smpp/short-message.ts";
import { encodeUcs2 } from "../../../src/text/ucs2.ts";

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

/** A deliver_sm with this text; esm_class 0x04 unless told otherwise. */
function deliver(text: string, esmClass = 0x04, tlvs: MessageTlvs = {}) {
  return shortMessage({ esmClass, shortMessage: latin1(text), tlvs });
}

const classic =
  "id:0123456789 sub:001 dlvrd:001 submit date:2603020900 done date:2603020901 stat:DELIVRD err:000 Text:Bonjour";

describe("readReceipt", () => {
  // Keeps: behaviour 6.23
  test("reads the example of SMPP 3.4 appendix B", () => {
    expect(readReceipt(deliver(classic))).toEqual({
      id: "0123456789",
      state: "DELIVERED",
      rawStat: "DELIVRD",
      errorCode: "000",
      isMarked: true,
      text: "Bonjour",
    });
  });

  for (const [text, expected] of [
    ["ID:AB-c_d+e STAT:undeliv ERR:21b", { id: "AB-c_d+e", state: "UNDELIVERABLE", errorCode: "21b" }],
    ["err:0027 stat:REJECTED id:9", { id: "9", state: "REJECTED", errorCode: "0027" }],
    ["stat:REJECTD id:6f1b8a52-c3d9-4e0f-a1b2-c3d4e5f60718", { state: "REJECTED", errorCode: null }],
    ["id: 77 done date:20260302090100 stat: EXPIRED", { id: "77", state: "EXPIRED" }],
    ["id:1 stat:DELETED", { state: "DELETED" }],
    ["id:1 stat:FAILED", { state: "FAILED" }],
    ["id:1 stat:SKIPPED", { state: "SKIPPED" }],
    ["id:1 stat:DELIVERED", { state: "DELIVERED" }],
    ["id:1 stat:ACCEPTD", { state: "PENDING", rawStat: "ACCEPTD" }],
    ["id:1 stat:ENROUTE", { state: "PENDING" }],
    ["id:1 stat:BUFFRED", { state: "PENDING" }],
    ["id:1 stat:UNKNOWN", { state: "PENDING" }],
    ["id:1 stat:PURPLE", { state: "PENDING", rawStat: "PURPLE" }],
    ["mid:5 substat:FAILED id:1 stat:DELIVRD", { id: "1", state: "DELIVERED" }],
    [`id:${"x".repeat(64)} stat:DELIVRD`, { id: "x".repeat(64) }],
    [`id:${"x".repeat(255)} stat:DELIVRD`, { id: "x".repeat(255) }],
    [`id:${"x".repeat(256)} stat:DELIVRD`, { id: toStoredMessageId("x".repeat(256)) }],
    ["id:ab/cd=9@x~1 stat:DELIVRD", { id: "ab/cd=9@x~1" }],
    ["id:0123456789sub:001 dlvrd:001 stat:DELIVRD", { id: "0123456789", state: "DELIVERED" }],
    ["id:77,sub:001,stat:DELIVRD,err:001", { id: "77", state: "DELIVERED", errorCode: "001" }],
    ["id:77 stat:DELIVRD\0", { id: "77", state: "DELIVERED" }],
    ["stat:DELIVRD id:77\0", { id: "77", state: "DELIVERED" }],
    ["id:{6f1b8a52-c3d9} stat:DELIVRD", { id: "{6f1b8a52-c3d9}" }],
    ["nothing to read", { id: null, state: "PENDING", rawStat: null, errorCode: null }],
    ["", { id: null, state: "PENDING" }],
  ] as const) {
    test(`"${text.slice(0, 50)}" is read as ${JSON.stringify(expected).slice(0, 70)}`, () => {
      expect(readReceipt(deliver(text))).toMatchObject(expected);
    });
  }

  // Keeps: behaviour 6.20
  test("the customer's words never forge a receipt", () => {
    for (const label of ["Text:", "text: ", "TEXT :", "err:000text:"]) {
      const forged = `id:5 ${label}id:6 stat:DELIVRD err:001`;
      expect(readReceipt(deliver(forged))).toMatchObject({ id: "5", state: "PENDING", rawStat: null });
      expect(readReceipt(deliver(forged, 0))).toBe(null);
    }
  });

  // Keeps: behaviour 6.23
  test("the text's shape alone makes a receipt, with esm_class 0", () => {
    expect(readReceipt(deliver(classic, 0))).toMatchObject({ id: "0123456789", state: "DELIVERED" });
  });

  test("a subscriber's message is no receipt", () => {
    expect(readReceipt(deliver("STOP", 0))).toBe(null);
    expect(readReceipt(deliver("my id: 5, what is the status?", 0))).toBe(null);
    expect(readReceipt(shortMessage({}))).toBe(null);
  });

  // Keeps: behaviour 6.23
  test("optional parameters alone make a receipt", () => {
    const tlvs = { receiptedMessageId: "B8BE19", messageState: 5, networkErrorCode: Uint8Array.of(3, 1, 0) };
    expect(readReceipt(shortMessage({ tlvs }))).toEqual({
      id: "B8BE19",
      state: "UNDELIVERABLE",
      rawStat: "5",
      errorCode: "256",
      isMarked: true,
      text: null,
    });
  });

  test("passes over an optional id of blanks, for the text's", () => {
    const receiptedMessageId = "  ";
    expect(readReceipt(deliver(classic, 0x04, { receiptedMessageId }))?.id).toBe("0123456789");
    expect(readReceipt(deliver("", 0x04, { receiptedMessageId }))).toMatchObject({
      id: null,
      isMarked: true,
    });
  });

  // Keeps: behaviour 6.75
  test("reads an id without measure as what is kept of it, wherever it stands", () => {
    const long = "B8BE19/".repeat(250);
    const inText = shortMessage({ esmClass: 4, tlvs: { messagePayload: latin1(`id:${long} stat:DELIVRD`) } });
    expect(readReceipt(inText)?.id).toBe(toStoredMessageId(long));
    expect(readReceipt(deliver("", 0x04, { receiptedMessageId: long }))?.id).toBe(toStoredMessageId(long));
  });

  // Keeps: behaviour 6.19
  test("optional parameters win over a text that contradicts them", () => {
    const receipt = readReceipt(deliver(classic, 0x04, { receiptedMessageId: "99", messageState: 3 }));
    expect(receipt).toMatchObject({ id: "99", state: "EXPIRED", rawStat: "DELIVRD" });
  });

  for (const [messageState, state] of [
    [0, "PENDING"],
    [1, "PENDING"],
    [2, "DELIVERED"],
    [3, "EXPIRED"],
    [4, "DELETED"],
    [5, "UNDELIVERABLE"],
    [6, "PENDING"],
    [7, "PENDING"],
    [8, "REJECTED"],
    [9, "SKIPPED"],
    [200, "PENDING"],
  ] as const) {
    test(`message_state ${messageState} means ${state}`, () => {
      expect(readReceipt(shortMessage({ tlvs: { messageState } }))?.state).toBe(state);
    });
  }

  // Keeps: behaviour 6.22
  test("an intermediate notification ends nothing, whatever it says", () => {
    expect(readReceipt(deliver(classic, 0x20, { messageState: 2 }))).toMatchObject({
      id: "0123456789",
      state: "PENDING",
    });
  });

  test("a receipt is read from message_payload, behind a user data header, and in UCS-2", () => {
    const inPayload = shortMessage({ tlvs: { messagePayload: latin1(classic) } });
    const behindUdh = shortMessage({
      esmClass: 0x44,
      shortMessage: Uint8Array.of(5, 0, 3, 1, 1, 1, ...latin1(classic)),
    });
    const inUcs2 = shortMessage({
      esmClass: 0x04,
      dataCoding: 8,
      shortMessage: new Uint8Array(Buffer.from(classic, "utf16le").swap16()),
    });
    for (const message of [inPayload, behindUdh, inUcs2]) {
      expect(readReceipt(message)).toMatchObject({ id: "0123456789", state: "DELIVERED", errorCode: "000" });
    }
  });

  test("a receipt typed by a subscriber is told from one that its esm_class or parameters mark", () => {
    expect(readReceipt(deliver(classic, 0))?.isMarked).toBe(false);
    expect(readReceipt(deliver(classic))?.isMarked).toBe(true);
    expect(readReceipt(deliver(classic, 0, { messageState: 2 }))?.isMarked).toBe(true);
  });

  test("the low line of an id is read where the GSM alphabet has it, and stays itself elsewhere", () => {
    const inGsm = { esmClass: 4, shortMessage: latin1("id:a\x11b stat:DELIVRD") };
    expect(readReceipt(shortMessage({ ...inGsm }))?.id).toBe("a_b");
    expect(readReceipt(deliver("id:a_b stat:DELIVRD"))?.id).toBe("a_b");
  });

  for (const [dataCoding, name] of [
    [0x00, "the default alphabet"],
    [0x01, "ASCII"],
    [0x03, "Latin-1"],
    [0x04, "8-bit"],
    [0x08, "UCS-2, left over from its message"],
    [0xf0, "a message class"],
  ] as const) {
    test(`plain octets are read under the data_coding of ${name}`, () => {
      const message = shortMessage({ esmClass: 4, dataCoding, shortMessage: latin1(classic) });
      expect(readReceipt(message)).toMatchObject({ id: "0123456789", state: "DELIVERED" });
    });
  }

  test("octets in pairs are read under a data_coding that does not say so", () => {
    const shortMessageOctets = new Uint8Array(Buffer.from(classic, "utf16le").swap16());
    expect(readReceipt(shortMessage({ esmClass: 4, shortMessage: shortMessageOctets }))).toMatchObject({
      id: "0123456789",
      state: "DELIVERED",
    });
  });

  const swapped = (octets: Uint8Array): Uint8Array => new Uint8Array(Buffer.from(octets).swap16());
  test.each([
    ["UCS-2 of class 1", encodeUcs2(classic), 0x19],
    ["UCS-2 of class 2", encodeUcs2(classic), 0x1a],
    ["UCS-2 behind its mark under data_coding 0", Uint8Array.of(0xfe, 0xff, ...encodeUcs2(classic)), 0],
    [
      "UCS-2, the low octet first, behind its mark",
      Uint8Array.of(0xff, 0xfe, ...swapped(encodeUcs2(classic))),
      8,
    ],
    ["UCS-2, the low octet first, without a mark", swapped(encodeUcs2(classic)), 0],
    ["plain octets called UCS-2 of class 1", latin1(classic), 0x19],
  ])("a receipt is read in %s", (_, shortMessage_, dataCoding) => {
    const message = shortMessage({ esmClass: 4, dataCoding, shortMessage: shortMessage_ });
    expect(readReceipt(message)).toEqual(
      readReceipt(shortMessage({ esmClass: 4, shortMessage: latin1(classic) })),
    );
  });

  test("no other reading is tried behind Text:, where octets of the customer's choice would be seen", () => {
    const words = Buffer.from("id:6 stat:DELIVRD ", "latin1");
    const text = Buffer.concat([Buffer.from("Text:", "utf16le").swap16(), words]);
    const message = shortMessage({ esmClass: 4, dataCoding: 8, shortMessage: new Uint8Array(text) });
    expect(readReceipt(message)).toMatchObject({ id: null, rawStat: null });
  });

  test("a blank short_message does not hide the receipt in message_payload", () => {
    const tlvs = { messagePayload: latin1(classic) };
    expect(readReceipt(shortMessage({ shortMessage: latin1(" "), tlvs }))).toMatchObject({
      id: "0123456789",
      state: "DELIVERED",
    });
  });

  test("of a text far longer than a receipt only the beginning is read", () => {
    const filler = "x ".repeat(2000);
    const message = (text: string) => shortMessage({ esmClass: 4, tlvs: { messagePayload: latin1(text) } });
    expect(readReceipt(message(`${classic}${filler}`))?.id).toBe("0123456789");
    expect(readReceipt(message(`${filler}${classic}`))?.id).toBe(null);
  });
});
