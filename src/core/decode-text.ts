/** Decodes the bytes of a text file, whose encoding is detected from them. */

const UTF_16_MARKS: readonly (readonly [number, number, "utf-16le" | "utf-16be"])[] = [
  [0xff, 0xfe, "utf-16le"],
  [0xfe, 0xff, "utf-16be"],
];
const UTF_8_MARK: readonly number[] = [0xef, 0xbb, 0xbf];

/** Replaces what could not be read. */
export const REPLACEMENT_CHARACTER = "\ufffd";

/**
 * The text of a file: UTF-16 or UTF-8 where a byte order mark says so, else UTF-8 where most of what is not ASCII is that, else
 * Windows-1252, which spreadsheets of Western Europe write. The mark is no part of it. Octets that are not in the file's encoding
 * are `REPLACEMENT_CHARACTER`.
 */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const marked = UTF_16_MARKS.find(([one, two]) => one === first && two === second);
  if (marked) return new TextDecoder(marked[2]).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const isUtf8 = UTF_8_MARK.every((octet, at) => bytes[at] === octet) || isMostlyUtf8(bytes);
    return new TextDecoder(isUtf8 ? "utf-8" : "windows-1252").decode(bytes);
  }
}

/** The line of a text, from 1, in which something was lost; null where nothing was. */
export function findLostLine(text: string): number | null {
  const at = text.indexOf(REPLACEMENT_CHARACTER);
  return at === -1 ? null : text.slice(0, at).split(/\r\n|\r|\n/).length;
}

/** Whether there are as many sequences of UTF-8 as octets that are none: in Windows-1252 hardly a letter with an accent looks like one. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  let [valid, broken] = [0, 0];
  for (let at = 0; at < bytes.length; ) {
    const octet = bytes[at] ?? 0;
    if (octet < 0x80) {
      at += 1;
      continue;
    }
    const length = sequenceAt(bytes, at);
    if (length > 0) valid += 1;
    else broken += 1;
    at += Math.max(1, length);
  }
  return valid > 0 && valid >= broken;
}

/** The length in octets of the UTF-8 sequence beyond ASCII that begins at an offset (RFC 3629 section 4); 0 where none does. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const second = bytes[at + 1] ?? 0;
  const follows = (place: number): boolean => ((bytes[at + place] ?? 0) & 0xc0) === 0x80;
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const isWithin = first === 0xe0 ? second >= 0xa0 : first === 0xed ? second <= 0x9f : true;
    return isWithin && follows(1) && follows(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const isWithin = first === 0xf0 ? second >= 0x90 : first === 0xf4 ? second <= 0x8f : true;
    return isWithin && follows(1) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}
