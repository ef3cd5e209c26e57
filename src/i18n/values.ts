/** How values stand in texts: for people in the way of their language and zone, for scripts and terminals as they are. */
import type { Locale, Values } from "./phrase.ts";

/** The regions whose way of writing each language takes. */
export const REGIONS = { en: "en-GB", fr: "fr-FR" } as const;

const MEBIBYTE = 1_048_576;
const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

export const VALUES: Values = {
  instant: ({ locale, timeZone, isTerminal }, epochMs) =>
    timeZone === null ? exactInstant(epochMs, isTerminal === true) : dateTime(locale, timeZone, epochMs),
  bytes: ({ locale, timeZone }, octets) =>
    timeZone === null
      ? `${Math.floor(octets / MEBIBYTE)} ${locale === "fr" ? "Mo" : "MB"}`
      : bytes(locale, octets),
  money: ({ locale, timeZone, isTerminal }, xof) =>
    timeZone === null ? `${digits(xof, isTerminal === true)} XOF` : francs(locale, xof),
  number: ({ locale, timeZone, isTerminal }, value) =>
    timeZone === null ? digits(value, isTerminal === true) : wholeNumber(locale, value),
};

function exactInstant(epochMs: number, isTerminal: boolean): string {
  const iso = new Date(epochMs).toISOString();
  return isTerminal ? iso.slice(0, 19).replace("T", " ") : iso;
}

/** In groups of three, apart by blanks at which no line breaks. */
function digits(value: number, isGrouped: boolean): string {
  return isGrouped ? value.toLocaleString("en").replaceAll(",", "\u00a0") : String(value);
}

/** Formats by what they are for: to make one takes a hundred times as long as to use it. */
const dateTimes = new Map<string, Intl.DateTimeFormat>();
const wholeNumbers = new Map<Locale, Intl.NumberFormat>();

/** An instant as date and time in a zone: `1 mars 2026, 08:00`. */
export function dateTime(locale: Locale, timeZone: string, epochMs: number): string {
  const name = `${locale} ${timeZone}`;
  const format =
    dateTimes.get(name) ??
    new Intl.DateTimeFormat(REGIONS[locale], { timeZone, dateStyle: "medium", timeStyle: "short" });
  dateTimes.set(name, format);
  return format.format(new Date(epochMs));
}

/** A minus, which is as wide as the digits beside it. */
const MINUS = "\u2212";

/** A whole number, grouped: `12 500` (U+202F), `12,500`. */
export function wholeNumber(locale: Locale, value: number): string {
  const format =
    wholeNumbers.get(locale) ?? new Intl.NumberFormat(REGIONS[locale], { maximumFractionDigits: 0 });
  wholeNumbers.set(locale, format);
  return format.format(value).replace("-", MINUS);
}

/** Whole francs: `12 500 F CFA`, `12,500 XOF`. */
export function francs(locale: Locale, value: number): string {
  const number = wholeNumber(locale, value);
  return locale === "fr" ? `${number}\u00A0F\u00A0CFA` : `${number}\u00A0XOF`;
}

/** Octets in the unit that fits, gigabytes and more with a decimal: `1,2 Go`, `812 MB`. */
export function bytes(locale: Locale, octets: number): string {
  const power = Math.min(
    4,
    Math.max(0, Math.floor(Math.log(Math.max(1, Math.abs(octets))) / Math.log(1000))),
  );
  return new Intl.NumberFormat(REGIONS[locale], {
    style: "unit",
    unit: UNITS[power] ?? "byte",
    // The short form of octets alone has no plural in English.
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: power < 3 ? 0 : 1,
  }).format(octets / 1000 ** power);
}
