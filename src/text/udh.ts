import { assert } from "../core/assert.ts";

/** The place of a part in a long message. */
export type Concatenation = {
  /** The same in all parts of a message; 8 or 16 bits. */
  readonly reference: number;
  readonly total: number;
  /** From 1. */
  readonly part: number;
};

/** Information elements of the user data header (3GPP TS 23.040 sections 9.2.3.24.1 and 9.2.3.24.8). */
const CONCATENATION_8_BIT = 0x00;
const CONCATENATION_16_BIT = 0x08;

/** The header of one part, with an 8-bit reference: `05 00 03 reference total part`. */
export function concatenationHeader({ reference, total, part }: Concatenation): Uint8Array {
  assert(total <= 255 && part >= 1 && part <= total, `part ${part} of ${total} has a place in the header`);
  return Uint8Array.of(5, CONCATENATION_8_BIT, 3, reference & 0xff, total, part);
}

/** The user data header at the front of a text: its concatenation, and the text's octets. */
export type UserData = { readonly concatenation: Concatenation | null; readonly body: Uint8Array };

/**
 * Reads the user data header of a text whose esm_class says it has one. Elements other than concatenation, and those
 * that make no sense, are passed over; of several the last counts (3GPP TS 23.040 section 9.2.3.24). A header longer
 * than the text leaves all octets as the text.
 */
export function parseUserData(octets: Uint8Array): UserData {
  const end = (octets[0] ?? 0) + 1;
  if (end > octets.length) return { concatenation: null, body: octets };
  let concatenation: Concatenation | null = null;
  for (let at = 1; at + 1 < end; ) {
    const id = octets[at];
    const size = octets[at + 1] ?? 0;
    const data = octets.subarray(at + 2, Math.min(at + 2 + size, end));
    concatenation = concatenationOf(id, data) ?? concatenation;
    at += 2 + size;
  }
  return { concatenation, body: octets.subarray(end) };
}

/**
 * Reads the user data header of a text as a gateway must that joins the parts: null where the header is longer than the text, has
 * elements other than concatenation, or a part 0 or above the total. What is passed over would be lost, or shown as text.
 */
export function readConcatenation(octets: Uint8Array): (UserData & { readonly bits: 8 | 16 }) | null {
  const end = (octets[0] ?? 0) + 1;
  if (end > octets.length) return null;
  let concatenation: Concatenation | null = null;
  let bits: 8 | 16 = 8;
  let at = 1;
  while (at < end) {
    const after = at + 2 + (octets[at + 1] ?? 0);
    if (at + 2 > end || after > end) return null;
    concatenation = concatenationOf(octets[at], octets.subarray(at + 2, after));
    if (concatenation === null) return null;
    bits = octets[at] === CONCATENATION_16_BIT ? 16 : 8;
    at = after;
  }
  return { concatenation, body: octets.subarray(end), bits };
}

/** Null for another element, one cut short, and an impossible place: part 0, or beyond the total. */
function concatenationOf(id: number | undefined, data: Uint8Array): Concatenation | null {
  if (id === CONCATENATION_8_BIT && data.length === 3) return placeOf(data[0], data[1], data[2]);
  if (id !== CONCATENATION_16_BIT || data.length !== 4) return null;
  return placeOf((data[0] ?? 0) * 256 + (data[1] ?? 0), data[2], data[3]);
}

function placeOf(reference = 0, total = 0, part = 0): Concatenation | null {
  return part >= 1 && part <= total ? { reference, total, part } : null;
}
