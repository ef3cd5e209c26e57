/**
 * Control and format characters, such as those that move a cursor (ECMA-48) or turn the direction of what follows (bidi marks), where
 * they are printed: a terminal would obey them, and texts, names and addresses come from anybody.
 */

/** Also unassigned and private characters and single surrogates, of which nobody knows what a terminal makes. */
const CONTROLS = /\p{C}/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A text on one line with each of them as JSON writes it, such as `\u001b`; within a JSON text it decodes to the same. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (found) => SHORT[found] ?? unitsOf(found));
}

/** The same of a text in lines of our own, which stay lines. */
export function escapeLines(text: string): string {
  return text.split("\n").map(escapeControls).join("\n");
}

/** A value as a JSON text that holds none of them. */
export function printableJson(value: unknown): string {
  return escapeControls(JSON.stringify(value));
}

/** Each UTF-16 unit of a character as `\uXXXX`. */
function unitsOf(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");
}
