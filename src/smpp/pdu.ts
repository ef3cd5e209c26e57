import { COMMAND_IDS, type Command, toCommand } from "./command.ts";
import { appendOctets, type PduBuffer, pduBuffer, reserveOctets } from "./pdu-buffer.ts";
import { HEADER_OCTETS, type LengthFault, RINVCMDLEN, RINVOPTPARSTREAM } from "./pdu-frame.ts";
import type { Decoded, Pdu } from "./pdu-kinds.ts";
import { broken, decodeByTable, encodeByTable, failure, findOversized, readAs } from "./pdu-tables.ts";
import type { MessageTlvs, ShortMessage } from "./short-message.ts";
import { maxOctets, TAG, TLV_HEADER_OCTETS, writeMessageBody, writeText } from "./write-message.ts";

export type { Decoded, Pdu };

/**
 * A PDU as octets. Texts must be ASCII without NUL, which would shift every later field, and short_message at most
 * 254 octets: what else comes in here is a bug. A response with an error status carries a body only when a text was given.
 */
export function encodePdu(pdu: Pdu): Uint8Array {
  OWN.length = 0;
  appendPdu(OWN, pdu);
  return Buffer.from(OWN.octets.subarray(0, OWN.length));
}

const OWN = pduBuffer();

/**
 * Writes a PDU behind those that a buffer holds, as `encodePdu` says; one that cannot be encoded leaves nothing. What every
 * message needs is written field by field, the rest by the tables of the `smpp` package.
 */
export function appendPdu(buffer: PduBuffer, pdu: Pdu): void {
  const { command, status, sequence } = pdu;
  switch (command) {
    case "submit_sm":
    case "deliver_sm": {
      const octets = reserveOctets(buffer, HEADER_OCTETS + maxOctets(pdu.message));
      const begin = buffer.length + HEADER_OCTETS;
      appendHeader(buffer, command, status, sequence, writeMessageBody(octets, begin, pdu.message));
      return;
    }
    case "submit_sm_resp":
    case "deliver_sm_resp":
    case "data_sm_resp": {
      const { messageId } = pdu;
      const octets = reserveOctets(buffer, HEADER_OCTETS + (messageId?.length ?? 0) + 1);
      const begin = buffer.length + HEADER_OCTETS;
      const isBodiless = status !== 0 && messageId === null;
      const end = isBodiless ? begin : writeText(octets, begin, "message_id", messageId ?? "");
      appendHeader(buffer, command, status, sequence, end);
      return;
    }
    case "unbind":
    case "unbind_resp":
    case "enquire_link":
    case "enquire_link_resp":
    case "generic_nack":
      reserveOctets(buffer, HEADER_OCTETS);
      appendHeader(buffer, command, status, sequence, buffer.length + HEADER_OCTETS);
      return;
    default:
      appendOctets(buffer, encodeByTable(pdu));
  }
}

/** Ends a PDU whose body is written and ends at `end`: the header goes in front of it. */
function appendHeader(
  buffer: PduBuffer,
  command: Command,
  status: number,
  sequence: number,
  end: number,
): void {
  const { octets, length: begin } = buffer;
  octets.writeUInt32BE(end - begin, begin);
  octets.writeUInt32BE(COMMAND_IDS[command], begin + 4);
  octets.writeUInt32BE(status, begin + 8);
  octets.writeUInt32BE(sequence, begin + 12);
  buffer.length = end;
}

/** Whether a message can be written as a `submit_sm` at all. */
export function isEncodable(message: ShortMessage): boolean {
  try {
    encodePdu({ command: "submit_sm", sequence: 1, status: 0, message });
    return true;
  } catch {
    return false;
  }
}

/**
 * One whole frame, as the splitter cuts them, read without ever throwing. Nothing in the result shares memory with
 * the frame. Responses are read leniently: an error may come with or without its body, and an id without its NUL. So are the
 * optional parameters of a message: whoever takes it says what a broken one means.
 */
export function decodePdu(frame: Uint8Array): Decoded {
  const buffer = bufferOf(frame);
  if (buffer.length < HEADER_OCTETS) return failure(0, 0, RINVCMDLEN, "shorter than a header");
  const commandId = buffer.readUInt32BE(4);
  const status = buffer.readUInt32BE(8);
  const sequence = buffer.readUInt32BE(12);
  if (buffer.readUInt32BE(0) !== buffer.length) {
    return failure(commandId, sequence, RINVCMDLEN, "command_length is not the frame's length");
  }
  const command = toCommand(commandId);
  switch (command) {
    case undefined:
      return { ok: true, pdu: { command: "unsupported", commandId, sequence, status } };
    case "submit_sm":
    case "deliver_sm": {
      const { message, fault } = readMessageBody(buffer);
      if (message === null) return broken(command, sequence, fault);
      return (
        findOversized(command, sequence, message.sourceAddr, message.destinationAddr) ??
        readAs({ command, sequence, status, message }, fault !== 0)
      );
    }
    case "submit_sm_resp":
    case "deliver_sm_resp":
    case "data_sm_resp":
      return { ok: true, pdu: { command, sequence, status, messageId: readResponseId(buffer) } };
    default:
      return decodeByTable(command, buffer);
  }
}

function bufferOf(octets: Uint8Array): Buffer {
  return Buffer.isBuffer(octets) ? octets : Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength);
}

// The body of submit_sm and deliver_sm as it is read, without a table: what is read and refused is what the tables of
// pdu-frame.ts lead to; a test holds them together.

/** Where a frame is read on. It may run past the end: then the frame was cut short. */
type Cursor = { at: number };

type ReadBody =
  | { readonly message: ShortMessage; readonly fault: Exclude<LengthFault, typeof RINVCMDLEN> }
  | { readonly message: null; readonly fault: typeof RINVCMDLEN };

/**
 * Reads the body of a whole frame as that of a message, with what is wrong with the lengths of its optional parameters; null where
 * the message itself is cut short. Nothing in it shares memory with the frame.
 */
function readMessageBody(frame: Buffer): ReadBody {
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
function readResponseId(frame: Buffer): string | null {
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
