import { describe, expect, test } from "vitest";
import { buildSubmits, type OutgoingMessage, relativeTime } from "../../../src/channels/sms/submit-sm.ts";
import type { ConnectionConfig } from "../../../src/config/config.ts";
import { isEncodable } from "../../../src/smpp/pdu.ts";
import { messageOctets, type ShortMessage } from "../../../src/smpp/short-message.ts";
import { decodeGsm } from "../../../src/text/gsm-alphabet.ts";
import { MAX_SEGMENTS, normalizeText } from "../../../src/text/segments.ts";
import { decodeUcs2 } from "../../../src/text/ucs2.ts";
import { parseUserData } from "../../../src/text/udh.ts";
import { configOf, connection, document, operator } from "../../config/sample.ts";
import vectors from "../../kit/segment-vectors.json";
import { seededChance } from "../../kit/test-chance.ts";
import { vectorText } from "../../kit/vector-text.ts";

function connectionOf(changes: Record<string, unknown> = {}): ConnectionConfig {
  const config = configOf(
    document({ operators: { orange: operator({ connections: [connection(changes)] }) } }),
  );
  return config.operators.orange!.connections[0]!;
}

function submits(
  text: string,
  changes: Record<string, unknown> = {},
  outgoing: Partial<OutgoingMessage> = {},
  accepted: readonly number[] = [],
) {
  return buildSubmits(
    {
      sender: "ACME",
      msisdn: "+22670000001",
      messageClass: "OTP",
      text,
      validityMs: 600_000,
      wantsReceipt: true,
      reference: 0x34,
      ...outgoing,
    },
    connectionOf(changes),
    new Set(accepted),
  );
}

function first(...args: Parameters<typeof submits>) {
  return submits(...args)[0]!.message;
}

describe("a short message", () => {
  test("is one submit_sm without a header, in the default alphabet", () => {
    const [only, ...others] = submits("Ça va @ 5 €");
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      parts: [1],
      message: { esmClass: 0, dataCoding: 0, registeredDelivery: 1 },
    });
    expect(decodeGsm(only!.message.shortMessage)).toBe("Ça va @ 5 €");
  });

  test("goes in UCS-2 where the alphabet lacks a character", () => {
    const { dataCoding, shortMessage } = first("Votre reçu 😀");
    expect(dataCoding).toBe(8);
    expect(decodeUcs2(shortMessage)).toBe("Votre reçu 😀");
  });

  // Keeps: behaviour 6.25
  test("asks for no receipt where the operator sends none", () => {
    expect(first("a", {}, { wantsReceipt: false }).registeredDelivery).toBe(0);
  });

  test("has the addresses, priority and service type that the connection says", () => {
    const changes = {
      service_type: "VMA",
      priority: { OTP: 3, TRANSACTIONAL: 1, MARKETING: 0 },
      source_alphanumeric: { ton: 5, npi: 9 },
      source_short_code: { ton: 6, npi: 8 },
      source_number: { ton: 2, npi: 3 },
      destination: { ton: 1, npi: 6 },
    };
    expect(first("a", changes)).toMatchObject({
      serviceType: "VMA",
      priorityFlag: 3,
      sourceAddrTon: 5,
      sourceAddrNpi: 9,
      sourceAddr: "ACME",
      destAddrTon: 1,
      destAddrNpi: 6,
      destinationAddr: "22670000001",
    });
    expect(first("a", changes, { sender: "4242", messageClass: "TRANSACTIONAL" })).toMatchObject({
      priorityFlag: 1,
      sourceAddrTon: 6,
      sourceAddrNpi: 8,
      sourceAddr: "4242",
    });
    expect(first("a", changes, { sender: "+22670999999" })).toMatchObject({
      sourceAddrTon: 2,
      sourceAddrNpi: 3,
      sourceAddr: "22670999999",
    });
  });
});

describe("validity_period", () => {
  test("is what is left of the message's own", () => {
    expect(first("a").validityPeriod).toBe("000000001000000R");
  });

  test("is the connection's longest when that is shorter, and empty where it is not wanted", () => {
    const longest = { validity_minutes: { OTP: 5, TRANSACTIONAL: 0, MARKETING: 0 } };
    expect(first("a", longest).validityPeriod).toBe("000000000500000R");
    expect(first("a", longest, { validityMs: 60_000 }).validityPeriod).toBe("000000000100000R");
    expect(first("a", { send_validity: false }).validityPeriod).toBe("");
  });

  test("is a relative time, rounded up to a second, of at least one and at most 62 days", () => {
    expect(relativeTime(-5)).toBe("000000000001000R");
    expect(relativeTime(1001)).toBe("000000000002000R");
    expect(relativeTime(2 * 86_400_000 + 3 * 3_600_000 + 4 * 60_000 + 5000)).toBe("000002030405000R");
    expect(relativeTime(Number.MAX_SAFE_INTEGER)).toBe("000062000000000R");
  });
});

describe("a long message", () => {
  const text = `${"a".repeat(152)}€${"b".repeat(152)}`;

  // Keeps: behaviour 6.25
  test("with a header in each part joins to the text, no escape pair split", () => {
    const parts = submits(text);
    expect(parts.map(({ parts: numbers }) => numbers)).toEqual([[1], [2], [3]]);
    const read = parts.map(({ message }) => parseUserData(message.shortMessage));
    expect(read.map(({ concatenation }) => concatenation)).toEqual([
      { reference: 0x34, total: 3, part: 1 },
      { reference: 0x34, total: 3, part: 2 },
      { reference: 0x34, total: 3, part: 3 },
    ]);
    expect(read.map(({ body }) => decodeGsm(body)).join("")).toBe(text);
    expect(parts.every(({ message }) => message.esmClass === 0x40)).toBe(true);
    expect(parts.every(({ message }) => message.registeredDelivery === 1)).toBe(true);
    expect(Math.max(...parts.map(({ message }) => message.shortMessage.length))).toBeLessThanOrEqual(159);
  });

  test("is the same every time it is made, so that a part tried again joins the others", () => {
    expect(submits(text)).toEqual(submits(text));
  });

  test("with SAR parameters has no header", () => {
    const parts = submits(text, { long_messages: "sar" });
    expect(parts.map(({ message }) => [message.esmClass, message.tlvs])).toEqual([
      [0, { sarMsgRefNum: 0x34, sarTotalSegments: 3, sarSegmentSeqnum: 1 }],
      [0, { sarMsgRefNum: 0x34, sarTotalSegments: 3, sarSegmentSeqnum: 2 }],
      [0, { sarMsgRefNum: 0x34, sarTotalSegments: 3, sarSegmentSeqnum: 3 }],
    ]);
    expect(parts.map(({ message }) => decodeGsm(message.shortMessage)).join("")).toBe(text);
  });

  test("in message_payload is one submit_sm for all its parts", () => {
    const [whole, ...others] = submits(text, { long_messages: "payload" });
    expect(others).toEqual([]);
    expect(whole!.parts).toEqual([1, 2, 3]);
    expect(whole!.message.shortMessage).toHaveLength(0);
    expect(decodeGsm(whole!.message.tlvs.messagePayload!)).toBe(text);
  });

  test.each(["udh", "sar", "payload"])(
    "has no part that was accepted before, also where the connection takes %s",
    (form) => {
      const parts = submits(text, { long_messages: form }, {}, [2]);
      expect(parts.map(({ parts: carried }) => carried)).toEqual([[1], [3]]);
      const [one] = submits(text, { long_messages: "udh" });
      expect(form === "sar" || parts[0]!.message.shortMessage).toEqual(
        form === "sar" || one!.message.shortMessage,
      );
    },
  );

  test("of which a part was accepted in another alphabet goes on with the others' text alone", () => {
    const euros = "€".repeat(152);
    const [rest, ...others] = submits(euros, { default_alphabet: "latin1" }, {}, [1]);
    expect([rest!.parts, others]).toEqual([[2], []]);
    expect(decodeUcs2(messageOctets(rest!.message))).toBe("€".repeat(76));
  });

  test("of which a part in the middle was accepted goes on as the pieces before and behind it, each whole", () => {
    const text = `${"a".repeat(153)}${"b".repeat(153)}${"c".repeat(153)}${"€".repeat(76)}`;
    const rest = submits(text, { default_alphabet: "latin1" }, {}, [2]);
    expect(rest.map(({ parts }) => parts)).toEqual([[1], [3, 4]]);
    const texts = rest.map(({ message }) => decodeUcs2(messageOctets(message)));
    expect(texts).toEqual(["a".repeat(153), `${"c".repeat(153)}${"€".repeat(76)}`]);
  });

  test("in UCS-2 has at most 134 octets a part beside the header, no surrogate pair split", () => {
    const emoji = "😀".repeat(67);
    const parts = submits(emoji);
    expect(parts).toHaveLength(3);
    const bodies = parts.map(({ message }) => parseUserData(message.shortMessage).body);
    expect(Math.max(...bodies.map((body) => body.length))).toBeLessThanOrEqual(134);
    expect(bodies.map(decodeUcs2).join("")).toBe(emoji);
  });
});

describe("an SMSC with a narrower default alphabet", () => {
  test("gets one octet a character where all of the text fits", () => {
    const { dataCoding, shortMessage } = first("é{}", { default_alphabet: "latin1" });
    expect([dataCoding, [...shortMessage]]).toEqual([0, [0xe9, 0x7b, 0x7d]]);
  });

  test("gets UCS-2 throughout where it does not", () => {
    const parts = submits(`${"a".repeat(50)}€`, { default_alphabet: "latin1" });
    expect(parts).toHaveLength(1);
    expect(parts[0]!.message.dataCoding).toBe(8);
    expect(decodeUcs2(parts[0]!.message.shortMessage)).toBe(`${"a".repeat(50)}€`);
  });

  test.each([
    ["75 characters, one part by count", `${"a".repeat(74)}€`, 1],
    ["150 characters, one part by count", `${"a".repeat(149)}€`, 1],
    ["76 euros a part, two parts by count", "€".repeat(152), 2],
  ])("gets %s whole in message_payload, since no single SMS holds them in UCS-2", (_, text, segments) => {
    const [whole, ...others] = submits(text, { default_alphabet: "latin1" });
    expect(others).toEqual([]);
    expect(whole!.parts).toHaveLength(segments);
    expect(whole!.message.shortMessage).toHaveLength(0);
    expect(decodeUcs2(messageOctets(whole!.message))).toBe(text);
  });
});

describe("what was counted is what leaves", () => {
  /** Longer texts are refused before they are a message. */
  const texts = [
    ...vectors.lengths
      .filter(({ segments }) => segments <= MAX_SEGMENTS)
      .map(({ name, segments }) => [name, vectorText(name), segments] as const),
    ...vectors.french.map(({ text, segments }) => [text, normalizeText(text), segments] as const),
  ];
  const read = (message: ShortMessage, alphabet: "gsm" | "latin1" | "ascii") => {
    const octets = messageOctets(message);
    const body = message.esmClass & 0x40 ? parseUserData(octets).body : octets;
    if (message.dataCoding === 8) return decodeUcs2(body);
    return alphabet === "gsm" ? decodeGsm(body) : Buffer.from(body).toString("latin1");
  };

  for (const long_messages of ["udh", "sar"] as const) {
    test.each(texts)(`${long_messages}: %s`, (_, text, segments) => {
      const parts = submits(text, { long_messages });
      expect(parts.map((part) => part.parts)).toEqual(
        Array.from({ length: segments }, (__, index) => [index + 1]),
      );
      expect(parts.map(({ message }) => read(message, "gsm")).join("")).toBe(text);
      // Room of one SMS: 160 septets or 140 octets, the header's 6 octets among them.
      for (const { message } of parts) {
        const room = message.dataCoding === 8 ? 140 : 160;
        const header = segments > 1 ? (message.dataCoding === 8 ? 6 : 7) : 0;
        const udh = message.esmClass & 0x40 ? 6 : 0;
        expect(message.shortMessage.length - udh).toBeLessThanOrEqual(room - header);
      }
    });
  }

  for (const default_alphabet of ["latin1", "ascii"] as const) {
    test.each(texts)(`${default_alphabet}, re-encoded and never garbled: %s`, (_, text, segments) => {
      const parts = submits(text, { default_alphabet });
      expect(parts.flatMap((part) => part.parts)).toEqual(
        Array.from({ length: segments }, (__, index) => index + 1),
      );
      expect(parts.map(({ message }) => read(message, default_alphabet)).join("")).toBe(text);
      for (const { message } of parts) expect(message.shortMessage.length).toBeLessThanOrEqual(160);
    });
  }
});

describe("what the schema and the senders' rule let through", () => {
  const chance = seededChance(20_261_122);
  const some = <T>(of: readonly T[]): T => of[Math.floor(chance.fraction() * of.length)]!;
  const CHARACTERS = [
    "a",
    "Z",
    "7",
    " ",
    "€",
    "{",
    "@",
    "_",
    "é",
    "ç",
    "Ω",
    "😀",
    "\ud83d",
    "\u0000",
    "\n",
    "ش",
  ];
  const SENDERS = ["ACME", "A.B&C'D_E-F", "Bon jour", "12345", "12345678", "+22670000001", "226700000012345"];

  test("can be written in the protocol, whatever the text, the sender and the connection", () => {
    for (let each = 0; each < 400; each++) {
      const length = some([1, 20, 69, 71, 139, 160, 161, 306, 1000]);
      const mix = CHARACTERS.slice(0, some([4, 8, CHARACTERS.length]));
      const text = Array.from({ length }, () => some(mix)).join("");
      const changes = {
        default_alphabet: some(["gsm", "latin1", "ascii"]),
        long_messages: some(["udh", "sar", "payload"]),
        service_type: some(["", "CMT", "~ !az"]),
      };
      const messageClass = some(["OTP", "TRANSACTIONAL", "MARKETING"] as const);
      const made = submits(text, changes, {
        sender: some(SENDERS),
        messageClass,
        validityMs: some([-5, 1, 4e9]),
      });
      expect(made.length).toBeGreaterThan(0);
      expect(made.every(({ message }) => isEncodable(message))).toBe(true);
    }
  });
});
