/**
 * Reads a customer's submit_sm or data_sm as what is to be sent, or why it is refused: data_coding, user data header, SAR,
 * message_payload, esm_class, times and the rest, without looking at the database. Pure.
 */
import { referenceFault } from "../../core/client-reference.ts";
import { isLongerThan } from "../../core/refusals.ts";
import type { MessageClass } from "../../domain/accounts/message-class.ts";
import { ESM_UDHI, type ShortMessage } from "../../smpp/short-message.ts";
import { readSmppTime } from "../../smpp/times.ts";
import { type DefaultAlphabet, decodeGsm, ESCAPE } from "../../text/gsm-alphabet.ts";
import { readConcatenation } from "../../text/udh.ts";
import type { SmppRefusal } from "./refusals.ts";

/** What of a user decides how a submit is read. */
type ReaderSettings = {
  /** What data_coding 0 means. */
  readonly alphabet: DefaultAlphabet;
  readonly messageClass: MessageClass;
  readonly classesBy: "service_type" | null;
};

/** Where a part stands in its text, and how its reference was written: parts with references of two kinds never belong together. */
export type PartPlace = {
  readonly kind: "UDH8" | "UDH16" | "SAR";
  readonly reference: number;
  readonly total: number;
  readonly part: number;
};

/** An address as the client wrote it: its receipts carry it like that. */
export type WrittenAddress = { readonly ton: number; readonly npi: number; readonly address: string };

/** A submit that can be sent, as far as can be told without the database. */
export type ReadSubmit = {
  /** Null: a whole text. */
  readonly place: PartPlace | null;
  /** The text's octets, without a user data header; of a part they may end within a character. */
  readonly octets: Uint8Array;
  readonly coding: TextCoding;
  /** Of a whole text; null: a part's is read once all are here. */
  readonly text: string | null;
  readonly source: WrittenAddress;
  readonly destination: WrittenAddress;
  /** As it is looked for among the senders; the second where the first is none of them. Empty: the user's default. */
  readonly senders: readonly string[];
  /** As a recipient of a batch is written. */
  readonly receiver: string;
  readonly messageClass: MessageClass;
  /** Null: at once. */
  readonly scheduledAtMs: number | null;
  /** As the client wrote it: a repetition is known by it. */
  readonly askedTime: string;
  /** When the client gives the message up, if that is sooner than its class; null: with the class. */
  readonly expiresByMs: number | null;
  /** Its time is over, so that it is refused unless it repeats what was accepted in time; null: it is not. */
  readonly late: LateReason | null;
  readonly clientReference: string | null;
  readonly userReference: number | null;
  readonly registered: number;
};

type LateReason = Extract<SmppRefusal, "SCHEDULE_INVALID" | "VALIDITY_INVALID">;

type SubmitReading = { readonly ok: true; readonly submit: ReadSubmit } | SubmitRefusal;
/** `place`: of a part, as far as it is known; null: of a whole text. */
type SubmitRefusal = { readonly ok: false; readonly reason: SmppRefusal; readonly place: PartPlace | null };

/** How octets are coded: as the alphabet of data_coding 0, or as one of its own. */
type TextCoding = DefaultAlphabet | "utf16";

/** The longest text, in code points, as the body of a batch. */
const MAX_TEXT_LENGTH = 4000;
/** The longest part of a text, in octets. */
const MAX_PART_OCTETS = 8_000;
/** A text in the two octets of UTF-16 for each code unit: a code point has two units at most. */
const MAX_TEXT_OCTETS = 4 * MAX_TEXT_LENGTH;
/** esm_class (SMPP 3.4 section 5.2.12): transaction mode, and the type of a message, of which 0 is a plain one. */
const MODE_MASK = 0x03;
const TRANSACTION_MODE = 0x02;
const TYPE_MASK = 0x3c;
/** protocol_id from here on asks a handset for more than to show a text (3GPP TS 23.040 section 9.2.3.9). */
const FIRST_SPECIAL_PROTOCOL = 0x40;
/** A schedule that is not longer past than this is now: clocks differ. */
const SCHEDULE_PATIENCE_MS = 300_000;
const INTERNATIONAL = 1;

/** Reads a submit, and refuses in the order of refusals.ts. Times relative to the submit count from `nowMs`. */
export function readSubmit(message: ShortMessage, settings: ReaderSettings, nowMs: number): SubmitReading {
  const { shortMessage, tlvs, esmClass } = message;
  const payload = tlvs.messagePayload;
  const carried = shortMessage.length > 0 ? shortMessage : (payload ?? shortMessage);
  const concatenated = readPlace(message, carried);
  const coding = codingOf(message.dataCoding, settings.alphabet);
  const { place, octets } = concatenated ?? { place: null, octets: carried };
  const refused = (reason: SmppRefusal): SubmitRefusal => ({ ok: false, reason, place });
  if (shortMessage.length > 0 && payload !== undefined && payload.length > 0) return refused("TEXT_TWICE");
  const most = place === null ? MAX_TEXT_OCTETS : MAX_PART_OCTETS;
  if (octets.length === 0) return refused("TEXT_EMPTY");
  if (octets.length > most) return refused("TEXT_TOO_LONG");
  const text = place === null && concatenated !== null && coding !== null ? decodeText(octets, coding) : null;
  if (text !== null) {
    const fault = textFault(text);
    if (fault !== null) return refused(fault);
  }
  if (concatenated === null) return refused("UNSUPPORTED_UDH");
  if ((esmClass & MODE_MASK) === TRANSACTION_MODE || (esmClass & TYPE_MASK) !== 0)
    return refused("UNSUPPORTED_MODE");
  if (coding === null) return refused("UNSUPPORTED_CODING");
  if (place === null && text === null) return refused("UNDECODABLE_TEXT");
  if (message.protocolId >= FIRST_SPECIAL_PROTOCOL) return refused("UNSUPPORTED_PROTOCOL");
  if (message.replaceIfPresentFlag !== 0) return refused("REPLACE_UNSUPPORTED");
  if (message.smDefaultMsgId !== 0) return refused("DEFAULT_MESSAGE_UNSUPPORTED");
  const scheduled = readSchedule(message.scheduleDeliveryTime, nowMs);
  if (scheduled === "invalid") return refused("SCHEDULE_INVALID");
  const isPast = scheduled === "past";
  const scheduledAtMs = isPast ? null : scheduled;
  const validity = readValidity(message.validityPeriod, scheduledAtMs ?? nowMs, nowMs);
  if (validity === "invalid") return refused(isPast ? "SCHEDULE_INVALID" : "VALIDITY_INVALID");
  const late = isPast ? "SCHEDULE_INVALID" : validity === "past" ? "VALIDITY_INVALID" : null;
  const messageClass = readClass(message.serviceType, settings);
  if (messageClass === null) return refused(late ?? "SERVICE_TYPE_INVALID");
  const clientReference = readReference(tlvs.clientReference);
  if (clientReference === "invalid") return refused(late ?? "CLIENT_REFERENCE_INVALID");
  const { sourceAddrTon, sourceAddrNpi, sourceAddr, destAddrTon, destAddrNpi, destinationAddr } = message;
  return {
    ok: true,
    submit: {
      place,
      octets,
      coding,
      text,
      source: { ton: sourceAddrTon, npi: sourceAddrNpi, address: sourceAddr },
      destination: { ton: destAddrTon, npi: destAddrNpi, address: destinationAddr },
      senders: toSenders(sourceAddr, sourceAddrTon),
      receiver: toReceiver(destinationAddr, destAddrTon),
      messageClass,
      scheduledAtMs,
      askedTime: message.scheduleDeliveryTime,
      expiresByMs: validity === "past" ? null : validity,
      late,
      clientReference,
      userReference: tlvs.userMessageReference ?? null,
      registered: message.registeredDelivery,
    },
  };
}

/** Why a decoded text cannot be sent; null where it can. */
export function textFault(text: string): "TEXT_EMPTY" | "TEXT_TOO_LONG" | null {
  if (text.trim() === "") return "TEXT_EMPTY";
  return isLongerThan(text, MAX_TEXT_LENGTH) ? "TEXT_TOO_LONG" : null;
}

type Placed = { readonly place: PartPlace | null; readonly octets: Uint8Array };

/**
 * Where a text stands among the parts of a longer one, by its user data header (SMPP 3.4 section 5.2.12, 3GPP TS 23.040 section
 * 9.2.3.24) or by SAR (SMPP 3.4 sections 5.3.2.22 to 5.3.2.24); null where that cannot be followed. A total of 1 is a whole text.
 */
function readPlace({ esmClass, tlvs }: ShortMessage, octets: Uint8Array): Placed | null {
  if ((esmClass & ESM_UDHI) !== 0) {
    const read = readConcatenation(octets);
    if (read === null) return null;
    const { concatenation, body, bits } = read;
    if (concatenation === null || concatenation.total === 1) return { place: null, octets: body };
    return { place: { kind: bits === 16 ? "UDH16" : "UDH8", ...concatenation }, octets: body };
  }
  const { sarMsgRefNum: reference, sarTotalSegments: total, sarSegmentSeqnum: part } = tlvs;
  if (reference === undefined && total === undefined && part === undefined) return { place: null, octets };
  if (total === 1 && (part ?? 1) === 1) return { place: null, octets };
  if (reference === undefined || total === undefined || part === undefined) return null;
  if (part < 1 || part > total || total > 255 || reference > 0xffff) return null;
  return { place: { kind: "SAR", reference, total, part }, octets };
}

/**
 * How the octets under a data_coding are coded (SMPP 3.4 section 5.2.19; 3GPP TS 23.038 section 4 for those of class 1, which is kept
 * on the phone, as any text is); null where we send no such text: flash, binary, other alphabets.
 */
function codingOf(dataCoding: number, alphabet: DefaultAlphabet): TextCoding | null {
  switch (dataCoding) {
    case 0x00:
    case 0xf1:
    case 0x11:
      return alphabet;
    case 0x01:
      return "ascii";
    case 0x03:
      return "latin1";
    case 0x08:
    case 0x19:
      return "utf16";
    default:
      return null;
  }
}

/** The text of whole octets; null where one is outside the alphabet, or the last character is not all there. */
export function decodeText(octets: Uint8Array, coding: TextCoding): string | null {
  switch (coding) {
    case "gsm":
      return decodeStrictGsm(octets);
    case "ascii":
      return decodeAscii(octets);
    case "latin1":
      return decodeLatin1(octets);
    case "utf16":
      return decodeStrictUtf16(octets);
  }
}

function decodeStrictGsm(octets: Uint8Array): string | null {
  let isEscaped = false;
  for (const octet of octets) {
    if (octet > 0x7f) return null;
    isEscaped = octet === ESCAPE && !isEscaped;
  }
  return isEscaped ? null : decodeGsm(octets);
}

/** ASCII, or GSM 7-bit where a control other than LF and CR is in it: npm's `smpp` writes that under data_coding 1. */
function decodeAscii(octets: Uint8Array): string | null {
  let isGsm = false;
  for (const octet of octets) {
    if (octet > 0x7f) return null;
    isGsm ||= octet === 0x7f || (octet < 0x20 && octet !== 0x0a && octet !== 0x0d);
  }
  return isGsm ? decodeStrictGsm(octets) : Buffer.from(octets).toString("latin1");
}

/** What windows-1252 has at 0x80 to 0x9F, where Latin-1 has controls; U+FFFD where it has nothing. */
const WINDOWS_1252 = "€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ";

function decodeLatin1(octets: Uint8Array): string | null {
  let text = "";
  for (const octet of octets) {
    const character =
      octet >= 0x80 && octet < 0xa0 ? (WINDOWS_1252[octet - 0x80] ?? "\ufffd") : String.fromCharCode(octet);
    if (octet === 0 || character === "\ufffd") return null;
    text += character;
  }
  return text;
}

/** UTF-16, high octet first, with or without a byte order mark that says so. */
function decodeStrictUtf16(octets: Uint8Array): string | null {
  if (octets.length % 2 !== 0) return null;
  let text = "";
  for (let at = 0; at < octets.length; at += 2) {
    const unit = ((octets[at] ?? 0) << 8) | (octets[at + 1] ?? 0);
    // U+FFFE is a byte order mark in the other order.
    if (unit === 0 || unit === 0xfffe) return null;
    if (at > 0 || unit !== 0xfeff) text += String.fromCharCode(unit);
  }
  return text.isWellFormed() ? text : null;
}

/** When a text leaves; null: at once. */
function readSchedule(written: string, nowMs: number): number | null | "past" | "invalid" {
  if (written === "") return null;
  const atMs = readSmppTime(written, nowMs);
  if (atMs === null) return "invalid";
  if (atMs < nowMs - SCHEDULE_PATIENCE_MS) return "past";
  return atMs <= nowMs ? null : atMs;
}

/** Until when it may leave, if not before it is planned; null: as its class. */
function readValidity(
  written: string,
  plannedAtMs: number,
  nowMs: number,
): number | null | "past" | "invalid" {
  if (written === "") return null;
  const untilMs = readSmppTime(written, nowMs);
  if (untilMs === null) return "invalid";
  return untilMs <= plannedAtMs ? "past" : untilMs;
}

const CLASSES: ReadonlyMap<string, MessageClass> = new Map([
  ["OTP", "OTP"],
  ["TRX", "TRANSACTIONAL"],
  ["MKT", "MARKETING"],
]);

function readClass(serviceType: string, { classesBy, messageClass }: ReaderSettings): MessageClass | null {
  if (classesBy === null || serviceType === "") return messageClass;
  return CLASSES.get(serviceType) ?? null;
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function readReference(octets: Uint8Array | undefined): string | null | "invalid" {
  if (octets === undefined) return null;
  const end = octets.at(-1) === 0 ? octets.length - 1 : octets.length;
  try {
    const text = UTF_8.decode(octets.subarray(0, end));
    return referenceFault(text) === null ? text : "invalid";
  } catch {
    return "invalid";
  }
}

/** The senders that a source address may mean: as written, and an international number with its sign as well. */
function toSenders(address: string, ton: number): readonly string[] {
  if (address === "") return [];
  return ton === INTERNATIONAL && !address.startsWith("+") ? [address, `+${address}`] : [address];
}

/** The receiver as a batch has it: what is said to be international begins with its sign. */
function toReceiver(address: string, ton: number): string {
  return ton === INTERNATIONAL && !address.startsWith("+") ? `+${address}` : address;
}
