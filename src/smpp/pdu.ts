import { assert } from "../base/assert.ts";
import { type BindKind, type Command, commandOf, isResponseId } from "./command.ts";
import {
  HEADER_OCTETS,
  RINVCMDLEN,
  readFrame,
  type WireFields,
  type WireRead,
  type WireTlvs,
  writeFrame,
} from "./pdu-frame.ts";
import type { ShortMessage } from "./short-message.ts";
import {
  type BindFields,
  bindFields,
  messageFields,
  messageTlvs,
  readBind,
  readMessage,
  readUint,
  uint,
} from "./wire-fields.ts";

type PduHeader = { readonly sequence: number; readonly status: number };

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
      }
    | {
        readonly command:
          | "unbind"
          | "unbind_resp"
          | "enquire_link"
          | "enquire_link_resp"
          | "generic_nack"
          | "alert_notification";
      }
    | { readonly command: "outbind"; readonly systemId: string; readonly password: string }
    /** Read only: a command we do not speak, such as query_sm. Its body is not looked at. */
    | { readonly command: "unsupported"; readonly commandId: number }
  );

export type Decoded =
  | { readonly ok: true; readonly pdu: Pdu }
  | {
      readonly ok: false;
      readonly commandId: number;
      readonly sequence: number;
      /** The command_status to answer with: 0x02, 0x0A, 0x0B or 0xC0 (SMPP 3.4 section 5.1.3). */
      readonly status: number;
      readonly reason: string;
    };

const LONGEST_SHORT_MESSAGE = 254;
/** What data_sm allows (SMPP 3.4 section 4.7.1); elsewhere it is 20, which some exceed. */
const LONGEST_ADDRESS = 64;
/** Fields that are kept as they come, and what is answered to one without measure. */
const ADDRESSES = [
  ["source_addr", 0x0a],
  ["destination_addr", 0x0b],
] as const;
// biome-ignore lint/suspicious/noControlCharactersInRegex: every ASCII character but NUL is what the wire takes
const ASCII = /^[\x01-\x7f]*$/;

/**
 * A PDU as octets. Texts must be ASCII without NUL, which would shift every later field, and short_message at most
 * 254 octets: what else comes in here is a bug. A response with an error status carries a body only when a text was given.
 */
export function encodePdu(pdu: Pdu): Uint8Array {
  assert(pdu.command !== "unsupported", "an unsupported command cannot be encoded");
  assert(
    !("message" in pdu) || pdu.message.shortMessage.length <= LONGEST_SHORT_MESSAGE,
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
 * the frame. Responses are read leniently: an error may come with or without its body, and an id without its NUL.
 */
export function decodePdu(frame: Uint8Array): Decoded {
  const buffer = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
  if (buffer.length < HEADER_OCTETS) return failure(0, 0, RINVCMDLEN, "shorter than a header");
  const commandId = buffer.readUInt32BE(4);
  const status = buffer.readUInt32BE(8);
  const sequence = buffer.readUInt32BE(12);
  if (buffer.readUInt32BE(0) !== buffer.length) {
    return failure(commandId, sequence, RINVCMDLEN, "command_length is not the frame's length");
  }
  const command = commandOf(commandId);
  if (command === undefined) {
    return { ok: true, pdu: { command: "unsupported", commandId, sequence, status } };
  }
  const { wire, fault } = readFrame(command, buffer);
  if (!isResponseId(commandId)) {
    if (fault === RINVCMDLEN) return failure(commandId, sequence, fault, `${command} is cut short`);
    if (fault !== 0) return failure(commandId, sequence, fault, `${command} has broken optional parameters`);
    for (const [name, refusal] of ADDRESSES) {
      if (lengthOf(wire[name]) > LONGEST_ADDRESS) {
        return failure(commandId, sequence, refusal, `${command} has an address without measure`);
      }
    }
  }
  return { ok: true, pdu: readPdu(command, { sequence, status }, wire) };
}

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

function failure(commandId: number, sequence: number, status: number, reason: string): Decoded {
  return { ok: false, commandId, sequence, status, reason };
}

/** A text of a response; null where its body was left out. */
function readTextOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : 0;
}
