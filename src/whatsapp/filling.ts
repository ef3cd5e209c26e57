/**
 * A text with values in its places, and the values out of it again. What is kept of a message is its text as the user reads it, so what
 * is put into Meta's parameters is cut out of that. Where it can be cut in more than one way, each way reads the same. Pure.
 */
import { prepare } from "../text/segments.ts";
import { type Pieces, placesOf } from "./fixed-text.ts";

/** Text and places in turn, the text as it is counted. */
export function preparedPieces(pieces: Pieces): Pieces {
  return pieces.map((piece, index) => (index % 2 === 0 ? prepare(piece) : piece));
}

/** The text with a value in each place. `pieces`: prepared. */
export function filled(pieces: Pieces, valueAt: (place: string) => string): string {
  return pieces.map((piece, index) => (index % 2 === 0 ? piece : valueAt(piece))).join("");
}

/** Tries before a text is given up: one whose places do not repeat takes one for each. */
const MOST_TRIES = 20_000;

/** The values that a text was filled with, in the order of their places' first appearance; null for a text that has none such. */
export function valuesIn(pieces: Pieces, text: string): readonly string[] | null {
  const values = new Map<string, string>();
  const last = pieces.length - 1;
  let tries = 0;
  /** Whether the text from `at` on can be cut by the pieces from `index` on, which begin with fixed text. */
  const fits = (index: number, at: number): boolean => {
    tries += 1;
    const fixed = pieces[index] ?? "";
    if (tries > MOST_TRIES || !text.startsWith(fixed, at)) return false;
    const from = at + fixed.length;
    const place = pieces[index + 1];
    if (place === undefined) return from === text.length;
    const known = values.get(place);
    if (known !== undefined) return text.startsWith(known, from) && fits(index + 2, from + known.length);
    const next = pieces[index + 2] ?? "";
    const isLast = index + 2 === last;
    let end = isLast ? Math.max(from + 1, text.length - next.length) : text.indexOf(next, from + 1);
    while (end !== -1 && end <= text.length) {
      values.set(place, text.slice(from, end));
      if (fits(index + 2, end)) return true;
      end = isLast || tries > MOST_TRIES ? -1 : nextEnd(text, next, end + 1);
    }
    values.delete(place);
    return false;
  };
  return fits(0, 0) ? placesOf(pieces).map((place) => values.get(place) ?? "") : null;
}

function nextEnd(text: string, next: string, from: number): number {
  return from > text.length ? -1 : text.indexOf(next, from);
}
