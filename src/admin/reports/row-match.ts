/** Whether a row of a file is the one that somebody asks for: by its number as it stands there, nearly so, or by a word in it. Pure. */
import type { ImportRow } from "../../core/import-row.ts";
import { normaliseName } from "../operations/account-names.ts";
import { SHORTENED } from "../operations/msisdn.ts";

/** `nearly`: its number lacks a digit of the one that is asked for, has one more, or is how a spreadsheet shortens it. */
export type RowMatch = "written" | "nearly" | "word";

type MatchedRow = Pick<ImportRow, "written" | "cells" | "client_reference">;

const LIKE_A_NUMBER = /^\+?[\d\s().\-/]+$/;
/** Digits of a part of a number that is looked for, and of a number that may have lost one. */
const MIN_PART = 4;
const MIN_WHOLE = 7;
/** How people are addressed: in a file it stands in a column of its own, or nowhere. */
const TITLES: readonly string[] = [
  "madame",
  "mme",
  "mlle",
  "monsieur",
  "m",
  "m.",
  "mr",
  "mrs",
  "ms",
  "el",
  "hadj",
];

/** Whether a text is meant as a number, whole or not. */
export function looksLikeNumber(typed: string): boolean {
  const text = typed.trim();
  return SHORTENED.test(text) || (LIKE_A_NUMBER.test(text) && digitsOf(text).length >= MIN_PART);
}

/** How rows are told that hold what somebody typed. `national`: the digits of a whole number without the code of its country. */
export function createRowMatcher(
  typed: string,
  national: string | null,
): (row: MatchedRow) => RowMatch | null {
  const text = typed.trim();
  if (looksLikeNumber(text)) return numberSeeker(text, national);
  const sought = normaliseName(text)
    .split(" ")
    .filter((word) => word !== "" && !TITLES.includes(word));
  if (sought.length === 0) return () => null;
  return ({ cells, client_reference: reference, written }) => {
    const held = normaliseName([...Object.values(cells ?? {}), reference ?? "", written].join(" "));
    return sought.every((word) => held.includes(word)) ? "word" : null;
  };
}

function numberSeeker(typed: string, national: string | null): (row: MatchedRow) => RowMatch | null {
  if (SHORTENED.test(typed)) {
    const sought = shortForm(typed);
    return ({ written }) => (SHORTENED.test(written) && shortForm(written) === sought ? "written" : null);
  }
  const sought = digitsOf(typed);
  const whole = national === null ? sought : digitsOf(national);
  return ({ written }) => {
    if (SHORTENED.test(written)) return isShortOf(written, whole) ? "nearly" : null;
    const digits = digitsOf(written);
    if (digits.includes(sought) || digits.includes(whole)) return "written";
    return isOneApart(digits, whole) ? "nearly" : null;
  };
}

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, "");
}

function shortForm(text: string): string {
  return text.replace(",", ".").replaceAll("+", "").toUpperCase();
}

/** Whether a spreadsheet writes a number so. */
function isShortOf(written: string, digits: string): boolean {
  if (digits.length < MIN_WHOLE) return false;
  const short = shortForm(written);
  const decimals = /\.(\d+)E/.exec(short)?.[1]?.length ?? 0;
  return Number(digits).toExponential(decimals) === Number(short).toExponential(decimals);
}

/** Whether one of two has a digit more than the other, and all else is the same. */
function isOneApart(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (long.length !== short.length + 1 || short.length < MIN_WHOLE - 1) return false;
  const from = [...short].findIndex((digit, place) => digit !== long[place]);
  return from < 0 || short.slice(from) === long.slice(from + 1);
}
