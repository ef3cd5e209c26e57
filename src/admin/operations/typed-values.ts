/** What people type for amounts, numbers, times and words, and what is refused of it. */
import { refused } from "../../core/failures.ts";
import { readIsoTime } from "../../core/iso-time.ts";
import { isXof, parseXof, type Xof } from "../../core/money.ts";
import { phrase } from "../../i18n/phrase.ts";
import { toIsoDate } from "./day-first.ts";
import { type AdminCode, type AdminOutcome, done, refuse } from "./refusal.ts";

const DAY_MS = 86_400_000;

/** The largest single amount, XOF: far from 2^53, so that no sum of the books ever loses a franc. */
export const MAX_AMOUNT: Xof = 1_000_000_000_000;

/** Reads an amount as typed: whole francs, with a sign or not. */
export function readAmount(text: string): AdminOutcome<Xof> {
  const amount = parseXof(text);
  return amount === null ? refuse("INVALID_AMOUNT", { text, most: MAX_AMOUNT }) : done(amount);
}

/** Amounts that are checked, as refusals name them. */
type NamedAmount = "top_up" | "adjustment" | "credit_limit" | "low_balance";

/** Checks that an amount lies between `least` and MAX_AMOUNT. */
export function checkAmount(amount: Xof, what: NamedAmount, least: number): AdminOutcome<Xof> {
  if (!isXof(amount) || amount < least || amount > MAX_AMOUNT) {
    const named = phrase(`fault.what.${what}`);
    return refuse("INVALID_AMOUNT.bounds", { what: named, least, most: MAX_AMOUNT });
  }
  return done(amount);
}

/** Reads a whole number as typed: digits only. */
export function readWhole(text: string): AdminOutcome<number> {
  return /^\d{1,15}$/.test(text) ? done(Number(text)) : refuse("INVALID_NUMBER", { text });
}

/** Checks how many rows an answer may hold. */
export function checkLimit(limit: number, most: number): AdminOutcome<number> {
  return Number.isInteger(limit) && limit >= 1 && limit <= most
    ? done(limit)
    : refuse("INVALID_NUMBER.limit", { most });
}

/** Texts that people give, as refusals name them. */
type NamedText = "name" | "reason" | "note" | "reference" | "text" | "idempotency_key";

/** Checks a text that a person gave: trimmed, not blank, at most `longest` characters, no control characters. */
export function checkWords(
  text: string,
  code: AdminCode,
  named: NamedText,
  longest: number,
): AdminOutcome<string> {
  const trimmed = text.trim();
  const what = phrase(`fault.what.${named}`);
  if (trimmed === "") return refused(code, phrase("fault.words.blank", { what }));
  if (trimmed.length > longest) return refused(code, phrase("fault.words.too_long", { what, most: longest }));
  if (/\p{Cc}/u.test(trimmed)) return refused(code, phrase("fault.words.controls", { what }));
  return done(trimmed);
}

/** A time that was typed: a date alone is all of its 24 hours, a date-time the one millisecond. */
export type TypedTime = { readonly beginMs: number; readonly endMs: number; readonly isDay: boolean };

/**
 * Reads an ISO 8601 date or date-time, or one with the day first; without an offset it is UTC, as all times of the commands are
 * (docs/behaviour.md#times). Refused is anything else, and a day that no calendar has.
 */
export function readTime(text: string): AdminOutcome<TypedTime> {
  const time = readIsoTime(toIsoDate(text));
  if (!time) return refuse("INVALID_TIME.not_a_time", { text });
  const beginMs = time.wallMs - (time.offsetMs ?? 0) + Math.floor(time.micros / 1000);
  return done({ beginMs, endMs: beginMs + (time.isDate ? DAY_MS : 1), isDay: time.isDate });
}
