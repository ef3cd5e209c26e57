import { COMMAND_IDS, type Command, commandOf } from "./command.ts";
import { appendOctets, type PduBuffer, pduBuffer, roomIn } from "./pdu-buffer.ts";
import { HEADER_OCTETS, RINVCMDLEN } from "./pdu-frame.ts";
import type { Decoded, Pdu } from "./pdu-kinds.ts";
import { broken, decodeByTable, encodeByTable, failure, immoderate, readAs } from "./pdu-tables.ts";
import { readMessageBody, readResponseId } from "./read-message.ts";
import type { ShortMessage } from "./short-message.ts";
import { mostOctets, writeMessageBody, writeText } from "./write-message.ts";

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
      const octets = roomIn(buffer, HEADER_OCTETS + mostOctets(pdu.message));
      const begin = buffer.length + HEADER_OCTETS;
      appendHeader(buffer, command, status, sequence, writeMessageBody(octets, begin, pdu.message));
      return;
    }
    case "submit_sm_resp":
    case "deliver_sm_resp":
    case "data_sm_resp": {
      const { messageId } = pdu;
      const octets = roomIn(buffer, HEADER_OCTETS + (messageId?.length ?? 0) + 1);
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
      roomIn(buffer, HEADER_OCTETS);
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
  const command = commandOf(commandId);
  switch (command) {
    case undefined:
      return { ok: true, pdu: { command: "unsupported", commandId, sequence, status } };
    case "submit_sm":
    case "deliver_sm": {
      const { message, fault } = readMessageBody(buffer);
      if (message === null) return broken(command, sequence, fault);
      return (
        immoderate(command, sequence, message.sourceAddr, message.destinationAddr) ??
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
