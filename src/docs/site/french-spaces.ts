/** What is read to the letter, or is no text: tags, and what stands in code, scripts and fields. */
const APART = /(<(?:pre|code|script|textarea)\b[\s\S]*?<\/(?:pre|code|script|textarea)>|<[^>]*>)/;
const NARROW = "\u00a0";

/** French HTML whose lines never break before a colon or a question mark, inside guillemets, or within a number. */
export function addFrenchSpaces(html: string): string {
  return html
    .split(APART)
    .map((part, place) => (place % 2 === 1 ? part : joined(part)))
    .join("");
}

const joined = (text: string): string =>
  text
    .replaceAll(/ (?=[:;?!»%])/g, NARROW)
    .replaceAll("« ", `«${NARROW}`)
    .replaceAll(/(?<=\d) (?=\d{3}(?!\d))/g, NARROW);
