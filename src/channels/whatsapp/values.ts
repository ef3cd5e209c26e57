/**
 * What a recipient's values become inside a template: Meta takes no empty one, no line end, no tab and no run of spaces, and
 * no text over 1,024 characters (docs/behaviour.md#values-of-whatsapp). Pure.
 */
import type { Pieces } from "./fixed-text.ts";

/** Characters of a body once its parameters are filled in; of the code of an authentication template. */
const MAX_BODY_LENGTH = 1024;
const MAX_CODE_LENGTH = 15;

export type ValueFault = "RENDERED_VALUE_EMPTY" | "RENDERED_BODY_TOO_LONG";

/** A value as it is sent: outer white space goes, and every run inside is one space. */
export function normalizeValue(value: string): string {
  return value.replaceAll(/\s+/gu, " ").trim();
}

/**
 * Why values cannot be sent, null where they can. `pieces`: text and places in turn; `valueAt`: what stands in each place, as
 * `normalizeValue` made it. `isCode`: of an authentication template.
 */
export function findValueFault(
  pieces: Pieces,
  valueAt: (place: string) => string,
  isCode: boolean,
): ValueFault | null {
  let length = 0;
  let longest = 0;
  for (const [index, piece] of pieces.entries()) {
    const isPlace = index % 2 === 1;
    const text = isPlace ? valueAt(piece) : piece;
    if (isPlace && text === "") return "RENDERED_VALUE_EMPTY";
    const characters = charactersOf(text);
    length += characters;
    if (isPlace) longest = Math.max(longest, characters);
  }
  const isTooLong = length > MAX_BODY_LENGTH || (isCode && longest > MAX_CODE_LENGTH);
  return isTooLong ? "RENDERED_BODY_TOO_LONG" : null;
}

/** Whether a text without a template is longer than Meta takes one. */
export function isTooLong(text: string): boolean {
  return charactersOf(text) > MAX_BODY_LENGTH;
}

/** Code points; beyond the bound it is enough to know that there are more. */
function charactersOf(text: string): number {
  if (text.length > 2 * MAX_BODY_LENGTH) return text.length;
  return Array.from(text).length;
}
