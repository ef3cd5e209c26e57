/**
 * Compares texts with placeholders, of a template or of a client's body, in one comparable form: white space collapsed,
 * placeholders named alike. Pure.
 */

import { normalizeText } from "../../text/segments.ts";
import { compileTemplate } from "../../text/template.ts";

/** Text, placeholder, text, placeholder, …, text: as `compileTemplate` of domain/submission cuts a body. */
export type Pieces = readonly string[];

/** How the placeholders of a template are identified: by their names, or by the order in which they first appear. */
export type ParameterFormat = "NAMED" | "POSITIONAL";

/** `{{1}}` or `{{nom}}`, as Meta writes a parameter. */
const PARAMETERS = /\{\{\s*([\p{L}\p{M}\p{N}_]+)\s*\}\}/gu;

/** The text of a template's body cut at its parameters. */
export function splitTemplate(body: string): Pieces {
  return body.split(PARAMETERS);
}

/**
 * The same as a client reads it: what looks like a tag in the fixed text is a placeholder too, since whoever writes it into a body asks
 * for an attribute.
 */
export function piecesAsRead(pieces: Pieces): Pieces {
  return pieces.flatMap((piece, index) => (index % 2 === 0 ? compileTemplate(piece).pieces : [piece]));
}

/** What looks like tags in the fixed text of a template: no body can contain it as text. */
export function tagsInFixedText(pieces: Pieces): readonly string[] {
  return pieces.flatMap((piece, index) => (index % 2 === 0 ? compileTemplate(piece).tags : []));
}

/** The names of a text's placeholders, each once, in the order of their first appearance. */
export function listPlaceholders(pieces: Pieces): string[] {
  return [...new Set(pieces.filter((_, index) => index % 2 === 1))];
}

/** Stands for a placeholder in a comparable text: no collapsed text contains it. */
const MARK = "\u0000";

/**
 * The comparable form. Two texts are the same exactly when their forms are: every run of white space is one space, and none stands
 * at either end; a placeholder is its name, or the number of its first appearance.
 */
export function comparable(pieces: Pieces, format: ParameterFormat): string {
  const places = listPlaceholders(pieces);
  const joined = pieces
    .map((piece, index) => {
      if (index % 2 === 0) return piece.normalize("NFC").replaceAll(MARK, "\uFFFD");
      const name = format === "NAMED" ? piece.normalize("NFC") : String(places.indexOf(piece) + 1);
      return `${MARK}${name}${MARK}`;
    })
    .join("");
  return joined.replaceAll(/\s+/gu, " ").trim();
}

/** A character or a placeholder of a text: the key it is compared by, and how the author of the text reads it. */
type Sign = { readonly key: string; readonly shown: string };

/** How a placeholder is written: `{{nom}}` by Meta, `{nom}` by clients. */
type ShowPlace = (place: string) => string;

/** The signs of a text in its comparable form, its placeholders under the names they have in it. */
export function signsOf(pieces: Pieces, format: ParameterFormat, show: ShowPlace): Sign[] {
  const places = listPlaceholders(pieces);
  return comparable(pieces, format)
    .split(MARK)
    .flatMap((piece, index) => {
      if (index % 2 === 0) return Array.from(piece, (sign) => ({ key: sign, shown: sign }));
      const own = format === "NAMED" ? piece : (places[Number(piece) - 1] ?? piece);
      return [{ key: `${MARK}${piece}`, shown: show(own) }];
    });
}

// Fills a text's placeholders with values, and extracts the values again. A message is stored as the text its user reads, so the values
// for Meta's parameters are cut out of that. Where it can be cut in more than one way, each way reads the same. Pure.

/** Text and placeholders in turn, the text as it is counted. */
export function preparePieces(pieces: Pieces): Pieces {
  return pieces.map((piece, index) => (index % 2 === 0 ? normalizeText(piece) : piece));
}

/** The text with a value for each placeholder. `pieces`: prepared. */
export function filled(pieces: Pieces, valueAt: (place: string) => string): string {
  return pieces.map((piece, index) => (index % 2 === 0 ? piece : valueAt(piece))).join("");
}

/** Tries before a text is given up: one whose placeholders do not repeat takes a few for each of its characters. */
const MAX_TRIES = 60_000;

/** What a text must still contain from a piece of fixed text on. */
type Rest = { readonly fixed: number; readonly places: ReadonlyMap<string, number> };

/** The values that a text was filled with, in the order of their placeholders' first appearance; null where it was not filled so. */
export function extractValues(pieces: Pieces, text: string): readonly string[] | null {
  const rests = restsOf(pieces);
  const values = new Map<string, string>();
  // Positions where the rest was found not to fit, under the known values of repeated placeholders.
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

/** What follows from each piece on, a placeholder with its own. */
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

/** How long the value of a placeholder may be for all of the rest to fit into so many characters: no value is empty. */
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

// Makes a recipient's values fit for a template: Meta takes no empty one, no line end, no tab and no run of spaces, and
// no text over 1,024 characters (docs/behaviour.md#values-of-whatsapp). Pure.

/** Characters of a body once its parameters are filled in; of the code of an authentication template. */
const MAX_BODY_LENGTH = 1024;
const MAX_CODE_LENGTH = 15;

type ValueFault = "RENDERED_VALUE_EMPTY" | "RENDERED_BODY_TOO_LONG";

/** A value as it is sent: without outer white space, every run inside as one space. */
export function normalizeValue(value: string): string {
  return value.replaceAll(/\s+/gu, " ").trim();
}

/**
 * Why values cannot be sent, null where they can. `pieces`: text and placeholders in turn; `valueAt`: the value of each, as
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

/** Whether a text without a template is longer than Meta allows. */
export function isTooLong(text: string): boolean {
  return charactersOf(text) > MAX_BODY_LENGTH;
}

/** Counts code points; beyond the bound it is enough to know that there are more. */
function charactersOf(text: string): number {
  if (text.length > 2 * MAX_BODY_LENGTH) return text.length;
  return Array.from(text).length;
}
