/** Why nothing is sent for a row: a code, and the same as a sentence in the reader's language. */
import { DOUBLE, DOUBLE_OF_REFUSED } from "../../messages/doubles.ts";
import { notServed } from "../../operations/msisdn.ts";
import type { LeftOutRow } from "../../recipients/left-out-rows.ts";
import { REPEATS_A_NUMBER } from "../../recipients/read-row.ts";
import { type Repeat, repeatCause } from "../../recipients/repeats.ts";
import { UNREADABLE } from "../../reports/left-out.ts";
import { CODES_IN_FRENCH } from "../rejection-codes.ts";
import { REJECTION_WORDS } from "../rejection-words.ts";
import type { Asked } from "./asked.ts";

export type WhyReader = Pick<Asked, "language" | "inTheirWords" | "context">;

/** Why a row is not sent whose number had its turn in an earlier file or batch. */
export const TURN_BEFORE = "TURN_BEFORE";

const UNSERVED = "UNROUTABLE_PREFIX";

/** A code, and the same as a sentence. */
export function whyOf(
  reader: WhyReader,
  { cause, reason, repeat }: Pick<LeftOutRow, "cause" | "reason" | "repeat">,
  msisdn: string | null,
): readonly string[] {
  const { language } = reader;
  if (cause !== null) return [codeIn(language, codeOf(cause)), reader.inTheirWords(cause)];
  if (reason === null) return ["", ""];
  const code = codeIn(language, reason);
  const isDouble = reason === DOUBLE || reason === DOUBLE_OF_REFUSED;
  if (!isDouble || repeat === null) return [code, refusalWord(reader, reason, msisdn)];
  return [code, repeatWord(reader, reason, causeWithValues(repeat))];
}

/** Why nothing is sent to a number, as far as the number says more than the code. */
export function refusalWord(
  { language, inTheirWords, context }: WhyReader,
  reason: string,
  msisdn: string | null,
): string {
  const own = reason === UNSERVED && msisdn !== null ? notServed(context.config, msisdn) : null;
  return own === null ? rejectionWord(language, reason) : inTheirWords(own);
}

/** A row that was taken out because its number gets the text keeps its code, however often the file is brought again. */
export function codeOf(cause: string): string {
  return cause.startsWith(REPEATS_A_NUMBER) ? DOUBLE : UNREADABLE;
}

/** The reason that people are told of somebody who was left out: a number that had its turn before is no double of its own list. */
export function toldReason({ reason_code: reason, cause }: LeftOutTold): string {
  return reason === DOUBLE && cause?.startsWith(REPEATS_A_NUMBER) ? TURN_BEFORE : reason;
}

type LeftOutTold = { readonly reason_code: string; readonly cause: string | null };

function causeWithValues(repeat: Repeat): string {
  return repeatCause(repeat, ({ column, first }) => `${column} (${first})`);
}

/** Why nobody could read it. */
export function unreadableWord({ language, inTheirWords }: WhyReader, cause: string): string {
  return cause === "" ? rejectionWord(language, UNREADABLE) : inTheirWords(cause);
}

/** Which row a double repeats; where that one gets nothing either, so much is said first. */
export function repeatWord({ language, inTheirWords }: WhyReader, told: string, cause: string): string {
  const named = inTheirWords(cause);
  return told === DOUBLE ? named : `${rejectionWord(language, told)} (${named})`;
}

/** A code as files for people have it. */
export function codeIn(language: WhyReader["language"], code: string): string {
  const words: Readonly<Record<string, string>> = CODES_IN_FRENCH;
  return language === "fr" ? (words[code] ?? code) : code;
}

function rejectionWord(language: WhyReader["language"], reason: string): string {
  const words: Readonly<Record<string, string>> = REJECTION_WORDS[language];
  return words[reason] ?? reason;
}
