import { describe, expect, test } from "vitest";
import { readSubmit } from "../../../src/ingress/smpp/read-submit.ts";
import type { SmppRefusal } from "../../../src/ingress/smpp/refusals.ts";
import { type MessageTlvs, type ShortMessage, shortMessage } from "../../../src/smpp/short-message.ts";
import { encodeGsm } from "../../../src/text/gsm-alphabet.ts";
import { encodeUcs2 } from "../../../src/text/ucs2.ts";
import { concatenationHeader } from "../../../src/text/udh.ts";

const NOW_MS = Date.parse("2026-03-02T12:00:00Z");
const USER = { alphabet: "gsm", messageClass: "TRANSACTIONAL", classesBy: null } as const;
type Settings = Parameters<typeof readSubmit>[1];

const octets = (...values: number[]) => Uint8Array.from(values);
const ascii = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const gsm = (text: string) => encodeGsm(text) ?? octets();

function sent(fields: Partial<ShortMessage> = {}, tlvs: MessageTlvs = {}): ShortMessage {
  const number = { destAddrTon: 1, destAddrNpi: 1, destinationAddr: "22670123456" };
  return shortMessage({ sourceAddr: "ACME", ...number, shortMessage: ascii("Bonjour"), ...fields, tlvs });
}

const read = (message: ShortMessage, settings: Settings = USER) => readSubmit(message, settings, NOW_MS);

function submitOf(message: ShortMessage, settings: Settings = USER) {
  const reading = read(message, settings);
  if (!reading.ok) throw new Error(reading.reason);
  return reading.submit;
}

function refusalOf(message: ShortMessage, settings: Settings = USER): SmppRefusal | null {
  const reading = read(message, settings);
  return reading.ok ? null : reading.reason;
}

const coded = (dataCoding: number, text: Uint8Array) => sent({ dataCoding, shortMessage: text });
const textOf = (dataCoding: number, text: Uint8Array, settings: Settings = USER) =>
  submitOf(coded(dataCoding, text), settings).text;

describe("data_coding", () => {
  test("0, 0xF1 and 0x11 are the user's alphabet", () => {
    for (const dataCoding of [0x00, 0xf1, 0x11]) {
      expect(textOf(dataCoding, gsm("é{€@"))).toBe("é{€@");
      expect(textOf(dataCoding, octets(0xe9, 0x40), { ...USER, alphabet: "latin1" })).toBe("é@");
      expect(textOf(dataCoding, ascii("a@b"), { ...USER, alphabet: "ascii" })).toBe("a@b");
    }
  });

  test("1 is ASCII, but GSM where a control other than LF and CR is in it", () => {
    expect(textOf(1, ascii("a@b_c$\r\n"))).toBe("a@b_c$\r\n");
    expect(textOf(1, gsm("a@é"))).toBe("a@é");
    expect(textOf(1, gsm("à"))).toBe("à");
    expect(refusalOf(coded(1, octets(0x61, 0xe9)))).toBe("UNDECODABLE_TEXT");
  });

  test("3 is Latin-1, whose controls are read as windows-1252", () => {
    expect(textOf(3, octets(0xe9, 0x80, 0x92, 0x9c))).toBe("é€’œ");
    for (const nothing of [0x81, 0x8d, 0x8f, 0x90, 0x9d])
      expect(refusalOf(coded(3, octets(0x61, nothing)))).toBe("UNDECODABLE_TEXT");
  });

  test("8 and 0x19 are UTF-16, high octet first, with or without its mark", () => {
    for (const dataCoding of [0x08, 0x19]) {
      expect(textOf(dataCoding, encodeUcs2("é😀"))).toBe("é😀");
      expect(textOf(dataCoding, encodeUcs2("\ufeffé"))).toBe("é");
    }
  });

  test("of all others is refused: flash, binary, other alphabets", () => {
    const taken = [0x00, 0x01, 0x03, 0x08, 0x11, 0x19, 0xf1];
    for (let dataCoding = 0; dataCoding < 256; dataCoding++)
      if (!taken.includes(dataCoding))
        expect([dataCoding, refusalOf(coded(dataCoding, ascii("ab")))]).toEqual([
          dataCoding,
          "UNSUPPORTED_CODING",
        ]);
  });

  test("with octets that are no text is refused, never read as `?`", () => {
    expect(refusalOf(coded(0, octets(0x41, 0x80)))).toBe("UNDECODABLE_TEXT");
    expect(refusalOf(coded(0, octets(0x41, 0x1b)))).toBe("UNDECODABLE_TEXT");
    expect(refusalOf(coded(0, octets(0x41, 0x1b, 0xd8)))).toBe("UNDECODABLE_TEXT");
    expect(refusalOf(coded(8, octets(0x00, 0x41, 0x00)))).toBe("UNDECODABLE_TEXT");
    expect(refusalOf(coded(8, octets(0xd8, 0x3d, 0x00, 0x41)))).toBe("UNDECODABLE_TEXT");
    expect(refusalOf(coded(8, octets(0xff, 0xfe, 0x41, 0x00)))).toBe("UNDECODABLE_TEXT");
  });
});

describe("a text", () => {
  test("is carried by short_message or by message_payload, not by both and not by none", () => {
    expect(submitOf(sent({ shortMessage: octets() }, { messagePayload: ascii("x") })).text).toBe("x");
    expect(refusalOf(sent({}, { messagePayload: ascii("x") }))).toBe("TEXT_TWICE");
    expect(refusalOf(sent({ shortMessage: octets() }))).toBe("TEXT_EMPTY");
    expect(refusalOf(sent({ shortMessage: ascii(" \n ") }))).toBe("TEXT_EMPTY");
  });

  test("has at most 4,000 characters, counted as such", () => {
    const payload = (text: string) =>
      sent({ dataCoding: 8, shortMessage: octets() }, { messagePayload: encodeUcs2(text) });
    expect(refusalOf(payload("😀".repeat(4_000)))).toBeNull();
    expect(refusalOf(payload("a".repeat(4_001)))).toBe("TEXT_TOO_LONG");
    expect(refusalOf(payload("😀".repeat(4_001)))).toBe("TEXT_TOO_LONG");
  });

  test("is refused for being blank before anything else is looked at", () => {
    expect(refusalOf(sent({ shortMessage: ascii("  "), esmClass: 2, protocolId: 0x40 }))).toBe("TEXT_EMPTY");
  });
});

describe("a part", () => {
  const udh = (header: Uint8Array, text = "Bon") =>
    sent({ esmClass: 0x40, shortMessage: Buffer.concat([header, ascii(text)]) });

  test("is known by either header, and its place is kept with the kind of its reference", () => {
    const short = submitOf(udh(concatenationHeader({ reference: 7, total: 3, part: 2 })));
    expect(short).toMatchObject({
      place: { kind: "UDH8", reference: 7, total: 3, part: 2 },
      text: null,
      octets: ascii("Bon"),
    });
    const long = submitOf(udh(octets(6, 8, 4, 1, 2, 3, 1)));
    expect(long.place).toEqual({ kind: "UDH16", reference: 0x0102, total: 3, part: 1 });
  });

  test("is known by SAR", () => {
    const sar = { sarMsgRefNum: 300, sarTotalSegments: 2, sarSegmentSeqnum: 1 };
    expect(submitOf(sent({}, sar)).place).toEqual({ kind: "SAR", reference: 300, total: 2, part: 1 });
    for (const wrong of [{ sarSegmentSeqnum: 0 }, { sarSegmentSeqnum: 3 }, { sarTotalSegments: 0 }])
      expect(refusalOf(sent({}, { ...sar, ...wrong }))).toBe("UNSUPPORTED_UDH");
    expect(refusalOf(sent({}, { sarTotalSegments: 2, sarSegmentSeqnum: 1 }))).toBe("UNSUPPORTED_UDH");
  });

  test("of a total of 1 is a whole text", () => {
    expect(submitOf(udh(concatenationHeader({ reference: 7, total: 1, part: 1 })))).toMatchObject({
      place: null,
      text: "Bon",
    });
    const sar = { sarMsgRefNum: 300, sarTotalSegments: 1, sarSegmentSeqnum: 1 };
    expect(submitOf(sent({}, sar))).toMatchObject({ place: null, text: "Bonjour" });
  });

  test("with another header, a wrong place or a header that is too long is refused", () => {
    const wrong = [
      octets(6, 5, 4, 0x15, 0x81, 0, 0),
      octets(5, 0, 3, 7, 3, 0),
      octets(5, 0, 3, 7, 3, 4),
      octets(5, 0, 3, 7, 0, 0),
      octets(7, 0, 3, 7, 3, 1, 5, 4),
      octets(200, 0, 3, 7, 3, 1),
    ];
    for (const header of wrong) expect(refusalOf(udh(header))).toBe("UNSUPPORTED_UDH");
  });

  test("is no longer than 8,000 octets, and may end within a character", () => {
    const header = concatenationHeader({ reference: 7, total: 2, part: 1 });
    const carried = (text: Uint8Array) =>
      sent(
        { esmClass: 0x40, dataCoding: 8, shortMessage: octets() },
        { messagePayload: Buffer.concat([header, text]) },
      );
    expect(refusalOf(carried(new Uint8Array(7_999).fill(65)))).toBeNull();
    expect(refusalOf(carried(new Uint8Array(8_001).fill(65)))).toBe("TEXT_TOO_LONG");
  });
});

describe("what is asked beside the text", () => {
  test("modes 0, 1 and 3 are store and forward; transaction mode and types of messages are refused", () => {
    for (const esmClass of [0, 1, 3, 0x80]) expect(refusalOf(sent({ esmClass }))).toBeNull();
    for (const esmClass of [2, 0x04, 0x08, 0x10, 0x20])
      expect(refusalOf(sent({ esmClass }))).toBe("UNSUPPORTED_MODE");
  });

  test("a protocol_id from 0x40, replace_if_present and a stored text are refused", () => {
    expect(refusalOf(sent({ protocolId: 0x3f }))).toBeNull();
    expect(refusalOf(sent({ protocolId: 0x40 }))).toBe("UNSUPPORTED_PROTOCOL");
    expect(refusalOf(sent({ replaceIfPresentFlag: 1 }))).toBe("REPLACE_UNSUPPORTED");
    expect(refusalOf(sent({ smDefaultMsgId: 3 }))).toBe("DEFAULT_MESSAGE_UNSUPPORTED");
  });

  test("a schedule up to five minutes past is now, and a relative one counts from the submit", () => {
    const at = (scheduleDeliveryTime: string) => submitOf(sent({ scheduleDeliveryTime })).scheduledAtMs;
    expect(at("")).toBeNull();
    expect(at("260302115501000+")).toBeNull();
    expect(at("000000000100000R")).toBe(NOW_MS + 60_000);
    expect(at("260302140000004+")).toBe(NOW_MS + 3_600_000);
    expect(submitOf(sent({ scheduleDeliveryTime: "260302115459000+" })).late).toBe("SCHEDULE_INVALID");
    expect(refusalOf(sent({ scheduleDeliveryTime: "tomorrow" }))).toBe("SCHEDULE_INVALID");
  });

  test("a validity that is over by the time of the schedule is refused", () => {
    const until = (fields: Partial<ShortMessage>) => submitOf(sent(fields)).expiresByMs;
    expect(until({ validityPeriod: "000000000100000R" })).toBe(NOW_MS + 60_000);
    expect(submitOf(sent({ validityPeriod: "260302115900000+" })).late).toBe("VALIDITY_INVALID");
    const later = { scheduleDeliveryTime: "000000000200000R", validityPeriod: "000000000100000R" };
    expect(submitOf(sent(later)).late).toBe("VALIDITY_INVALID");
    expect(submitOf(sent({ scheduleDeliveryTime: "000000000200000R" })).late).toBeNull();
  });

  test("a time that is over is told before what is looked at after it", () => {
    const over = { scheduleDeliveryTime: "260302115459000+" };
    expect(refusalOf(sent({ ...over, validityPeriod: "soon" }))).toBe("SCHEDULE_INVALID");
    const byType: Settings = { ...USER, classesBy: "service_type" };
    expect(refusalOf(sent({ ...over, serviceType: "CMT" }), byType)).toBe("SCHEDULE_INVALID");
    const late = { validityPeriod: "260302115900000+" };
    expect(refusalOf(sent({ ...late, serviceType: "CMT" }), byType)).toBe("VALIDITY_INVALID");
    expect(refusalOf(sent({ validityPeriod: "soon" }))).toBe("VALIDITY_INVALID");
  });

  test("service_type says the class only where the user has it so", () => {
    const by = { ...USER, classesBy: "service_type" } as const;
    expect(submitOf(sent({ serviceType: "CMT" })).messageClass).toBe("TRANSACTIONAL");
    const classes = ["", "OTP", "TRX", "MKT"].map(
      (serviceType) => submitOf(sent({ serviceType }), by).messageClass,
    );
    expect(classes).toEqual(["TRANSACTIONAL", "OTP", "TRANSACTIONAL", "MARKETING"]);
    expect(refusalOf(sent({ serviceType: "otp" }), by)).toBe("SERVICE_TYPE_INVALID");
  });

  test("a reference of the client's is text as the API takes it", () => {
    const named = (clientReference: Uint8Array) => sent({}, { clientReference });
    expect(submitOf(named(ascii("order-1042"))).clientReference).toBe("order-1042");
    expect(submitOf(named(ascii("order-1042\0"))).clientReference).toBe("order-1042");
    for (const wrong of [ascii(""), ascii("  "), octets(0xff, 0xfe), ascii("x".repeat(65))])
      expect(refusalOf(named(wrong))).toBe("CLIENT_REFERENCE_INVALID");
  });

  test("numbers said to be international have their sign, and senders are looked for with and without", () => {
    expect(submitOf(sent()).receiver).toBe("+22670123456");
    expect(submitOf(sent({ destinationAddr: "+22670123456" })).receiver).toBe("+22670123456");
    expect(submitOf(sent({ destAddrTon: 0, destinationAddr: "70123456" })).receiver).toBe("70123456");
    expect(submitOf(sent()).senders).toEqual(["ACME"]);
    const number = { sourceAddrTon: 1, sourceAddr: "22625300000" };
    expect(submitOf(sent(number)).senders).toEqual(["22625300000", "+22625300000"]);
    expect(submitOf(sent({ sourceAddr: "" })).senders).toEqual([]);
  });
});
