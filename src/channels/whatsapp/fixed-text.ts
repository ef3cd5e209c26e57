/**
 * A text with places in it, of a template or of what a client wrote, in one form that can be compared: white space folded,
 * places named alike. Pure.
 */
import { compileTemplate } from "../../text/template.ts";

/** Text, place, text, place, …, text: as `compileTemplate` of intake cuts a body. */
export type Pieces = readonly string[];

/** How the places of a template are known: by their names, or by the order in which they first appear. */
export type ParameterFormat = "NAMED" | "POSITIONAL";

/** `{{1}}` or `{{nom}}`, as Meta writes a parameter. */
const PARAMETERS = /\{\{\s*([\p{L}\p{M}\p{N}_]+)\s*\}\}/gu;

/** The text of a template's body cut at its parameters. */
export function splitTemplate(body: string): Pieces {
  return body.split(PARAMETERS);
}

/**
 * The same as a client reads it: what looks like a tag in the fixed text is a place too, since whoever writes it into a body asks for an
 * attribute.
 */
export function piecesAsRead(pieces: Pieces): Pieces {
  return pieces.flatMap((piece, index) => (index % 2 === 0 ? compileTemplate(piece).pieces : [piece]));
}

/** What looks like tags in the fixed text of a template: no body can say it. */
export function tagsInFixedText(pieces: Pieces): readonly string[] {
  return pieces.flatMap((piece, index) => (index % 2 === 0 ? compileTemplate(piece).tags : []));
}

/** The names of a text's places, each once, in the order of their first appearance. */
export function listPlaceholders(pieces: Pieces): string[] {
  return [...new Set(pieces.filter((_, index) => index % 2 === 1))];
}

/** Stands for a place in a comparable text: no text that was folded holds it. */
const MARK = "\u0000";

/**
 * The comparable form. Two texts are the same exactly when their forms are: every run of white space is one space, and none stands
 * at either end; a place is its name, or the number of its first appearance.
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

/** A character or a place of a text: what it is compared by, and as whoever wrote the text reads it. */
type Sign = { readonly key: string; readonly shown: string };

/** How a place is written: `{{nom}}` by Meta, `{nom}` by clients. */
export type ShowPlace = (place: string) => string;

/** The signs of a text in its comparable form, its places under the names they have in it. */
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
