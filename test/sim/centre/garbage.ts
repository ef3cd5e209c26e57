import type { Chance } from "../../../src/core/chance.ts";
import { oneOf } from "../chance.ts";
import { COMMAND, cString, pduOf, RESPONSE } from "./pdu.ts";

export type Garbage = {
  readonly name: string;
  readonly octets: Uint8Array;
  /** Whether it has the frame of a PDU, whatever stands in it. */
  readonly isPdu: boolean;
};

/** A sequence number that the appliance does not reach. */
const NEVER_USED = 0x7ffffff0;
const NO_COMMAND = 0x00007777;

/** Something that a centre should not write. */
export function garbageOf(chance: Chance): Garbage {
  const kind = oneOf(chance, [
    "noise",
    "too long",
    "too short",
    "no command",
    "no request",
    "half a body",
  ] as const);
  const noise = chance.bytes(64);
  const name = `garbage (${kind})`;
  switch (kind) {
    case "noise":
      return { name, octets: noise, isPdu: false };
    case "too long":
      return { name, octets: Uint8Array.from([0x7f, 0xff, 0xff, 0xff, ...noise]), isPdu: false };
    case "too short":
      return { name, octets: Uint8Array.from([0, 0, 0, 8, 0, 0, 0, 5]), isPdu: false };
    case "no command":
      return { name, octets: pduOf({ command: NO_COMMAND, sequence: NEVER_USED }, noise), isPdu: true };
    case "no request": {
      const command = COMMAND.submit_sm + RESPONSE;
      return { name, octets: pduOf({ command, sequence: NEVER_USED }, cString("900000000")), isPdu: true };
    }
    case "half a body":
      return {
        name,
        octets: pduOf({ command: COMMAND.deliver_sm, sequence: NEVER_USED }, noise.slice(0, 9)),
        isPdu: true,
      };
  }
}
