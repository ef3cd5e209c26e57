/**
 * The body of submit_sm and deliver_sm as it is read, without a table: what is read and refused is what the tables of
 * pdu-frame.ts lead to; a test holds them together.
 */
import { HEADER_OCTETS, type LengthFault, RINVCMDLEN, RINVOPTPARSTREAM } from "./pdu-frame.ts";
import type { MessageTlvs, ShortMessage } from "./short-message.ts";
import { TAG, TLV_HEADER_OCTETS } from "./write-message.ts";

/** Where a frame is read on. It may run past the end: then the frame was cut short. */
type Cursor = { at: number };

export type ReadBody =
  | { readonly message: ShortMessage; readonly fault: Exclude<LengthFault, typeof RINVCMDLEN> }
  | { readonly message: null; readonly fault: typeof RINVCMDLEN };

/**
 * Reads the body of a whole frame as that of a message, with what is wrong with the lengths of its optional parameters; null where
 * the message itself is cut short. Nothing in it shares memory with the frame.
 */
export function readMessageBody(frame: Buffer): ReadBody {
  const cursor: Cursor = { at: HEADER_OCTETS };
  const fields = {
    serviceType: readText(frame, cursor),
    sourceAddrTon: readOctet(frame, cursor),
    sourceAddrNpi: readOctet(frame, cursor),
    sourceAddr: readText(frame, cursor),
    destAddrTon: readOctet(frame, cursor),
    destAddrNpi: readOctet(frame, cursor),
    destinationAddr: readText(frame, cursor),
    esmClass: readOctet(frame, cursor),
    protocolId: readOctet(frame, cursor),
    priorityFlag: readOctet(frame, cursor),
    scheduleDeliveryTime: readText(frame, cursor),
    validityPeriod: readText(frame, cursor),
    registeredDelivery: readOctet(frame, cursor),
    replaceIfPresentFlag: readOctet(frame, cursor),
    dataCoding: readOctet(frame, cursor),
    smDefaultMsgId: readOctet(frame, cursor),
    shortMessage: NO_OCTETS as Uint8Array,
    tlvs: NO_TLVS,
  };
  const length = readOctet(frame, cursor);
  const end = cursor.at + length;
  if (end > frame.length) return { message: null, fault: RINVCMDLEN };
  fields.shortMessage = copied(frame, cursor.at, end);
  if (end + TLV_HEADER_OCTETS > frame.length) return { message: fields, fault: 0 };
  const { tlvs, fault } = readParameters(frame, end);
  fields.tlvs = tlvs;
  return { message: fields, fault };
}

const NO_OCTETS = new Uint8Array(0);
const NO_TLVS: MessageTlvs = {};

type Parameters = { -readonly [Name in keyof MessageTlvs]: MessageTlvs[Name] };

type ReadParameters = { readonly tlvs: MessageTlvs; readonly fault: 0 | typeof RINVOPTPARSTREAM };

/**
 * The optional parameters that stand from `begin` on: of several with one tag the last. One that is longer than the frame is the
 * end of them, and only a text that is cut so is worth having.
 */
function readParameters(frame: Buffer, begin: number): ReadParameters {
  const tlvs: Parameters = {};
  let at = begin;
  while (at + TLV_HEADER_OCTETS <= frame.length) {
    const tag = frame.readUInt16BE(at);
    const from = at + TLV_HEADER_OCTETS;
    at = from + frame.readUInt16BE(at + 2);
    if (at > frame.length) {
      if (tag === TAG.messagePayload) tlvs.messagePayload ??= copied(frame, from, frame.length);
      return { tlvs, fault: RINVOPTPARSTREAM };
    }
    readParameter(tlvs, tag, frame, from, at);
  }
  return { tlvs, fault: 0 };
}

function readParameter(tlvs: Parameters, tag: number, frame: Buffer, from: number, end: number): void {
  switch (tag) {
    case TAG.messagePayload:
      tlvs.messagePayload = copied(frame, from, end);
      return;
    case TAG.networkErrorCode:
      tlvs.networkErrorCode = copied(frame, from, end);
      return;
    case TAG.receiptedMessageId: {
      const nul = frame.subarray(from, end).indexOf(0);
      const text = frame.toString("latin1", from, nul < 0 ? end : from + nul);
      if (text === "") delete tlvs.receiptedMessageId;
      else tlvs.receiptedMessageId = text;
      return;
    }
    case TAG.messageState:
      readNumber(tlvs, "messageState", frame, from, end);
      return;
    case TAG.sarMsgRefNum:
      readNumber(tlvs, "sarMsgRefNum", frame, from, end);
      return;
    case TAG.sarTotalSegments:
      readNumber(tlvs, "sarTotalSegments", frame, from, end);
      return;
    case TAG.sarSegmentSeqnum:
      readNumber(tlvs, "sarSegmentSeqnum", frame, from, end);
      return;
  }
}

type NumberName = "messageState" | "sarMsgRefNum" | "sarTotalSegments" | "sarSegmentSeqnum";

/** A big-endian number of 1 to 4 octets, whatever its length should have been; of another length it says nothing. */
function readNumber(tlvs: Parameters, name: NumberName, frame: Buffer, from: number, end: number): void {
  if (end === from || end - from > 4) {
    delete tlvs[name];
    return;
  }
  let value = 0;
  for (let at = from; at < end; at++) value = value * 256 + (frame[at] ?? 0);
  tlvs[name] = value;
}

/** The message_id that is all of a response's body, with or without its NUL; null where the body was left out. */
export function readResponseId(frame: Buffer): string | null {
  return frame.length > HEADER_OCTETS ? readText(frame, { at: HEADER_OCTETS }) : null;
}

function readOctet(frame: Buffer, cursor: Cursor): number {
  return frame[cursor.at++] ?? 0;
}

/** A text up to its NUL. */
function readText(frame: Buffer, cursor: Cursor): string {
  const begin = cursor.at;
  let end = begin;
  while (end < frame.length && frame[end] !== 0) end++;
  cursor.at = end + 1;
  return end === begin ? "" : frame.toString("ascii", begin, end);
}

function copied(frame: Buffer, from: number, end: number): Uint8Array {
  const octets = new Uint8Array(end - from);
  octets.set(frame.subarray(from, end));
  return octets;
}
