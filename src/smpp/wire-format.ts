/**
 * A PDU as octets, field by field: a header, the mandatory fields in the order of their command, optional parameters after them
 * (SMPP 3.4 chapter 3). The tables of the `smpp` package say which fields a command has and how each is written. Its own reader
 * is not used: it guesses how texts are coded, turns times into dates and believes every length. Here message octets and optional
 * parameters stay as they are, and lengths are checked against the frame's.
 */
import { commands, type FieldType, tlvs, tlvsById } from "smpp/lib/defs.js";
import { assert } from "../core/assert.ts";
import { type MessageTlvs, type ShortMessage, shortMessage } from "./short-message.ts";

/** Fields under their names in SMPP 3.4 chapter 4. One that is left out takes its default. */
export type WireFields = Readonly<Record<string, number | string | Buffer | readonly object[]>>;
/** Optional parameters under their names in SMPP 3.4 section 5.3.2. */
export type WireTlvs = Readonly<Record<string, Buffer>>;
/** What was read; a field that was not there is undefined, an optional parameter is a view of the frame. */
export type WireRead = Readonly<Record<string, unknown>>;

/** What is wrong with the lengths inside a frame, as a command_status (SMPP 3.4 section 5.1.3); 0 when they agree. */
export type LengthFault = 0 | typeof RINVCMDLEN | typeof RINVOPTPARSTREAM;

export const RINVCMDLEN = 0x02;
export const RINVOPTPARSTREAM = 0xc0;
export const HEADER_OCTETS = 16;
/** In front of each optional parameter: tag and length. */
const TLV_HEADER_OCTETS = 4;

type Layout = { readonly id: number; readonly fields: readonly (readonly [name: string, type: FieldType])[] };

const LAYOUTS: ReadonlyMap<string, Layout> = new Map(
  Object.entries(commands).map(([command, { id, params = {} }]) => [
    command,
    { id, fields: Object.entries(params).map(([name, { type }]) => [name, type] as const) },
  ]),
);

function layoutOf(command: string): Layout {
  const layout = LAYOUTS.get(command);
  assert(layout, `no command is called ${command}`);
  return layout;
}

/**
 * Reads the body of a whole frame as that of a command. What is there is read, however it ends; of an optional parameter that is
 * longer than the frame only a text, which is worth keeping without its end. A cut id or number would be another one.
 */
export function readFrame(
  command: string,
  frame: Buffer,
): { readonly wire: WireRead; readonly fault: LengthFault } {
  const wire: Record<string, unknown> = {};
  let isCut = false;
  let offset = HEADER_OCTETS;
  for (const [name, type] of layoutOf(command).fields) {
    const value = offset < frame.length ? readField(type, frame, offset) : undefined;
    if (value === undefined) return { wire, fault: RINVCMDLEN };
    isCut ||= value instanceof Uint8Array && value.length !== frame[offset];
    wire[name] = value;
    offset += type.size(value);
  }
  if (isCut || offset > frame.length) return { wire, fault: RINVCMDLEN };
  while (offset + TLV_HEADER_OCTETS <= frame.length) {
    const begin = offset + TLV_HEADER_OCTETS;
    const name = nameOfTag(frame.readUInt16BE(offset));
    offset = begin + frame.readUInt16BE(offset + 2);
    const isWhole = offset <= frame.length || (name === "message_payload" && wire[name] === undefined);
    if (name !== undefined && isWhole) wire[name] = frame.subarray(begin, offset);
  }
  return { wire, fault: offset > frame.length ? RINVOPTPARSTREAM : 0 };
}

/** Undefined where the frame ends within the field. A text may end there without its NUL. */
function readField(type: FieldType, frame: Buffer, offset: number): unknown {
  try {
    return type.read(frame, offset);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Writes a whole frame of a command with these fields and optional parameters; null leaves its body out, as errors may. */
export function writeFrame(
  command: string,
  status: number,
  sequence: number,
  fields: WireFields | null,
  parameters: WireTlvs = {},
): Buffer<ArrayBuffer> {
  const layout = layoutOf(command);
  if (fields === null) return toHeader(layout.id, status, sequence, HEADER_OCTETS);
  let length = HEADER_OCTETS;
  for (const [name, type] of layout.fields) length += type.size(fields[name] ?? type.default);
  for (const name in parameters) length += TLV_HEADER_OCTETS + (parameters[name]?.length ?? 0);
  const frame = toHeader(layout.id, status, sequence, length);
  let offset = HEADER_OCTETS;
  for (const [name, type] of layout.fields) {
    const value = fields[name] ?? type.default;
    type.write(value, frame, offset);
    offset += type.size(value);
  }
  for (const name in parameters) {
    const octets = parameters[name];
    const id = tagOfName(name);
    assert(octets !== undefined && id !== undefined, `no optional parameter is called ${name}`);
    frame.writeUInt16BE(id, offset);
    frame.writeUInt16BE(octets.length, offset + 2);
    frame.set(octets, offset + TLV_HEADER_OCTETS);
    offset += TLV_HEADER_OCTETS + octets.length;
  }
  return frame;
}

/** A frame of so many octets: header and zeros. */
export function toHeader(
  commandId: number,
  status: number,
  sequence: number,
  length: number,
): Buffer<ArrayBuffer> {
  const frame = Buffer.alloc(length);
  frame.writeUInt32BE(length, 0);
  frame.writeUInt32BE(commandId, 4);
  frame.writeUInt32BE(status, 8);
  frame.writeUInt32BE(sequence, 12);
  return frame;
}

// The fields of binds and messages, by our names and by the wire's (SMPP 3.4 chapter 4), and their optional parameters.

export type BindFields = {
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
  readonly interfaceVersion: number;
  readonly addrTon: number;
  readonly addrNpi: number;
  readonly addressRange: string;
};

const NO_BIND: BindFields = {
  systemId: "",
  password: "",
  systemType: "",
  interfaceVersion: 0,
  addrTon: 0,
  addrNpi: 0,
  addressRange: "",
};
const NO_MESSAGE = shortMessage({});

type Names<Fields> = readonly (readonly [ours: keyof Fields & string, wire: string])[];

const BIND_NAMES: Names<BindFields> = [
  ["systemId", "system_id"],
  ["password", "password"],
  ["systemType", "system_type"],
  ["interfaceVersion", "interface_version"],
  ["addrTon", "addr_ton"],
  ["addrNpi", "addr_npi"],
  ["addressRange", "address_range"],
];

const MESSAGE_NAMES: Names<ShortMessage> = [
  ["serviceType", "service_type"],
  ["sourceAddrTon", "source_addr_ton"],
  ["sourceAddrNpi", "source_addr_npi"],
  ["sourceAddr", "source_addr"],
  ["destAddrTon", "dest_addr_ton"],
  ["destAddrNpi", "dest_addr_npi"],
  ["destinationAddr", "destination_addr"],
  ["esmClass", "esm_class"],
  ["protocolId", "protocol_id"],
  ["priorityFlag", "priority_flag"],
  ["scheduleDeliveryTime", "schedule_delivery_time"],
  ["validityPeriod", "validity_period"],
  ["registeredDelivery", "registered_delivery"],
  ["replaceIfPresentFlag", "replace_if_present_flag"],
  ["dataCoding", "data_coding"],
  ["smDefaultMsgId", "sm_default_msg_id"],
  ["shortMessage", "short_message"],
];

/** Optional parameters of our own, from the range that SMPP 3.4 leaves to vendors (section 5.3.2: 0x1400 to 0x3FFF). */
export const CLIENT_REFERENCE = 0x1400;
export const REFUSAL_REASON = 0x1401;
export const REFUSAL_SENTENCE = 0x1402;
/** The name under which a message's is read and written: the tables of the standard have none. */
const CLIENT_REFERENCE_NAME = "client_reference";

function nameOfTag(tag: number): string | undefined {
  return tag === CLIENT_REFERENCE ? CLIENT_REFERENCE_NAME : tlvsById[tag]?.tag;
}

function tagOfName(name: string): number | undefined {
  return name === CLIENT_REFERENCE_NAME ? CLIENT_REFERENCE : tlvs[name]?.id;
}

/** How an optional parameter is written: as octets, as a text with its NUL, or as a number of so many octets. */
const TLV_NAMES: readonly (readonly [keyof MessageTlvs, wire: string, as: "octets" | "text" | 1 | 2])[] = [
  ["messagePayload", "message_payload", "octets"],
  ["receiptedMessageId", "receipted_message_id", "text"],
  ["messageState", "message_state", 1],
  ["networkErrorCode", "network_error_code", "octets"],
  ["sarMsgRefNum", "sar_msg_ref_num", 2],
  ["sarTotalSegments", "sar_total_segments", 1],
  ["sarSegmentSeqnum", "sar_segment_seqnum", 1],
  ["userMessageReference", "user_message_reference", 2],
  ["clientReference", CLIENT_REFERENCE_NAME, "octets"],
];

/**
 * What query_sm and cancel_sm ask about (SMPP 3.4 sections 4.8.1 and 4.9.1). query_sm carries only the id and the source; read from
 * one the others are zero and empty.
 */
export type MessageOperation = {
  readonly serviceType: string;
  readonly messageId: string;
  readonly sourceAddrTon: number;
  readonly sourceAddrNpi: number;
  readonly sourceAddr: string;
  readonly destAddrTon: number;
  readonly destAddrNpi: number;
  readonly destinationAddr: string;
};

const NO_OPERATION: MessageOperation = {
  serviceType: "",
  messageId: "",
  sourceAddrTon: 0,
  sourceAddrNpi: 0,
  sourceAddr: "",
  destAddrTon: 0,
  destAddrNpi: 0,
  destinationAddr: "",
};

const OPERATION_NAMES: Names<MessageOperation> = [
  ["serviceType", "service_type"],
  ["messageId", "message_id"],
  ["sourceAddrTon", "source_addr_ton"],
  ["sourceAddrNpi", "source_addr_npi"],
  ["sourceAddr", "source_addr"],
  ["destAddrTon", "dest_addr_ton"],
  ["destAddrNpi", "dest_addr_npi"],
  ["destinationAddr", "destination_addr"],
];

/** The fields of an operation: those that its command does not have are not written. */
export function operationFields(operation: MessageOperation): WireFields {
  return named(operation, OPERATION_NAMES);
}

/** An operation as read. */
export function readOperation(wire: WireRead): MessageOperation {
  return readLike(NO_OPERATION, OPERATION_NAMES, wire);
}

export function bindFields(bind: BindFields): WireFields {
  return named(bind, BIND_NAMES);
}

/** The fields of a message. data_sm has only some of these: what a command does not have is not written. */
export function messageFields(message: ShortMessage): WireFields {
  return named(message, MESSAGE_NAMES);
}

function named<Fields>(fields: Fields, names: Names<Fields>): WireFields {
  const wire: Record<string, number | string | Buffer> = {};
  for (const [ours, name] of names) {
    const value = fields[ours];
    if (value instanceof Uint8Array) wire[name] = view(value);
    else if (typeof value === "number" || typeof value === "string") wire[name] = value;
  }
  return wire;
}

export function messageTlvs(tlvs: MessageTlvs): WireTlvs {
  const wire: Record<string, Buffer> = {};
  for (const [ours, name, as] of TLV_NAMES) {
    const value = tlvs[ours];
    if (typeof value === "number") wire[name] = uint(value, as === 2 ? 2 : 1);
    else if (typeof value === "string") wire[name] = Buffer.from(`${value}\0`, "latin1");
    else if (value !== undefined) wire[name] = view(value);
  }
  return wire;
}

/** The bind's fields as read; one that was not there is empty or 0. */
export function readBind(wire: WireRead): BindFields {
  return readLike(NO_BIND, BIND_NAMES, wire);
}

/** The message body as read, its octets copied out of the frame. */
export function readMessage(wire: WireRead): ShortMessage {
  const { shortMessage: octets, ...fields } = readLike(NO_MESSAGE, MESSAGE_NAMES, wire);
  return { ...fields, shortMessage: new Uint8Array(octets), tlvs: readTlvs(wire) };
}

/** The fields that were read, where each is of its kind; the others as they are in `empty`. */
function readLike<Fields extends Readonly<Record<string, unknown>>>(
  empty: Fields,
  names: Names<Fields>,
  wire: WireRead,
): Fields {
  const fields: Record<string, unknown> = { ...empty };
  for (const [ours, name] of names) {
    if (typeof wire[name] === typeof empty[ours]) fields[ours] = wire[name];
  }
  return fields as Fields;
}

function readTlvs(wire: WireRead): MessageTlvs {
  const tlvs: Record<string, Uint8Array | string | number> = {};
  for (const [ours, name, as] of TLV_NAMES) {
    const value = wire[name];
    if (!(value instanceof Uint8Array)) continue;
    const read = as === "octets" ? new Uint8Array(value) : as === "text" ? readText(value) : readUint(value);
    if (read !== undefined && read !== "") tlvs[ours] = read;
  }
  return tlvs;
}

/** An optional parameter as a big-endian number of 1 to 4 octets, whatever its length should have been. */
export function readUint(value: unknown): number | undefined {
  if (!(value instanceof Uint8Array) || value.length === 0 || value.length > 4) return undefined;
  return value.reduce((sum, octet) => sum * 256 + octet, 0);
}

/** An optional parameter as a text up to its NUL, or up to its end: some operators leave the NUL out. */
function readText(value: Uint8Array): string {
  const end = value.indexOf(0);
  return view(end < 0 ? value : value.subarray(0, end)).toString("latin1");
}

function view(value: Uint8Array): Buffer {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

/** A number as an optional parameter of 1 or 2 octets. */
export function uint(value: number, length: 1 | 2): Buffer {
  const written = Buffer.alloc(length);
  written.writeUIntBE(value, 0, length);
  return written;
}
