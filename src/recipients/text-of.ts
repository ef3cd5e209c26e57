/** How the bytes of a text file are coded, found by what they are. */

const UTF_16_MARKS: readonly (readonly [number, number, "utf-16le" | "utf-16be"])[] = [
  [0xff, 0xfe, "utf-16le"],
  [0xfe, 0xff, "utf-16be"],
];

/**
 * The text of a file: UTF-16 where a byte order mark says so, else UTF-8, else Windows-1252, which spreadsheets of Western Europe
 * write. The mark is no part of it.
 */
export function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const marked = UTF_16_MARKS.find(([one, two]) => one === first && two === second);
  if (marked) return new TextDecoder(marked[2]).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
