/** Finds dates that one column writes in several ways, as when a spreadsheet saves 30/11 again as 30-nov. Pure. */
import type { FileRecipient } from "../../../domain/imports/row-reader.ts";
import { attributeReader } from "../../../text/template.ts";

type Written = { readonly value: string; readonly line: number };

/** A tag with dates of several formats: the first of the usual one, and the first of the most usual other. */
export type MixedDates = { readonly tag: string; readonly usual: Written; readonly other: Written };

/** Longest date: a longer value is a sentence. */
const LONGEST = 40;

/** Months as spreadsheets shorten them and as people write them, in French and English, without accents. */
const SHORT = "janv|jan|fevr|feb|mars|mar|avr|apr|mai|may|juin|jun|juil|jul|aout|aug|sept|sep|oct|nov|dec";
const LONG =
  "janvier|fevrier|avril|juillet|septembre|octobre|novembre|decembre|january|february|march|april|june|july|august|september|october|november|december";
const MONTH = new RegExp(`\\b(?:(${LONG})|(${SHORT}))\\b`, "g");
const TIME = /\d{1,2}[:h]\d\d(?::\d\d)?$/;
/** A day with its month, or a month with its year, in figures: digits shown by `0` and years by `Y`. */
const IN_FIGURES = /^(?:0([/.-])0(?:\1[0Y])?|Y([/.-])0\2[0Y]|0[/.-]Y)$/;
/** The same with the month in letters, short (`m`) or whole (`M`). */
const IN_LETTERS = /^(?:0[ ./-]{1,2})?[mM](?:\.?[ ./-]{1,2}[0Y])?\.?$/;
/** The serial number by which a spreadsheet stores a date of the years 2009 to 2064. */
const SERIAL = /^[45]\d{4}$/;

/** The format of a date, the same for two that are written alike; null where it is none, or only perhaps. */
function formOf(value: string): string | null {
  const trimmed = value.trim();
  if (trimmed === "" || trimmed.length > LONGEST) return null;
  const plain = trimmed.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const time = TIME.test(plain) ? " T" : "";
  const day = plain
    .replace(TIME, "")
    .replace(/^1er\b/, "1")
    .trim();
  const form = day
    .replaceAll(MONTH, (_, long?: string) => (long === undefined ? "m" : "M"))
    .replaceAll(/\d+/g, (digits) => (digits.length === 4 ? "Y" : digits.length <= 2 ? "0" : digits));
  const isDate = IN_FIGURES.test(form) ? isOfTheYear(day) : IN_LETTERS.test(form) && /\d/.test(day);
  return isDate ? form + time : null;
}

/** Whether the first two figures, but for a year, can be a day and a month. */
function isOfTheYear(day: string): boolean {
  const figures = day.split(/[/.-]/).filter((digits) => digits.length <= 2);
  const [first = 0, second = first] = figures.map(Number);
  return Math.min(first, second) >= 1 && Math.min(first, second) <= 12 && Math.max(first, second) <= 31;
}

type Ways = Map<string, Written & { readonly rows: number }>;

/** Finds the tags filled in with dates of several formats. Other values are ignored. */
export function findMixedDates(
  recipients: readonly FileRecipient[],
  lines: readonly number[],
  tags: readonly string[],
): readonly MixedDates[] {
  const found = new Map<string, { readonly ways: Ways; readonly serials: Ways }>(
    tags.map((tag) => [tag, { ways: new Map(), serials: new Map() }]),
  );
  for (const [place, { attributes }] of recipients.entries()) {
    if (attributes === undefined) continue;
    const valueFor = attributeReader(attributes);
    for (const [tag, { ways, serials }] of found) {
      const value = valueFor(tag);
      if (typeof value !== "string") continue;
      const form = formOf(value);
      const line = lines[place] ?? 0;
      if (form !== null) count(ways, form, { value, line });
      else if (SERIAL.test(value.trim())) count(serials, "serial", { value, line });
    }
  }
  return [...found].flatMap(([tag, { ways, serials }]) => {
    // A number alone may be anything; among dates it is a date.
    const all = ways.size === 0 ? [] : [...ways.values(), ...serials.values()];
    const [usual, other] = all.toSorted((a, b) => b.rows - a.rows);
    return usual && other ? [{ tag, usual: shown(usual), other: shown(other) }] : [];
  });
}

function count(ways: Ways, form: string, { value, line }: Written): void {
  const known = ways.get(form);
  ways.set(form, known ? { ...known, rows: known.rows + 1 } : { value, line, rows: 1 });
}

function shown({ value, line }: Written): Written {
  return { value, line };
}
