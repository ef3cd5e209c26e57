import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { referenceFault } from "../../../src/core/client-reference.ts";
import { decodeText, type ReadSubmit, readSubmit } from "../../../src/ingress/smpp/read-submit.ts";
import { isSmppRefusal } from "../../../src/ingress/smpp/refusals.ts";
import { decodePdu, encodePdu } from "../../../src/smpp/pdu.ts";
import {
  ESM_UDHI,
  type MessageTlvs,
  type ShortMessage,
  shortMessage,
} from "../../../src/smpp/short-message.ts";
import { encodeGsm } from "../../../src/text/gsm-alphabet.ts";
import { concatenationHeader } from "../../../src/text/udh.ts";
import type { Dice } from "../dice.ts";
import type { Target } from "../target.ts";

const NOW_MS = Date.UTC(2026, 2, 2, 9);
const USER = { messageClass: "TRANSACTIONAL", classesBy: "service_type" } as const;
const CODINGS = [0x00, 0x01, 0x03, 0x08, 0x19, 0xf1, 0x04, 0x10];
const MAX_TEXT_LENGTH = 4000;
const MAX_PART_OCTETS = 8000;

/** submit_sm of customers, each the octets of one PDU. */
export const submits: Target = {
  name: "submits",
  promise:
    "a customer's submit is refused with one reason or read as what it says, alike however it comes in parts",
  form: "hex",
  words: [
    "\0",
    "\u0005\0\u0003\u0001\u0002\u0001",
    "\u001be",
    "?",
    "OTP",
    "000000010000000R",
    "260302100000000+",
  ],
  longest: 20_000,
  isPumped: true,
  draw: (rolls) =>
    new Uint8Array(encodePdu({ command: "submit_sm", sequence: 1, status: 0, message: anySubmit(rolls) })),
  change: withLengthOf,
  open: () => ({ run, close: () => {} }),
};

/** Lengths are put right: what is changed is the submit, not the frame. */
function withLengthOf(input: Uint8Array, _other: Uint8Array, { below, pick }: Dice): Uint8Array | null {
  if (input.length < 17) return null;
  const changed = Buffer.from(input);
  changed[16 + below(input.length - 16)] = pick([0, 1, 2, 3, 5, 8, 0x1b, 0x3f, 0x40, 0xd8, 0xff, below(256)]);
  changed.writeUInt32BE(changed.length, 0);
  return new Uint8Array(changed);
}

function anySubmit(rolls: Dice): ShortMessage {
  const { below, pick, ascii, bytes } = rolls;
  // Also of parts that cannot be.
  const headers = [
    [5, 0, 3, below(256), below(4), below(4)],
    [6, 8, 4, 1, below(256), below(4), below(4)],
    [],
  ];
  const header = Uint8Array.from(pick(headers));
  const body = below(2) === 0 ? Buffer.from(ascii(120), "latin1") : Buffer.from(bytes(below(120)));
  const carried = Buffer.concat([header, body]);
  const isLong = below(8) === 0;
  const tlvs: MessageTlvs = {
    ...(isLong && { messagePayload: carried }),
    ...(below(6) === 0 && {
      sarMsgRefNum: below(65_536),
      sarTotalSegments: below(4),
      sarSegmentSeqnum: below(4),
    }),
    ...(below(6) === 0 && { clientReference: Buffer.from(ascii(70), "latin1") }),
    ...(below(4) === 0 && { userMessageReference: below(65_536) }),
  };
  const times = ["", "", "", "000000010000000R", "260302100000000+", "260302085700000+", ascii(17)];
  return shortMessage({
    serviceType: pick(["", "", "OTP", "TRX", "MKT", "X"]),
    sourceAddrTon: below(6),
    sourceAddr: pick(["ACME", "+22670000001", "22670000001", ascii(21)]),
    destAddrTon: below(3),
    destinationAddr: pick(["22670123456", "+22670123456", "70123456", ascii(21)]),
    esmClass: pick([0, header.length > 0 ? ESM_UDHI : 0, ESM_UDHI, 1, 2, 3, below(256)]),
    protocolId: pick([0, 0, 0, 0x40]),
    replaceIfPresentFlag: pick([0, 0, 0, 0, 1]),
    smDefaultMsgId: pick([0, 0, 0, 0, 1]),
    validityPeriod: pick(times),
    scheduleDeliveryTime: pick(times),
    registeredDelivery: below(32),
    dataCoding: below(8) === 0 ? below(256) : pick(CODINGS),
    shortMessage: isLong ? Buffer.alloc(0) : carried.subarray(0, 254),
    tlvs,
  });
}

function run(input: Uint8Array): string {
  const decoded = decodePdu(input);
  if (!decoded.ok) return "no PDU";
  const { pdu } = decoded;
  if (pdu.command !== "submit_sm" && pdu.command !== "data_sm") return "no submit";
  if (pdu.status !== 0) return "no request";
  const [first = ""] = (["gsm", "latin1", "ascii"] as const).map((alphabet) => {
    const reading = readSubmit(pdu.message, { ...USER, alphabet }, NOW_MS);
    deepStrictEqual(readSubmit(pdu.message, { ...USER, alphabet }, NOW_MS), reading, "is read alike twice");
    if (!reading.ok) {
      ok(isSmppRefusal(reading.reason));
      return reading.reason;
    }
    return outcomeOf(pdu.message, reading.submit, alphabet);
  });
  return first;
}

function outcomeOf(message: ShortMessage, submit: ReadSubmit, alphabet: "gsm" | "latin1" | "ascii"): string {
  const { place, octets, coding, text, scheduledAtMs, expiresByMs, clientReference } = submit;
  const carried = message.shortMessage.length > 0 ? message.shortMessage : message.tlvs.messagePayload;
  const whole = Buffer.from(carried ?? []);
  ok(whole.subarray(whole.length - octets.length).equals(octets), "the text is the end of what was carried");
  if (place === null) {
    ok(text !== null);
    isText(text, octets, coding);
    comesInParts(message, { octets, coding, text }, alphabet);
  } else {
    const { part, total, reference, kind } = place;
    ok(text === null && part >= 1 && part <= total && total >= 2 && total <= 255);
    ok(reference >= 0 && reference <= (kind === "UDH8" ? 0xff : 0xffff));
    ok(octets.length > 0 && octets.length <= MAX_PART_OCTETS);
  }
  ok(scheduledAtMs === null || scheduledAtMs > NOW_MS);
  ok(expiresByMs === null || expiresByMs > (scheduledAtMs ?? NOW_MS));
  ok(clientReference === null || referenceFault(clientReference) === null);
  ok(submit.receiver.endsWith(message.destinationAddr) && submit.source.address === message.sourceAddr);
  const times = `${scheduledAtMs === null ? "" : ", scheduled"}${expiresByMs === null ? "" : ", expires"}`;
  return `${place?.kind ?? "whole"} in ${coding}${times}`;
}

/** A text is what its octets say, and nothing was put in the place of what they do not. */
function isText(text: string, octets: Uint8Array, coding: ReadSubmit["coding"]): void {
  ok(text.isWellFormed() && text.trim() !== "" && [...text].length <= MAX_TEXT_LENGTH);
  const buffer = Buffer.from(octets);
  if (coding === "utf16") {
    const [first = 0, second = 0] = octets;
    const mark = first === 0xfe && second === 0xff ? 2 : 0;
    strictEqual(text, Buffer.from(buffer.subarray(mark)).swap16().toString("utf16le"));
    return;
  }
  const marks = (found: Iterable<unknown>): number => [...found].length;
  strictEqual(marks(text.matchAll(/\?/g)), octets.filter((octet) => octet === 0x3f).length);
  if (coding === "latin1") strictEqual(text, new TextDecoder("windows-1252").decode(octets));
  if (coding === "gsm" && !octets.includes(0x1b)) deepStrictEqual(Buffer.from(encodeGsm(text) ?? []), buffer);
}

/** The same text, cut anywhere, is the same once its parts are joined. */
function comesInParts(
  message: ShortMessage,
  { octets, coding, text }: Pick<ReadSubmit, "octets" | "coding"> & { readonly text: string },
  alphabet: "gsm" | "latin1" | "ascii",
): void {
  if (octets.length < 2 || octets.length > 240) return;
  const cut = 1 + (octets.length % (octets.length - 1));
  const pieces = [octets.subarray(0, cut), octets.subarray(cut)].map((piece, index) => {
    const header = concatenationHeader({ reference: 7, total: 2, part: index + 1 });
    const {
      sarMsgRefNum: _reference,
      sarTotalSegments: _total,
      sarSegmentSeqnum: _part,
      ...tlvs
    } = message.tlvs;
    const part = shortMessage({
      ...message,
      esmClass: ESM_UDHI,
      shortMessage: Buffer.concat([header, piece]),
      tlvs: { ...tlvs, messagePayload: new Uint8Array() },
    });
    const reading = readSubmit(part, { ...USER, alphabet }, NOW_MS);
    ok(reading.ok, reading.ok ? "" : reading.reason);
    deepStrictEqual(reading.submit.place, { kind: "UDH8", reference: 7, total: 2, part: index + 1 });
    return reading.submit.octets;
  });
  strictEqual(decodeText(Buffer.concat(pieces), coding), text);
}
