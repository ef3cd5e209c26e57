/** Why rows of a file are sent nothing, as its quote tells it. */
import { DOUBLE, DOUBLE_OF_REFUSED } from "../../messages/doubles.ts";
import type { PersonsQuote } from "../../operations/submissions.ts";
import type { Repeat } from "../../recipients/repeats.ts";
import { type EarlierRows, FAILED_BEFORE, SERVED_BEFORE } from "../send/earlier-rows.ts";
import type { KeptFile } from "../send/file-shelf.ts";

type Reasons = PersonsQuote["rejections_by_reason"];

/** Of those that are among the rejected who are told; the first with a number stands before all that repeat it. */
export function withFirst(
  repeats: readonly Repeat[],
  rejected: KeptFile["rejected"],
): readonly (Repeat & { readonly is_first_sent: boolean })[] {
  const reasons = new Map(rejected.map(({ line, reason }) => [line, reason]));
  return repeats
    .filter(({ line }) => reasons.has(line))
    .map((repeat) => ({ ...repeat, is_first_sent: reasons.get(repeat.line) === DOUBLE }));
}

/** Reasons by how many, doubles apart whose number gets nothing either. */
export function withDoubles(reasons: Reasons, ofRefused: number): Reasons {
  if (ofRefused === 0) return reasons;
  const { [DOUBLE]: doubles = 0, ...others } = reasons;
  const ofSent = doubles - ofRefused;
  return { ...others, ...(ofSent > 0 ? { [DOUBLE]: ofSent } : {}), [DOUBLE_OF_REFUSED]: ofRefused };
}

/** Reasons by how many, with those of rows that are left out. */
export function withLeft(reasons: Reasons, { left }: EarlierRows): Reasons {
  const counts = [SERVED_BEFORE, FAILED_BEFORE].map(
    (reason) => [reason, left.filter((one) => one.reason === reason).length] as const,
  );
  return { ...reasons, ...Object.fromEntries(counts.filter(([, count]) => count > 0)) };
}
