import { type AdminOutcome, done, refuse } from "./refusal.ts";

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
