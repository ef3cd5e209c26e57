/** Headings and words of the files that people take away from the console, in their language. What programs read is `--csv` of the command line. */
import { isoInZone } from "../../core/calendar.ts";
import { isMessageClass } from "../../domain/accounts/message-class.ts";
import type { UserLanguage } from "../../domain/accounts/roles.ts";
import { type CaseOf, type Phrase, phrase } from "../../i18n/phrase.ts";

type Teller = { readonly translate: (phrase: Phrase) => string };

/** What a column may be called. */
export type Heading = CaseOf<"sheet.head">;

/** The headings of columns, with plain blanks alone: whoever looks for a column types one. */
export function sheetHeadings({ translate }: Teller, columns: readonly Heading[]): readonly string[] {
  return columns.map((column) => translate(phrase(`sheet.head.${column}`)).replaceAll("\u00a0", " "));
}

/** A class of messages; one that has no word is shown as it is. */
export function classWord({ translate }: Teller, messageClass: string): string {
  return isMessageClass(messageClass) ? translate(phrase(`sheet.class.${messageClass}`)) : messageClass;
}

/** A day, "2026-03-01", as spreadsheets in the language take it for one. */
export function sheetDay(language: UserLanguage, day: string): string {
  const [year, month, date] = day.split("-");
  return language === "fr" ? `${date}/${month}/${year}` : day;
}

const DAY_LENGTH = 10;
const TIME_LENGTH = 8;

/** An instant by the clocks of a zone, to the second. */
export function sheetTime(language: UserLanguage, timezone: string, instant: string): string {
  const wall = isoInZone(Date.parse(instant), timezone);
  const time = wall.slice(DAY_LENGTH + 1, DAY_LENGTH + 1 + TIME_LENGTH);
  return `${sheetDay(language, wall.slice(0, DAY_LENGTH))} ${time}`;
}

/** What files are called that people take away: whose they are, and of when, for a folder that has many. */
const MAX_SLUG_LENGTH = 40;

/** A text as part of a file's name: small letters, digits and hyphens; "" where nothing of it is left. */
export function toSlug(text: string): string {
  const plain = text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const joined = plain.replaceAll(/[^a-z0-9]+/g, "-").slice(0, MAX_SLUG_LENGTH);
  return joined.replaceAll(/^-+|-+$/g, "");
}

type Named = { readonly ulid: string; readonly name: string; readonly shortName: string | null };

/** An account as part of a file's name: by its short name, or else its name; one in letters that no file has by its id. */
export function toAccountSlug({ ulid, name, shortName }: Named): string {
  return toSlug(shortName ?? "") || toSlug(name) || ulid;
}
