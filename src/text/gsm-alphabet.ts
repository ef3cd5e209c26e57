/**
 * The GSM 7-bit default alphabet and its extension table (3GPP TS 23.038 sections 6.2.1 and 6.2.1.1), one septet
 * an octet as SMPP carries it.
 */

/** Position in this text is the septet. U+001B stands for the escape to the extension table. */
const DEFAULT =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
  "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";

const EXTENSION: readonly (readonly [character: string, septet: number])[] = [
  ["\f", 0x0a],
  ["^", 0x14],
  ["{", 0x28],
  ["}", 0x29],
  ["\\", 0x2f],
  ["[", 0x3c],
  ["~", 0x3d],
  ["]", 0x3e],
  ["|", 0x40],
  ["€", 0x65],
];

export const ESCAPE = 0x1b;

/** Marks code units outside the alphabet. */
const NONE = 0xff;
/** Set in the table for characters of the extension table. */
const EXTENDED = 0x80;

/** Septet of each UTF-16 code unit; the alphabet has none above U+20AC. */
const SEPTETS = new Uint8Array(0x20ad).fill(NONE);
const EXTENSION_CHARACTERS = new Map<number, string>();
for (const [septet, character] of [...DEFAULT].entries()) {
  if (septet !== ESCAPE) SEPTETS[character.charCodeAt(0)] = septet;
}
for (const [character, septet] of EXTENSION) {
  SEPTETS[character.charCodeAt(0)] = septet | EXTENDED;
  EXTENSION_CHARACTERS.set(septet, character);
}

/** How many septets a UTF-16 code unit takes: 1, 2 for the extension table, 0 when the alphabet lacks it. */
export function countSeptets(codeUnit: number): 0 | 1 | 2 {
  const septet = SEPTETS[codeUnit] ?? NONE;
  if (septet === NONE) return 0;
  return septet & EXTENDED ? 2 : 1;
}

/** A text in septets, one an octet; null when a character is not in the alphabet. */
export function encodeGsm(text: string): Uint8Array | null {
  const octets = new Uint8Array(text.length * 2);
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    const septet = SEPTETS[text.charCodeAt(index)] ?? NONE;
    if (septet === NONE) return null;
    if (septet & EXTENDED) octets[length++] = ESCAPE;
    octets[length++] = septet & 0x7f;
  }
  return octets.slice(0, length);
}

/**
 * The text of septets, one an octet; any octets give a text. As 3GPP TS 23.038 section 6.2.1.1 asks of a receiver, an
 * escape to a position that the extension table lacks shows the character of the default alphabet there, and an
 * escape to a further table a space; so does a last, lone one. Octets above 0x7F are no septets and show "?".
 */
export function decodeGsm(octets: Uint8Array): string {
  let text = "";
  for (let index = 0; index < octets.length; index++) {
    const octet = octets[index] ?? 0;
    if (octet !== ESCAPE) {
      text += DEFAULT[octet] ?? "?";
      continue;
    }
    const next = octets[++index] ?? ESCAPE;
    text += next === ESCAPE ? " " : (EXTENSION_CHARACTERS.get(next) ?? DEFAULT[next] ?? "?");
  }
  return text;
}

/** What data_coding 0 means to an SMSC: GSM 7-bit, or one that it turns into GSM 7-bit for the air. */
export type DefaultAlphabet = "gsm" | "latin1" | "ascii";

/**
 * A text for an SMSC whose data_coding 0 is this alphabet, one octet a character (two for GSM's extension table);
 * null when it does not fit, and then it must travel as UCS-2. Of Latin-1 only what GSM 7-bit has fits too: the SMSC
 * would show the handset something else in place of `ç`.
 */
export function encodeDefaultAlphabet(text: string, alphabet: DefaultAlphabet): Uint8Array | null {
  if (alphabet === "gsm") return encodeGsm(text);
  const highest = alphabet === "ascii" ? 0x7f : 0xff;
  const octets = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > highest || countSeptets(unit) === 0) return null;
    octets[index] = unit;
  }
  return octets;
}
