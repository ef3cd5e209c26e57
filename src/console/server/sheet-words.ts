/** Headings and words of the files that people take away from the console, in their language. What programs read is `--csv` of the command line. */

import { isoInZone } from "../../core/zoned-time.ts";
import { isMessageClass } from "../../domain/accounts/classes.ts";
import type { UserLanguage } from "../../domain/accounts/role.ts";
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
