import { isXof, parseXof, type Xof } from "../base/money.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";

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
