/** Octets that are no valid PDU, as broken operators and middleboxes write them. */
import type { Chance } from "../core/chance.ts";
import { COMMAND_IDS, encodePdu } from "../smpp/pdu.ts";
import { shortMessage } from "../smpp/short-message.ts";
import { HEADER_OCTETS, toHeader } from "../smpp/wire-format.ts";

/**
 * What broken operators and middleboxes put on the wire. After `short_length`, `huge_length` and `random` the start of
 * the next PDU is unknown, so the other side has to hang up; the others it has to survive.
 */
export const GARBAGE_KINDS = [
  "unknown_command",
  "stray_response",
  "cut_short",
  "unterminated",
  "long_tlv",
  "unknown_tlv",
  "reserved_status",
  "short_length",
  "huge_length",
  "random",
] as const;

export type GarbageKind = (typeof GARBAGE_KINDS)[number];

const QUERY_SM = 0x03;

/** Octets of one kind. `sequence` is fresh, so that they answer no request of the other side. */
export function garbage(kind: GarbageKind, sequence: number, chance: Chance): Uint8Array {
  switch (kind) {
    case "unknown_command":
      return frame(QUERY_SM, 0, sequence, Buffer.from("1\0\0\0\0", "latin1"));
    case "stray_response":
      return frame(COMMAND_IDS.submit_sm_resp, 0, sequence + 0x4000_0000, Buffer.from("stray\0", "latin1"));
    case "cut_short":
      return withLength(deliverSm(sequence, Buffer.from("garbage")).subarray(0, HEADER_OCTETS + 5));
    case "unterminated":
      return frame(COMMAND_IDS.deliver_sm, 0, sequence, Buffer.alloc(40, 0x41));
    case "long_tlv":
      return withBrokenParameter(deliverSm(sequence, new Uint8Array(0)));
    case "unknown_tlv":
      // enquire_link may carry no body at all; a vendor's parameter behind it must not matter.
      return frame(COMMAND_IDS.enquire_link, 0, sequence, Buffer.from([0x14, 0x01, 0, 2, 0xab, 0xcd]));
    case "reserved_status":
      return frame(COMMAND_IDS.enquire_link, 0xdead_beef, sequence, Buffer.alloc(0));
    case "short_length":
      return Buffer.from([0, 0, 0, 8, 0, 0, 0, 0x15]);
    case "huge_length":
      return Buffer.from([0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 1]);
    case "random":
      return Buffer.concat([Uint8Array.of(0xff), chance.bytes(63)]);
  }
}

/** A whole PDU, and behind it a user_message_reference that claims 255 octets and has two. */
export function withBrokenParameter(octets: Uint8Array): Buffer {
  return withLength(Buffer.concat([octets, Uint8Array.of(0x02, 0x04, 0x00, 0xff, 0, 1)]));
}

function deliverSm(sequence: number, text: Uint8Array): Buffer {
  const message = shortMessage({
    sourceAddr: "22670000000",
    destinationAddr: "GARBAGE",
    shortMessage: text,
  });
  return Buffer.from(encodePdu({ command: "deliver_sm", sequence, status: 0, message }));
}

function frame(commandId: number, status: number, sequence: number, body: Uint8Array): Buffer {
  const whole = toHeader(commandId, status, sequence, HEADER_OCTETS + body.length);
  whole.set(body, HEADER_OCTETS);
  return whole;
}

function withLength(octets: Buffer): Buffer {
  octets.writeUInt32BE(octets.length, 0);
  return octets;
}
