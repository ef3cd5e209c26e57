/**
 * PDUs by the tables of the `smpp` package: binds and whatever else is seldom. What every message needs is written and read
 * field by field (pdu.ts); that both lead to the same is tested.
 */
import { assert } from "../core/assert.ts";
import { COMMAND_IDS, type Command, isResponseId } from "./command.ts";
import {
  type LengthFault,
  RINVCMDLEN,
  RINVOPTPARSTREAM,
  readFrame,
  type WireFields,
  type WireRead,
  type WireTlvs,
  writeFrame,
} from "./pdu-frame.ts";
import type { Decoded, Pdu, PduHeader, UndecodablePdu } from "./pdu-kinds.ts";
import {
  bindFields,
  messageFields,
  messageTlvs,
  readBind,
  readMessage,
  readUint,
  uint,
} from "./wire-fields.ts";
import { MAX_SHORT_MESSAGE_LENGTH } from "./write-message.ts";

/** What data_sm allows (SMPP 3.4 section 4.7.1); elsewhere it is 20, which some exceed. */
const MAX_ADDRESS_LENGTH = 64;
/** What is answered to an address without measure. */
const RINVSRCADR = 0x0a;
const RINVDSTADR = 0x0b;
// biome-ignore lint/suspicious/noControlCharactersInRegex: every ASCII character but NUL is what the wire takes
const ASCII = /^[\x01-\x7f]*$/;

/** Any PDU as octets, by the tables: `encodePdu` of those that are seldom. */
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
  if ("messageId" in pdu) return { message_id: pdu.messageId ?? "" };
  if ("password" in pdu) return { system_id: pdu.systemId, password: pdu.password };
  return "systemId" in pdu ? { system_id: pdu.systemId ?? "" } : {};
}

function wireTlvs(pdu: Pdu): WireTlvs {
  if ("message" in pdu) return messageTlvs(pdu.message.tlvs);
  const isVersioned = "scInterfaceVersion" in pdu && pdu.scInterfaceVersion !== null;
  return isVersioned ? { sc_interface_version: uint(pdu.scInterfaceVersion, 1) } : {};
}

/** A whole frame of a command that we speak, read by the tables: `decodePdu` of those that are seldom. */
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

/** What was read of a PDU, with a broken optional parameter behind it or without one. */
export function readAs(pdu: Pdu, isBroken: boolean): Decoded {
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
      return { command, ...header };
  }
}

/** A request whose lengths do not agree. */
export function broken(command: Command, sequence: number, fault: Exclude<LengthFault, 0>): UndecodablePdu {
  const reason = fault === RINVCMDLEN ? `${command} is cut short` : brokenParameters(command);
  return failure(COMMAND_IDS[command], sequence, fault, reason);
}

/** What is told of a message with a broken optional parameter: never the content, which may be a subscriber's. */
export const brokenParameters = (command: Command): string => `${command} has broken optional parameters`;

/** A request with an address that nobody has; null when both are of some length. */
export function findOversized(
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

export function failure(commandId: number, sequence: number, status: number, reason: string): UndecodablePdu {
  return { ok: false, commandId, sequence, status, reason };
}

/** A text of a response; null where its body was left out. */
function readTextOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : 0;
}
