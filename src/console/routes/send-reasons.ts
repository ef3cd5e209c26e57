/** Why rows of a file are sent nothing, as its quote tells it. */
import type { ImportRow } from "../../base/import-row.ts";
import { DOUBLE, DOUBLE_OF_REFUSED } from "../../messages/doubles.ts";
import type { PersonsQuote } from "../../operations/submissions.ts";
import type { Repeat } from "../../recipients/repeats.ts";
import { UNREADABLE } from "../../reports/left-out.ts";
import type { EarlierRows } from "../send/earlier-rows.ts";
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
  const counts = new Map<string, number>();
  for (const { reason } of left) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return { ...reasons, ...Object.fromEntries(counts) };
}

/** Lines of the file, the first of each kind. */
export type LeftLines = {
  readonly by_reason: Readonly<Record<string, readonly number[]>>;
  readonly by_operator: Readonly<Record<string, readonly number[]>>;
};

/** As many as somebody looks up by hand. */
const MOST_LINES = 12;

/** On which lines stand those who are sent nothing, as far as they are told. `rows`: as the batch keeps them. */
export function leftLines(
  { rejected, unreached }: Pick<KeptFile, "rejected" | "unreached">,
  rows: readonly Pick<ImportRow, "line" | "status">[],
): LeftLines {
  const illegible = rows
    .filter(({ status }) => status === "UNREADABLE")
    .map(({ line }): [string, number] => [UNREADABLE, line]);
  const refused = rejected.map(({ line, reason }): [string, number] => [reason, line]);
  return {
    by_reason: firstLines([...illegible, ...refused]),
    by_operator: firstLines(unreached.map(({ line, operator }) => [operator, line])),
  };
}

function firstLines(rows: readonly (readonly [string, number])[]): Readonly<Record<string, number[]>> {
  const kinds = Map.groupBy(
    rows.toSorted(([, a], [, b]) => a - b),
    ([kind]) => kind,
  );
  const first = [...kinds].map(([kind, all]) => [kind, all.slice(0, MOST_LINES).map(([, line]) => line)]);
  return Object.fromEntries(first);
}
