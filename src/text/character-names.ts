/**
 * Names of characters, for people who look for the one that makes their text dearer: Latin letters, punctuation, spaces, currency
 * signs, arrows and emoji. A line of the table is a code point in hexadecimal and its name, from the Unicode Character Database
 * 14.0 (© Unicode, Inc.; unicode.org/license.txt).
 */
import table from "./character-names.txt" with { type: "text" };

/** With a line break before each line. */
const LINES = `\n${table}`;

/** The name of a character in Unicode; null for one of another kind. */
export function characterName(character: string): string | null {
  const head = `\n${hexOf(character)} `;
  const at = LINES.indexOf(head);
  return at === -1 ? null : LINES.slice(at + head.length, LINES.indexOf("\n", at + head.length));
}

/** As Unicode writes it: `U+00E7`. */
export function renderCodePoint(character: string): string {
  return `U+${hexOf(character).padStart(4, "0")}`;
}

function hexOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
}
