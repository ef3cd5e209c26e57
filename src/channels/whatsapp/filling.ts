/**
 * A text with values in its places, and the values out of it again. What is kept of a message is its text as the user reads it, so what
 * is put into Meta's parameters is cut out of that. Where it can be cut in more than one way, each way reads the same. Pure.
 */
import { normalizeText } from "../../text/segments.ts";
import { type Pieces, listPlaceholders } from "./fixed-text.ts";

/** Text and places in turn, the text as it is counted. */
export function preparePieces(pieces: Pieces): Pieces {
  return pieces.map((piece, index) => (index % 2 === 0 ? normalizeText(piece) : piece));
}

/** The text with a value in each place. `pieces`: prepared. */
export function filled(pieces: Pieces, valueAt: (place: string) => string): string {
  return pieces.map((piece, index) => (index % 2 === 0 ? piece : valueAt(piece))).join("");
}

/** Tries before a text is given up: one whose places do not repeat takes a few for each of its characters. */
const MAX_TRIES = 60_000;

/** What a text still has to hold from a piece of fixed text on. */
type Rest = { readonly fixed: number; readonly places: ReadonlyMap<string, number> };

/** The values that a text was filled with, in the order of their places' first appearance; null for a text that has none such. */
export function extractValues(pieces: Pieces, text: string): readonly string[] | null {
  const rests = restsOf(pieces);
  const values = new Map<string, string>();
  // Where the rest was found not to fit, under what is known of places that come again.
  let dead = new Set<string>();
  let tries = 0;

  /** Whether the text from `at` on can be cut by the pieces from `index` on, which begin with fixed text. */
  const fits = (index: number, at: number): boolean => {
    tries += 1;
    const key = `${index} ${at}`;
    if (tries > MAX_TRIES || dead.has(key)) return false;
    const isFit = fitsFrom(index, at);
    if (!isFit) dead.add(key);
    return isFit;
  };
  const fitsFrom = (index: number, at: number): boolean => {
    const fixed = pieces[index] ?? "";
    if (!text.startsWith(fixed, at)) return false;
    const from = at + fixed.length;
    const place = pieces[index + 1];
    if (place === undefined) return from === text.length;
    const known = values.get(place);
    if (known !== undefined) return text.startsWith(known, from) && fits(index + 2, from + known.length);
    const { shortest, longest } = roomOf(place, rests[index + 1], values, text.length - from);
    const comesAgain = rests[index + 2]?.places.has(place) === true;
    const next = pieces[index + 2] ?? "";
    const outer = dead;
    for (let end = from + shortest; end <= from + longest; end++) {
      end = text.indexOf(next, end);
      if (end === -1 || end > from + longest || tries > MAX_TRIES) break;
      values.set(place, text.slice(from, end));
      if (comesAgain) dead = new Set();
      const isFit = fits(index + 2, end);
      dead = outer;
      if (isFit) return true;
    }
    values.delete(place);
    return false;
  };
  return fits(0, 0) ? listPlaceholders(pieces).map((place) => values.get(place) ?? "") : null;
}

/** What stands from each piece on, a place with its own. */
function restsOf(pieces: Pieces): readonly Rest[] {
  const rests: Rest[] = [];
  let rest: Rest = { fixed: 0, places: new Map() };
  for (let index = pieces.length - 1; index >= 0; index--) {
    const piece = pieces[index] ?? "";
    rest =
      index % 2 === 0
        ? { ...rest, fixed: rest.fixed + piece.length }
        : { ...rest, places: new Map(rest.places).set(piece, (rest.places.get(piece) ?? 0) + 1) };
    rests[index] = rest;
  }
  return rests;
}

/** How long the value of a place may be for all of the rest to fit into so many characters: no value is empty. */
function roomOf(
  place: string,
  rest: Rest | undefined,
  values: ReadonlyMap<string, string>,
  characters: number,
): { readonly shortest: number; readonly longest: number } {
  const times = rest?.places.get(place) ?? 1;
  let left = characters - (rest?.fixed ?? 0);
  let isAlone = true;
  for (const [other, count] of rest?.places ?? []) {
    if (other === place) continue;
    const known = values.get(other);
    isAlone &&= known !== undefined;
    left -= count * (known?.length ?? 1);
  }
  const longest = Math.floor(left / times);
  return { shortest: isAlone ? Math.max(1, Math.ceil(left / times)) : 1, longest };
}
