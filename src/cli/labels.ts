/** Names as people read them: of members of an answer, of places in a usage, of words that stand as a value. */
import { type Code, type Locale, type Phrase, said } from "../i18n/phrase.ts";
import { hasText, renderIn } from "../i18n/text.ts";

/** The name of a member of an answer; a dot leads into an object inside. One that the catalogue lacks is spelt out. */
export function renderLabel(name: string, locale: Locale): string {
  const known = inCatalogue("label", name, locale);
  if (known !== null) return known;
  const parts = name.split(".");
  return parts.length > 1
    ? parts.map((part) => renderLabel(part, locale)).join(" ")
    : name.replaceAll("_", " ");
}

/** The name of a place or a value in a usage, such as ACCOUNT. */
export function renderPlaceholder(name: string): Phrase {
  return hasText(`place.${name}`) ? ({ code: `place.${name}` as Code } as Phrase) : said(name);
}

/** A word of ours that is the value of a member, such as what was done with a file. */
export function renderValue(member: string, word: string, locale: Locale): string {
  return inCatalogue("value", `${member}.${word}`, locale) ?? word;
}

function inCatalogue(area: string, key: string, locale: Locale): string | null {
  const code = `${area}.${key}`;
  return hasText(code) ? renderIn(locale, { code: code as Code } as Phrase) : null;
}
