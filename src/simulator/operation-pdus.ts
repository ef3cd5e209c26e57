/**
 * The operations that only a centre is asked for: query_sm, cancel_sm, replace_sm, submit_multi (SMPP 3.4 sections 4.5,
 * 4.8, 4.9 and 4.10). The appliance never sends them, so they are read here and not in the codec.
 */
import { readFrame, type WireFields, type WireRead, writeFrame } from "../smpp/pdu-frame.ts";
import type { ShortMessage } from "../smpp/short-message.ts";
import { readMessage } from "../smpp/wire-fields.ts";

const OPERATIONS = { 3: "query_sm", 7: "replace_sm", 8: "cancel_sm", 33: "submit_multi" } as const;

export type OperationName = (typeof OPERATIONS)[keyof typeof OPERATIONS];

/** A destination of a submit_multi: a number's message, or the name of a list, of which this operator has none. */
export type MultiDestination = ShortMessage | string;

/** An operation as read; what it does not have is empty. */
export type Operation = {
  readonly name: OperationName;
  readonly sequence: number;
  /** Empty in a cancel_sm: every message between the two addresses. */
  readonly messageId: string;
  /** Addresses, text and what else it shares with a submit_sm. */
  readonly message: ShortMessage;
  readonly destinations: readonly MultiDestination[];
};

/** The operation in a whole frame; null for any other command, "broken" where its fields are not all there. */
export function readOperation(octets: Uint8Array): Operation | "broken" | null {
  const frame = Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength);
  const names: Readonly<Record<number, OperationName>> = OPERATIONS;
  const name = names[frame.readUInt32BE(4)];
  if (name === undefined) return null;
  const { wire, fault } = readFrame(name, frame);
  if (fault !== 0) return "broken";
  const message = readMessage(wire);
  const messageId = typeof wire.message_id === "string" ? wire.message_id : "";
  const destinations = destinationsOf(wire, message);
  return { name, sequence: frame.readUInt32BE(12), messageId, message, destinations };
}

/** Of a submit_multi everything but its list of destinations is as in submit_sm: each becomes one. */
function destinationsOf({ dest_address: list }: WireRead, message: ShortMessage): MultiDestination[] {
  const each = Array.isArray(list) ? (list as WireRead[]) : [];
  return each.map(({ dl_name: name, dest_addr_ton: ton, dest_addr_npi: npi, destination_addr: number }) => {
    if (typeof name === "string") return name;
    const address = { destAddrTon: Number(ton), destAddrNpi: Number(npi), destinationAddr: String(number) };
    return { ...message, ...address };
  });
}

/** The response to an operation; one that is refused has no body. */
export function operationResponse(
  { name, sequence }: Operation,
  status: number,
  body: WireFields = {},
): Uint8Array {
  return writeFrame(`${name}_resp`, status, sequence, status === 0 ? body : null);
}
