/** Numbers, money, times and shares in the reader's way. Pure: language and zone are arguments. */

import { bytes, francs, dateTime as instantText, REGIONS, wholeNumber } from "../../i18n/values.ts";
import type { Forms } from "../../i18n/words.ts";

export { bytes, francs, wholeNumber };

export const CONSOLE_LANGUAGES = ["fr", "en"] as const;
export type ConsoleLanguage = (typeof CONSOLE_LANGUAGES)[number];

/** Country codes of one and of two digits (ITU-T E.164); all others have three. */
const SHORT_CODES = /^\+(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;
/** As wide as the digits beside it. */
const MINUS = "\u2212";
const NO_BREAK = "\u00a0";

/** A number as people read it, in twos behind the code of its country: `+226 06 86 11 68`; anything else as it is. */
export function phoneNumber(text: string): string {
  if (!/^\+\d{7,15}$/.test(text)) return text;
  const code = SHORT_CODES.exec(text)?.[0] ?? text.slice(0, 4);
  const rest = text.slice(code.length);
  const first = rest.slice(0, rest.length % 2);
  const twos = rest.slice(first.length).match(/\d\d/g) ?? [];
  return [code, ...(first === "" ? [] : [first]), ...twos].join(NO_BREAK);
}

/** The first digits of numbers, in twos behind the code of their country: `+226 04`. */
export function phonePrefix(digits: string): string {
  const text = `+${digits}`;
  const code = SHORT_CODES.exec(text)?.[0] ?? text.slice(0, 4);
  return [code, ...(text.slice(code.length).match(/\d\d?/g) ?? [])].join(NO_BREAK);
}

/** A share from 0 to 1 with one decimal: `97,4 %`, `97.4%`; a dash where there is none. */
export function percent(language: ConsoleLanguage, share: number | null): string {
  if (share === null) return "–";
  const style = { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(REGIONS[language], style).format(share).replace("-", MINUS);
}

/** XOF with thousandths, "-12.500", to the last: `−12,5 F CFA`. */
export function exactFrancs(language: ConsoleLanguage, amount: string): string {
  const number = new Intl.NumberFormat(REGIONS[language], { maximumFractionDigits: 3 })
    .format(Number(amount))
    .replace("-", MINUS);
  return `${number}${NO_BREAK}${language === "fr" ? `F${NO_BREAK}CFA` : "XOF"}`;
}

/** An instant (ISO 8601) as date and time in a zone; a dash for null. */
export function dateTime(language: ConsoleLanguage, timeZone: string, instant: string | null): string {
  return instant === null ? "–" : instantText(language, timeZone, Date.parse(instant));
}

/** A wall time (2026-03-01T08:00) as day of the week, day and hour: `lundi 2 mars à 08:00`. */
export function wallTime(language: ConsoleLanguage, wall: string): string {
  return shown(language, `${wall}Z`, {
    timeZone: "UTC",
    weekday: "long",
    day: "numeric",
    month: "long",
    hour: "2-digit",
    minute: "2-digit",
  });
}

/** The day of an instant in a zone: `24 nov. 2026`. */
export function dateIn(language: ConsoleLanguage, timeZone: string, instant: string): string {
  return shown(language, instant, { timeZone, dateStyle: "medium" });
}

/** A day (2026-03-01, or an instant of it in UTC) in short: `1 mars`, `1 Mar`. */
export function dayShort(language: ConsoleLanguage, day: string): string {
  return shown(language, day, { timeZone: "UTC", day: "numeric", month: "short" });
}

/** The hour of an instant in a zone: `14:00`. */
export function hourOf(language: ConsoleLanguage, timeZone: string, instant: string): string {
  return shown(language, instant, { timeZone, hour: "2-digit", minute: "2-digit" });
}

/** The same with its day, in short: `1 mars, 14:00`. */
export function hourOfDay(language: ConsoleLanguage, timeZone: string, instant: string): string {
  const day = { day: "numeric", month: "short" } as const;
  return shown(language, instant, { timeZone, ...day, hour: "2-digit", minute: "2-digit" });
}

/** What a day is called: `jour`. */
export function dayWord(language: ConsoleLanguage): string {
  return new Intl.DisplayNames(REGIONS[language], { type: "dateTimeField" }).of("day") ?? "";
}

/** A day (2026-03-01) with its year: `1 mars 2026`. */
export function dayLong(language: ConsoleLanguage, day: string): string {
  return shown(language, day, { timeZone: "UTC", dateStyle: "long" });
}

/** A month (2026-03) by its name: `mars 2026`. */
export function monthName(language: ConsoleLanguage, month: string): string {
  return shown(language, `${month}-01`, { timeZone: "UTC", month: "long", year: "numeric" });
}

/** An instant as a time of day in a zone, with seconds. */
export function timeOfDay(language: ConsoleLanguage, timeZone: string, instant: string | null): string {
  return shown(language, instant, { timeZone, timeStyle: "medium" });
}

function shown(
  language: ConsoleLanguage,
  instant: string | null,
  options: Intl.DateTimeFormatOptions,
): string {
  if (instant === null) return "–";
  return new Intl.DateTimeFormat(REGIONS[language], options).format(new Date(instant));
}

const STEPS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** How long ago, in the largest unit that fits: `il y a 3 minutes`. */
export function ago(language: ConsoleLanguage, instant: string, nowMs: number): string {
  const seconds = Math.round((nowMs - new Date(instant).getTime()) / 1000);
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  return new Intl.RelativeTimeFormat(REGIONS[language], { numeric: "auto" }).format(
    -Math.trunc(seconds / size),
    unit,
  );
}

/** A length of time, short: `4 min`, `2 h`, `45 s`. */
export function duration(language: ConsoleLanguage, seconds: number): string {
  const [unit, size] = STEPS.find(([, length]) => seconds >= length) ?? ["second", 1];
  const style = { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat(REGIONS[language], style).format(Math.trunc(seconds / size));
}

/** A length of time of a receipt, short: `3,4 s`, `45 s`, `12 min`. */
export function delay(language: ConsoleLanguage, seconds: number): string {
  if (seconds >= 10) return duration(language, seconds);
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const style = { style: "unit", unit: "second", unitDisplay: "short", ...digits } as const;
  return new Intl.NumberFormat(REGIONS[language], style).format(seconds);
}

/** The form that a number asks for, with `#` as the number: `{ one: "# message", other: "# messages" }`. */
export function plural(language: ConsoleLanguage, count: number, forms: Forms): string {
  const form = new Intl.PluralRules(REGIONS[language]).select(count) === "one" ? forms.one : forms.other;
  return form.replace("#", wholeNumber(language, count));
}
