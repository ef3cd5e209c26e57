/** Separators of pasted numbers; spaces are part of numbers. */
const BETWEEN = /[\n,;\t]+/;
const LIKE_A_NUMBER = /^'?\+?[\d\s().-]{8,20}$/;

/**
 * Pasted text as a file: numbers in a row become one a line. A line with anything else stays as it is, rows and columns
 * as out of a spreadsheet.
 */
export function toPastedFile(text: string): string {
  const parts = text
    .split(BETWEEN)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return parts.every((part) => LIKE_A_NUMBER.test(part)) ? parts.join("\n") : text;
}
