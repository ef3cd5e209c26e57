/** The fields of binds and messages, ours and the wire's (SMPP 3.4 chapter 4), and their optional parameters. */
import type { WireFields, WireRead, WireTlvs } from "./pdu-frame.ts";
import { type MessageTlvs, type ShortMessage, shortMessage } from "./short-message.ts";

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

/** How an optional parameter is written: as octets, as a text with its NUL, or as a number of so many octets. */
const TLV_NAMES: readonly (readonly [keyof MessageTlvs, wire: string, as: "octets" | "text" | 1 | 2])[] = [
  ["messagePayload", "message_payload", "octets"],
  ["receiptedMessageId", "receipted_message_id", "text"],
  ["messageState", "message_state", 1],
  ["networkErrorCode", "network_error_code", "octets"],
  ["sarMsgRefNum", "sar_msg_ref_num", 2],
  ["sarTotalSegments", "sar_total_segments", 1],
  ["sarSegmentSeqnum", "sar_segment_seqnum", 1],
];

export function bindFields(bind: BindFields): WireFields {
  return named(bind, BIND_NAMES);
}

/** data_sm has some of these only: what a command does not have is not written. */
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
