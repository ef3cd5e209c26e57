/** How French is set: what stands before and behind its signs, in its numbers and in its quotes. */

const NO_BREAK = "\u00a0";

/** Before a unit, which stays on the line of its number: a digit, or in a template what is filled in there. */
const BEFORE_UNIT = /(?<=[\d}#]) (?=(?:ms|s|min|h|j|o|ko|Ko|Mo|Go|To|F|XOF|SMS)(?![\p{L}\d]))/gu;

/** A French text that never breaks before a colon or a question mark, inside guillemets, in a number or before its unit. */
export function withFrenchSpaces(text: string): string {
  return text
    .replaceAll(/ (?=[:;?!»%])/g, NO_BREAK)
    .replaceAll("« ", `«${NO_BREAK}`)
    .replaceAll(/(?<=\d) (?=\d{3}(?!\d))/g, NO_BREAK)
    .replaceAll(BEFORE_UNIT, NO_BREAK)
    .replaceAll("F CFA", `F${NO_BREAK}CFA`);
}

/** The same with the quotes and apostrophes of print in the place of a typewriter's. */
export function inFrenchType(text: string): string {
  const quoted = text
    .replaceAll(/(?<=\p{L})'(?=\p{L})/gu, "’")
    .replaceAll(/"([^"]*)"/g, (_, inner: string) => `« ${inner} »`);
  return withFrenchSpaces(quoted);
}
