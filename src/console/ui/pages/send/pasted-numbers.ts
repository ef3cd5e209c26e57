/** Parts of what people paste between which numbers end; spaces are inside of numbers. */
const BETWEEN = /[\n,;\t]+/;
const LIKE_A_NUMBER = /^'?\+?[\d\s().-]{8,20}$/;

/**
 * What was pasted as a file: numbers in a row become one a line. What has something else beside them stays as it is, rows and columns
 * as out of a spreadsheet.
 */
export function toPastedFile(text: string): string {
  const parts = text
    .split(BETWEEN)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return parts.every((part) => LIKE_A_NUMBER.test(part)) ? parts.join("\n") : text;
}
