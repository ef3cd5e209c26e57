/** Headings and words of downloaded files, in the reader's language. Programs read `--csv` of the command line instead. */
import { isoInZone } from "../../core/calendar.ts";
import { isMessageClass } from "../../domain/accounts/message-class.ts";
import type { UserLanguage } from "../../domain/accounts/roles.ts";
import { type CaseOf, type Phrase, phrase } from "../../i18n/phrase.ts";

type Translator = { readonly translate: (phrase: Phrase) => string };

/** A column heading. */
export type Heading = CaseOf<"sheet.head">;

/** Column headings with plain spaces only: whoever searches for a column types one. */
export function sheetHeadings({ translate }: Translator, columns: readonly Heading[]): readonly string[] {
  return columns.map((column) => translate(phrase(`sheet.head.${column}`)).replaceAll("\u00a0", " "));
}

/** Words a class of messages; one that has no word is shown as it is. */
export function classWord({ translate }: Translator, messageClass: string): string {
  return isMessageClass(messageClass) ? translate(phrase(`sheet.class.${messageClass}`)) : messageClass;
}

/** Formats a day, "2026-03-01", so that spreadsheets in the language read it as a date. */
export function sheetDay(language: UserLanguage, day: string): string {
  const [year, month, date] = day.split("-");
  return language === "fr" ? `${date}/${month}/${year}` : day;
}

const DAY_LENGTH = 10;
const TIME_LENGTH = 8;

/** Formats an instant in a zone, to the second. */
export function sheetTime(language: UserLanguage, timezone: string, instant: string): string {
  const wall = isoInZone(Date.parse(instant), timezone);
  const time = wall.slice(DAY_LENGTH + 1, DAY_LENGTH + 1 + TIME_LENGTH);
  return `${sheetDay(language, wall.slice(0, DAY_LENGTH))} ${time}`;
}

/** Names of downloads say whose they are and of when, for a folder that has many; longest part of one. */
const MAX_SLUG_LENGTH = 40;

/** Turns a text into part of a file name: small letters, digits and hyphens; "" where nothing of it is left. */
export function toSlug(text: string): string {
  const plain = text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const joined = plain.replaceAll(/[^a-z0-9]+/g, "-").slice(0, MAX_SLUG_LENGTH);
  return joined.replaceAll(/^-+|-+$/g, "");
}

type Named = { readonly ulid: string; readonly name: string; readonly shortName: string | null };

/** An account as part of a file name: its short name, else its name; its id where the name has no usable letters. */
export function toAccountSlug({ ulid, name, shortName }: Named): string {
  return toSlug(shortName ?? "") || toSlug(name) || ulid;
}
