/** What people type for amounts, numbers, times and words, and what is refused of it. */
import { readIsoTime } from "../base/iso-time.ts";
import { isXof, parseXof, type Xof } from "../base/money.ts";
import { isoOfDayFirst } from "./day-first.ts";
import { type AdminCode, type AdminOutcome, done, refuse } from "./refusal.ts";

const DAY_MS = 86_400_000;

/** The largest single amount, XOF: far from 2^53, so that no sum of the books ever loses a franc. */
export const LARGEST_AMOUNT: Xof = 1_000_000_000_000;

/** Reads an amount as typed: whole francs, with a sign or not. */
export function readAmount(text: string): AdminOutcome<Xof> {
  const amount = parseXof(text);
  return amount === null
    ? refuse(
        "INVALID_AMOUNT",
        `${JSON.stringify(text)} is not an amount: whole XOF, digits only, at most ${LARGEST_AMOUNT}`,
      )
    : done(amount);
}

/** Checks that an amount lies between `least` and LARGEST_AMOUNT. */
export function checkAmount(amount: Xof, what: string, least: number): AdminOutcome<Xof> {
  if (!isXof(amount) || amount < least || amount > LARGEST_AMOUNT) {
    return refuse("INVALID_AMOUNT", `${what} must be whole XOF from ${least} to ${LARGEST_AMOUNT}`);
  }
  return done(amount);
}

/** Reads a whole number as typed: digits only. */
export function readWhole(text: string): AdminOutcome<number> {
  return /^\d{1,15}$/.test(text)
    ? done(Number(text))
    : refuse("INVALID_NUMBER", `${JSON.stringify(text)} is not a whole number`);
}

/** Checks how many rows an answer may hold. */
export function checkLimit(limit: number, most: number): AdminOutcome<number> {
  return Number.isInteger(limit) && limit >= 1 && limit <= most
    ? done(limit)
    : refuse("INVALID_NUMBER", `the limit must be a whole number from 1 to ${most}`);
}

/** Checks a text that a person gave: trimmed, not blank, at most `longest` characters, no control characters. */
export function checkWords(
  text: string,
  code: AdminCode,
  what: string,
  longest: number,
): AdminOutcome<string> {
  const trimmed = text.trim();
  if (trimmed === "") return refuse(code, `the ${what} must not be blank`);
  if (trimmed.length > longest) return refuse(code, `the ${what} must have at most ${longest} characters`);
  if (/\p{Cc}/u.test(trimmed)) return refuse(code, `the ${what} must not hold control characters`);
  return done(trimmed);
}

/** A time that was typed: a date alone is all of its 24 hours, a date-time the one millisecond. */
export type TypedTime = { readonly beginMs: number; readonly endMs: number; readonly isDay: boolean };

/**
 * Reads an ISO 8601 date or date-time, or one with the day first; without an offset it is UTC, as all times of the commands are
 * (docs/behaviour.md#times). Refused is anything else, and a day that no calendar has.
 */
export function readTime(text: string): AdminOutcome<TypedTime> {
  const time = readIsoTime(isoOfDayFirst(text));
  if (!time)
    return refuse(
      "INVALID_TIME",
      `${JSON.stringify(text)} is not a date or a time: 2026-03-22, 22/03/2026, 2026-03-22T09:30`,
    );
  const beginMs = time.wallMs - (time.offsetMs ?? 0) + Math.floor(time.micros / 1000);
  return done({ beginMs, endMs: beginMs + (time.isDate ? DAY_MS : 1), isDay: time.isDate });
}
