/**
 * A PDU as octets, field by field: a header, the mandatory fields in the order of their command, optional parameters
 * behind them (SMPP 3.4 chapter 3). The tables of the `smpp` package tell which fields a command has and how each is
 * written. Its own reader is left alone: it guesses how texts are coded, turns times into dates and believes every
 * length. Here message octets and optional parameters stay as they are, and lengths are held against the frame's.
 */
import { commands, type FieldType, tlvs, tlvsById } from "smpp/lib/defs.js";
import { assert } from "../core/assert.ts";

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
 * longer than the frame only a text, which is worth having without its end. A cut id or number would be another one.
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
    const name = tlvsById[frame.readUInt16BE(offset)]?.tag;
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

/** A whole frame of a command with these fields and optional parameters; null leaves its body out, as errors may. */
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
    const id = tlvs[name]?.id;
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
