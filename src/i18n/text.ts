/**
 * Texts by all catalogues: what the server says itself, in answers, terminals and mails. An area is a file of `en` and of `fr`, but for
 * those of the console's pages, which browsers load.
 */
import { readByLanguage, unpackOr } from "./carried-texts.ts";
import { type Area, hasCode, type Locale, type Phrase, type Reader, renderer } from "./phrase.ts";
import { VALUES } from "./values.ts";

export const readCatalogues = () => readByLanguage<Area>(import.meta.dir, JSON.parse);

const CATALOGUES = unpackOr(process.env.BENDRE_CATALOGUES, readCatalogues);

/** A phrase as a text for a reader. */
export const t = renderer(CATALOGUES, VALUES);

/** The same as a string, which is written out: a line of a terminal, a mail, an answer of a page. */
export function renderTo(reader: Reader, phrase: Phrase): string {
  return t(phrase, reader) as unknown as string;
}

/** With values as they are. */
export function renderIn(locale: Locale, phrase: Phrase): string {
  return renderTo({ locale, timeZone: null }, phrase);
}

/** The same in English: for lines of the log, and for the public API. */
export function english(phrase: Phrase): string {
  return renderIn("en", phrase);
}

/** An answer with a text in the place of each phrase in it, however deep. */
export function withTexts(value: unknown, reader: Reader): unknown {
  return worded(value, (phrase) => t(phrase, reader));
}

/** The same with the texts that `wordsOf` makes. */
export function worded(value: unknown, wordsOf: (phrase: Phrase) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => worded(one, wordsOf));
  if (typeof value !== "object" || value === null) return value;
  if (isPhrase(value)) return wordsOf(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, worded(one, wordsOf)]));
}

/** Whether the catalogues have a code. */
export function hasText(code: string): boolean {
  return hasCode(CATALOGUES.en, code);
}

/**
 * Whether an object of an answer is a phrase: a code of an area that the catalogues have, with its parameters and nothing else. A code that
 * another version kept is one too. What a client calls `code`, such as an attribute of a recipient, is none.
 */
function isPhrase(value: object): value is Phrase {
  if (!("code" in value) || typeof value.code !== "string") return false;
  if (!Object.keys(value).every((name) => name === "code" || name === "params")) return false;
  const area = value.code.indexOf(".");
  return area < 0
    ? "params" in value && hasCode(CATALOGUES.en, value.code)
    : Object.hasOwn(CATALOGUES.en, value.code.slice(0, area));
}
