/**
 * SMPP 3.4 codec: the commands with their ids, and PDUs to octets and back. Message PDUs are coded field by field for speed, the
 * others by the tables of the `smpp` package.
 */
import { assert, BugError } from "../core/assert.ts";
import type { MessageTlvs, ShortMessage } from "./short-message.ts";
import {
  type BindFields,
  bindFields,
  CLIENT_REFERENCE,
  HEADER_OCTETS,
  type LengthFault,
  type MessageOperation,
  messageFields,
  messageTlvs,
  operationFields,
  REFUSAL_REASON,
  REFUSAL_SENTENCE,
  RINVCMDLEN,
  RINVOPTPARSTREAM,
  readBind,
  readFrame,
  readMessage,
  readOperation,
  readUint,
  uint,
  type WireFields,
  type WireRead,
  type WireTlvs,
  writeFrame,
} from "./wire-format.ts";

/** The commands we speak and their ids (SMPP 3.4 section 5.1.2.1). */
export const COMMAND_IDS = {
  bind_receiver: 0x00000001,
  bind_receiver_resp: 0x80000001,
  bind_transmitter: 0x00000002,
  bind_transmitter_resp: 0x80000002,
  query_sm: 0x00000003,
  query_sm_resp: 0x80000003,
  submit_sm: 0x00000004,
  submit_sm_resp: 0x80000004,
  deliver_sm: 0x00000005,
  deliver_sm_resp: 0x80000005,
  unbind: 0x00000006,
  unbind_resp: 0x80000006,
  replace_sm_resp: 0x80000007,
  cancel_sm: 0x00000008,
  cancel_sm_resp: 0x80000008,
  bind_transceiver: 0x00000009,
  bind_transceiver_resp: 0x80000009,
  outbind: 0x0000000b,
  enquire_link: 0x00000015,
  enquire_link_resp: 0x80000015,
  submit_multi_resp: 0x80000021,
  alert_notification: 0x00000102,
  data_sm: 0x00000103,
  data_sm_resp: 0x80000103,
  generic_nack: 0x80000000,
} as const;

export type Command = keyof typeof COMMAND_IDS;

/** The directions in which a bind lets messages pass (SMPP 3.4 section 2.2). */
export type BindKind = "transceiver" | "transmitter" | "receiver";

/** The kind of each bind command. */
export const KIND_OF: { readonly [Kind in BindKind as `bind_${Kind}`]: Kind } = {
  bind_transceiver: "transceiver",
  bind_transmitter: "transmitter",
  bind_receiver: "receiver",
};

const BY_ID: ReadonlyMap<number, Command> = new Map(
  (Object.keys(COMMAND_IDS) as Command[]).map((command) => [COMMAND_IDS[command], command]),
);

/** The name of a command id, or undefined for one we do not speak (submit_multi, replace_sm, a vendor's own). */
export function toCommand(id: number): Command | undefined {
  return BY_ID.get(id);
}

/** Whether an id is a response's: its top bit is set (SMPP 3.4 section 5.1.2). */
export function isResponseId(id: number): boolean {
  return id >= 0x80000000;
}

// PDUs by the tables of the `smpp` package: binds and other seldom PDUs. What every message needs is written and read field by field
// below; a test holds that both lead to the same.

/** What data_sm allows (SMPP 3.4 section 4.7.1); elsewhere it is 20, which some exceed. */
const MAX_ADDRESS_LENGTH = 64;
/** The status that answers an address that is too long. */
const RINVSRCADR = 0x0a;
const RINVDSTADR = 0x0b;
// biome-ignore lint/suspicious/noControlCharactersInRegex: every ASCII character but NUL is what the wire takes
const ASCII = /^[\x01-\x7f]*$/;

/** Any PDU as octets, by the tables: `encodePdu` for the seldom ones. */
export function encodeByTable(pdu: Pdu): Uint8Array {
  assert(pdu.command !== "unsupported", "an unsupported command cannot be encoded");
  assert(
    !("message" in pdu) || pdu.message.shortMessage.length <= MAX_SHORT_MESSAGE_LENGTH,
    "short_message is longer than 254 octets",
  );
  const { command, status, sequence } = pdu;
  const isBodiless =
    status !== 0 &&
    (("messageId" in pdu && pdu.messageId === null) || ("systemId" in pdu && pdu.systemId === null));
  if (isBodiless) return writeFrame(command, status, sequence, null);
  const fields = wireFields(pdu);
  for (const name in fields) {
    const value = fields[name];
    assert(typeof value !== "string" || ASCII.test(value), `${name} must be ASCII without NUL`);
  }
  return writeFrame(command, status, sequence, fields, wireTlvs(pdu));
}

/** The mandatory fields of a PDU. */
function wireFields(pdu: Pdu): WireFields {
  if ("bind" in pdu) return bindFields(pdu.bind);
  if ("message" in pdu) return messageFields(pdu.message);
  if ("operation" in pdu) return operationFields(pdu.operation);
  if (pdu.command === "query_sm_resp") {
    const { messageId, finalDate, messageState, errorCode } = pdu;
    return {
      message_id: messageId ?? "",
      final_date: finalDate,
      message_state: messageState,
      error_code: errorCode,
    };
  }
  if ("messageId" in pdu) return { message_id: pdu.messageId ?? "" };
  if ("password" in pdu) return { system_id: pdu.systemId, password: pdu.password };
  return "systemId" in pdu ? { system_id: pdu.systemId ?? "" } : {};
}

function wireTlvs(pdu: Pdu): WireTlvs {
  if ("message" in pdu) return messageTlvs(pdu.message.tlvs);
  const isVersioned = "scInterfaceVersion" in pdu && pdu.scInterfaceVersion !== null;
  return isVersioned ? { sc_interface_version: uint(pdu.scInterfaceVersion, 1) } : {};
}

/** Reads a whole frame of a command that we speak by the tables: `decodePdu` for the seldom ones. */
export function decodeByTable(command: Command, frame: Buffer): Decoded {
  const status = frame.readUInt32BE(8);
  const sequence = frame.readUInt32BE(12);
  const { wire, fault } = readFrame(command, frame);
  let isBroken = false;
  if (!isResponseId(COMMAND_IDS[command])) {
    isBroken = fault === RINVOPTPARSTREAM && isMessage(command);
    if (fault !== 0 && !isBroken) return broken(command, sequence, fault);
    const refused = findOversized(command, sequence, wire.source_addr, wire.destination_addr);
    if (refused) return refused;
  }
  return readAs(readPdu(command, { sequence, status }, wire), isBroken);
}

/** What was read of a PDU, with or without a broken optional parameter behind it. */
function readAs(pdu: Pdu, isBroken: boolean): Decoded {
  return isBroken ? { ok: true, pdu, isBroken } : { ok: true, pdu };
}

const isMessage = (command: Command): boolean =>
  command === "submit_sm" || command === "deliver_sm" || command === "data_sm";

function readPdu(command: Command, header: PduHeader, wire: WireRead): Pdu {
  switch (command) {
    case "bind_transceiver":
    case "bind_transmitter":
    case "bind_receiver":
      return { command, ...header, bind: readBind(wire) };
    case "bind_transceiver_resp":
    case "bind_transmitter_resp":
    case "bind_receiver_resp": {
      const scInterfaceVersion = readUint(wire.sc_interface_version) ?? null;
      return { command, ...header, systemId: readTextOrNull(wire.system_id), scInterfaceVersion };
    }
    case "submit_sm":
    case "deliver_sm":
    case "data_sm":
      return { command, ...header, message: readMessage(wire) };
    case "submit_sm_resp":
    case "deliver_sm_resp":
    case "data_sm_resp":
      return { command, ...header, messageId: readTextOrNull(wire.message_id) };
    case "query_sm":
    case "cancel_sm":
      return { command, ...header, operation: readOperation(wire) };
    case "query_sm_resp":
      return {
        command,
        ...header,
        messageId: readTextOrNull(wire.message_id),
        finalDate: readTextOrNull(wire.final_date) ?? "",
        messageState: numberOr0(wire.message_state),
        errorCode: numberOr0(wire.error_code),
      };
    case "outbind": {
      const { systemId, password } = readBind(wire);
      return { command, ...header, systemId, password };
    }
    case "unbind":
    case "unbind_resp":
    case "enquire_link":
    case "enquire_link_resp":
    case "generic_nack":
    case "alert_notification":
    case "cancel_sm_resp":
    case "replace_sm_resp":
    case "submit_multi_resp":
      return { command, ...header };
  }
}

function numberOr0(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

/** A request whose lengths do not agree. */
export function broken(command: Command, sequence: number, fault: Exclude<LengthFault, 0>): UndecodablePdu {
  const reason = fault === RINVCMDLEN ? `${command} is cut short` : brokenParameters(command);
  return failure(COMMAND_IDS[command], sequence, fault, reason);
}

/** What is reported of a message with a broken optional parameter: never the content, which may be a subscriber's. */
export const brokenParameters = (command: Command): string => `${command} has broken optional parameters`;

/** The refusal of a request with an address longer than any; null when both addresses have a permitted length. */
function findOversized(
  command: Command,
  sequence: number,
  source: unknown,
  destination: unknown,
): Decoded | null {
  const refusal =
    lengthOf(source) > MAX_ADDRESS_LENGTH
      ? RINVSRCADR
      : lengthOf(destination) > MAX_ADDRESS_LENGTH
        ? RINVDSTADR
        : null;
  if (refusal === null) return null;
  return failure(COMMAND_IDS[command], sequence, refusal, `${command} has an address without measure`);
}

function failure(commandId: number, sequence: number, status: number, reason: string): UndecodablePdu {
  return { ok: false, commandId, sequence, status, reason };
}

/** A text of a response; null where the body was left out. */
function readTextOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : 0;
}

type PduHeader = { readonly sequence: number; readonly status: number };

/** Why a submit is refused, in two optional parameters of our own: a code, and a sentence in English. */
export type RefusalTlvs = { readonly reason: string; readonly sentence: string };

/** Every PDU we speak. `status` is 0 in requests. A null text in a response means that the body was left out. */
export type Pdu = PduHeader &
  (
    | { readonly command: `bind_${BindKind}`; readonly bind: BindFields }
    | {
        readonly command: `bind_${BindKind}_resp`;
        readonly systemId: string | null;
        readonly scInterfaceVersion: number | null;
      }
    | { readonly command: "submit_sm" | "deliver_sm" | "data_sm"; readonly message: ShortMessage }
    | {
        readonly command: "submit_sm_resp" | "deliver_sm_resp" | "data_sm_resp";
        readonly messageId: string | null;
        /** Written only: why it is refused, behind an id, for clients that asked to be told. */
        readonly why?: RefusalTlvs;
      }
    | { readonly command: "query_sm" | "cancel_sm"; readonly operation: MessageOperation }
    | {
        readonly command: "query_sm_resp";
        readonly messageId: string | null;
        /** `YYMMDDhhmmsstnnp`; empty while the message is not final (SMPP 3.4 section 4.8.2). */
        readonly finalDate: string;
        readonly messageState: number;
        readonly errorCode: number;
      }
    | {
        readonly command:
          | "cancel_sm_resp"
          /** Responses to commands that we refuse by their own name. */
          | "replace_sm_resp"
          | "submit_multi_resp"
          | "unbind"
          | "unbind_resp"
          | "enquire_link"
          | "enquire_link_resp"
          | "generic_nack"
          | "alert_notification";
      }
    | { readonly command: "outbind"; readonly systemId: string; readonly password: string }
    /** Read only: a command we do not speak, such as submit_multi. Its body is not looked at. */
    | { readonly command: "unsupported"; readonly commandId: number }
  );

export type Decoded =
  /** `isBroken`: an optional parameter of a message is longer than its frame; what stands before it was read. */
  { readonly ok: true; readonly pdu: Pdu; readonly isBroken?: true } | UndecodablePdu;

/** What could not be read. */
export type UndecodablePdu = {
  readonly ok: false;
  readonly commandId: number;
  readonly sequence: number;
  /** The command_status to answer with: 0x02, 0x0A, 0x0B or 0xC0 (SMPP 3.4 section 5.1.3). */
  readonly status: number;
  readonly reason: string;
};

/** Memory that PDUs are written into, one after the other, and that is reused once they have left. */
type PduBuffer = {
  octets: Buffer<ArrayBuffer>;
  /** Octets written. */
  length: number;
};

const FIRST_OCTETS = 4_096;

export function pduBuffer(): PduBuffer {
  return { octets: Buffer.alloc(FIRST_OCTETS), length: 0 };
}

/** The memory, with room for so many octets after those written. */
function reserveOctets(buffer: PduBuffer, count: number): Buffer<ArrayBuffer> {
  const wanted = buffer.length + count;
  if (wanted > buffer.octets.length) {
    const larger = Buffer.alloc(Math.max(wanted, 2 * buffer.octets.length));
    larger.set(buffer.octets.subarray(0, buffer.length));
    buffer.octets = larger;
  }
  return buffer.octets;
}

/** Writes octets as they are. */
export function appendOctets(buffer: PduBuffer, octets: Uint8Array): void {
  reserveOctets(buffer, octets.length).set(octets, buffer.length);
  buffer.length += octets.length;
}

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
 * Appends a PDU to a buffer, as `encodePdu` says; one that cannot be encoded adds nothing. What every message needs is written
 * field by field, the rest by the tables of the `smpp` package.
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
      const { messageId, why } = pdu;
      const reason = why && Buffer.from(`${why.reason}\0`, "latin1");
      const sentence = why && Buffer.from(why.sentence, "utf8").subarray(0, MAX_SENTENCE_OCTETS);
      const parameters = (reason?.length ?? 0) + (sentence?.length ?? 0) + 2 * TLV_HEADER_OCTETS + 1;
      const octets = reserveOctets(buffer, HEADER_OCTETS + (messageId?.length ?? 0) + 1 + parameters);
      const begin = buffer.length + HEADER_OCTETS;
      const isBodiless = status !== 0 && messageId === null;
      let end = isBodiless ? begin : writeText(octets, begin, "message_id", messageId ?? "");
      if (!isBodiless && reason && sentence) {
        end = writeParameter(octets, end, REFUSAL_REASON, reason);
        end = writeParameter(octets, end, REFUSAL_SENTENCE, sentence);
      }
      appendHeader(buffer, command, status, sequence, end);
      return;
    }
    case "unbind":
    case "unbind_resp":
    case "enquire_link":
    case "enquire_link_resp":
    case "cancel_sm_resp":
    case "replace_sm_resp":
    case "submit_multi_resp":
    case "generic_nack":
      reserveOctets(buffer, HEADER_OCTETS);
      appendHeader(buffer, command, status, sequence, buffer.length + HEADER_OCTETS);
      return;
    default:
      appendOctets(buffer, encodeByTable(pdu));
  }
}

/** Finishes a PDU whose body is written and ends at `end`: writes the header in front of it. */
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
 * Decodes one whole frame, as `FrameReader` cuts it, without ever throwing. Nothing in the result shares memory with the frame.
 * Responses are read leniently: an error may come with or without its body, and an id without its NUL. So are the optional
 * parameters of a message: whoever takes it decides what a broken one means.
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

// Reads the body of submit_sm and deliver_sm without a table: what is read and refused is the same as by the tables of wire-format.ts; a
// test compares them.

/** Where reading of a frame goes on. It may run past the end: then the frame was cut short. */
type Cursor = { at: number };

type ReadBody =
  | { readonly message: ShortMessage; readonly fault: Exclude<LengthFault, typeof RINVCMDLEN> }
  | { readonly message: null; readonly fault: typeof RINVCMDLEN };

/**
 * Reads the body of a whole frame as that of a message, with the fault in the lengths of its optional parameters; null where the
 * message itself is cut short. Nothing in it shares memory with the frame.
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
 * The optional parameters from `begin` on: of several with one tag the last. One that is longer than the frame ends them, and of
 * such only a text is worth keeping.
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
    case TAG.clientReference:
      tlvs.clientReference = copied(frame, from, end);
      return;
    case TAG.userMessageReference:
      readNumber(tlvs, "userMessageReference", frame, from, end);
      return;
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

type NumberName =
  | "messageState"
  | "userMessageReference"
  | "sarMsgRefNum"
  | "sarTotalSegments"
  | "sarSegmentSeqnum";

/** Reads a big-endian number of 1 to 4 octets, whatever its length should have been; any other length is ignored. */
function readNumber(tlvs: Parameters, name: NumberName, frame: Buffer, from: number, end: number): void {
  if (end === from || end - from > 4) {
    delete tlvs[name];
    return;
  }
  let value = 0;
  for (let at = from; at < end; at++) value = value * 256 + (frame[at] ?? 0);
  tlvs[name] = value;
}

/** The message_id, which is the whole body of a response, with or without its NUL; null where the body was left out. */
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

// Writes the body of submit_sm and deliver_sm without a table: one layout, which every message crosses twice (SMPP 3.4 sections 4.4.1 and
// 4.6.1). What is written and refused is the same as by the tables of wire-format.ts; a test compares them.

/** Optional parameters that we read or write, in the order they are written (SMPP 3.4 section 5.3.2). */
const TAG = {
  messagePayload: 0x0424,
  receiptedMessageId: 0x001e,
  messageState: 0x0427,
  networkErrorCode: 0x0423,
  sarMsgRefNum: 0x020c,
  sarTotalSegments: 0x020e,
  sarSegmentSeqnum: 0x020f,
  userMessageReference: 0x0204,
  clientReference: CLIENT_REFERENCE,
} as const;
/** In front of each optional parameter: tag and length. */
const TLV_HEADER_OCTETS = 4;
/** The longest sentence about a refusal, in octets of UTF-8. */
const MAX_SENTENCE_OCTETS = 255;
/** Fields of one octet, NULs of texts, and the optional parameters that are numbers: what a message takes beside its texts. */
const FIXED_OCTETS = 96;
const MAX_SHORT_MESSAGE_LENGTH = 254;

/** An upper bound of the octets that the body of a message takes. */
function maxOctets(message: ShortMessage): number {
  const { messagePayload, receiptedMessageId, networkErrorCode, clientReference } = message.tlvs;
  return (
    (clientReference?.length ?? 0) +
    FIXED_OCTETS +
    message.serviceType.length +
    message.sourceAddr.length +
    message.destinationAddr.length +
    message.scheduleDeliveryTime.length +
    message.validityPeriod.length +
    message.shortMessage.length +
    (messagePayload?.length ?? 0) +
    (receiptedMessageId?.length ?? 0) +
    (networkErrorCode?.length ?? 0)
  );
}

/** Writes the body of a message from `begin` on, where there is room for it; returns where it ends. Throws as `encodePdu` says. */
function writeMessageBody(to: Buffer, begin: number, message: ShortMessage): number {
  let at = writeText(to, begin, "service_type", message.serviceType);
  at = writeOctet(to, at, "source_addr_ton", message.sourceAddrTon);
  at = writeOctet(to, at, "source_addr_npi", message.sourceAddrNpi);
  at = writeText(to, at, "source_addr", message.sourceAddr);
  at = writeOctet(to, at, "dest_addr_ton", message.destAddrTon);
  at = writeOctet(to, at, "dest_addr_npi", message.destAddrNpi);
  at = writeText(to, at, "destination_addr", message.destinationAddr);
  at = writeOctet(to, at, "esm_class", message.esmClass);
  at = writeOctet(to, at, "protocol_id", message.protocolId);
  at = writeOctet(to, at, "priority_flag", message.priorityFlag);
  at = writeText(to, at, "schedule_delivery_time", message.scheduleDeliveryTime);
  at = writeText(to, at, "validity_period", message.validityPeriod);
  at = writeOctet(to, at, "registered_delivery", message.registeredDelivery);
  at = writeOctet(to, at, "replace_if_present_flag", message.replaceIfPresentFlag);
  at = writeOctet(to, at, "data_coding", message.dataCoding);
  at = writeOctet(to, at, "sm_default_msg_id", message.smDefaultMsgId);
  const { length } = message.shortMessage;
  if (length > MAX_SHORT_MESSAGE_LENGTH) throw new BugError("short_message is longer than 254 octets");
  to[at] = length;
  to.set(message.shortMessage, at + 1);
  return writeParameters(to, at + 1 + length, message.tlvs);
}

function writeParameters(to: Buffer, begin: number, tlvs: MessageTlvs): number {
  let at = begin;
  const { messagePayload, receiptedMessageId, messageState, networkErrorCode } = tlvs;
  const { sarMsgRefNum, sarTotalSegments, sarSegmentSeqnum, userMessageReference, clientReference } = tlvs;
  if (messagePayload !== undefined) at = writeParameter(to, at, TAG.messagePayload, messagePayload);
  if (receiptedMessageId !== undefined) {
    const text = Buffer.from(`${receiptedMessageId}\0`, "latin1");
    at = writeParameter(to, at, TAG.receiptedMessageId, text);
  }
  if (messageState !== undefined) at = writeNumber(to, at, TAG.messageState, 1, messageState);
  if (networkErrorCode !== undefined) at = writeParameter(to, at, TAG.networkErrorCode, networkErrorCode);
  if (sarMsgRefNum !== undefined) at = writeNumber(to, at, TAG.sarMsgRefNum, 2, sarMsgRefNum);
  if (sarTotalSegments !== undefined) at = writeNumber(to, at, TAG.sarTotalSegments, 1, sarTotalSegments);
  if (sarSegmentSeqnum !== undefined) at = writeNumber(to, at, TAG.sarSegmentSeqnum, 1, sarSegmentSeqnum);
  if (userMessageReference !== undefined)
    at = writeNumber(to, at, TAG.userMessageReference, 2, userMessageReference);
  if (clientReference !== undefined) at = writeParameter(to, at, TAG.clientReference, clientReference);
  return at;
}

function writeParameter(to: Buffer, at: number, tag: number, octets: Uint8Array): number {
  to.writeUInt16BE(tag, at);
  to.writeUInt16BE(octets.length, at + 2);
  to.set(octets, at + TLV_HEADER_OCTETS);
  return at + TLV_HEADER_OCTETS + octets.length;
}

function writeNumber(to: Buffer, at: number, tag: number, length: 1 | 2, value: number): number {
  to.writeUInt16BE(tag, at);
  to.writeUInt16BE(length, at + 2);
  to.writeUIntBE(value, at + TLV_HEADER_OCTETS, length);
  return at + TLV_HEADER_OCTETS + length;
}

function writeOctet(to: Buffer, at: number, name: string, value: number): number {
  if (!(value >= 0 && value <= 0xff)) throw new BugError(`${name} must be an octet`);
  to[at] = value;
  return at + 1;
}

/** A text and the NUL behind it. @throws where it is not ASCII, or has a NUL of its own, which would shift every later field */
function writeText(to: Buffer, begin: number, name: string, text: string): number {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0 || code > 0x7f) throw new BugError(`${name} must be ASCII without NUL`);
    to[begin + index] = code;
  }
  const end = begin + text.length;
  to[end] = 0;
  return end + 1;
}
