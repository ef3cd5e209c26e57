/** A template's text with places in it. Pure. */

/** Text, place, text, place, …, text. */
export type Pieces = readonly string[];

/** How the places of a template are known: by their names, or by the order in which they first appear. */
export type ParameterFormat = "NAMED" | "POSITIONAL";

/** `{{1}}` or `{{nom}}`, as Meta writes a parameter. */
const PARAMETERS = /\{\{\s*([\p{L}\p{M}\p{N}_]+)\s*\}\}/gu;

/** The text of a template's body cut at its parameters. */
export function templatePieces(body: string): Pieces {
  return body.split(PARAMETERS);
}

/** The names of a text's places, each once, in the order of their first appearance. */
export function placesOf(pieces: Pieces): string[] {
  return [...new Set(pieces.filter((_, index) => index % 2 === 1))];
}
