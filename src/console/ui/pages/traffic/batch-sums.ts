/** The lines of a batch's report added up, by operator and by cause. Pure. */
import type { Contract } from "../../api/contract.ts";

export type ReportLine = Contract["GET /batches/:batch/report"]["answer"]["lines"][number];

export type OutcomeSum = {
  readonly key: string;
  readonly name: string;
  readonly accepted: number;
  readonly delivered: number;
  readonly failed: number;
  readonly noReceipt: number;
  /** Waiting or on their way. */
  readonly open: number;
  readonly cancelled: number;
  readonly segments: number;
  /** Null where amounts are not shown. */
  readonly amount: number | null;
};

const COLUMN = {
  ...({ DELIVERED: "delivered", FAILED: "failed", NO_RECEIPT: "noReceipt" } as const),
  ...({ UNDER_WAY: "open", WAITING: "open", CANCELLED: "cancelled" } as const),
};

const NONE = { accepted: 0, delivered: 0, failed: 0, noReceipt: 0, open: 0, cancelled: 0, segments: 0 };

/** All lines as one sum. */
export function sumOfLines(key: string, name: string, lines: readonly ReportLine[]): OutcomeSum {
  let sum: OutcomeSum = { key, name, ...NONE, amount: 0 };
  for (const { state, messages, segments, amount } of lines) {
    const column = COLUMN[state];
    sum = {
      ...sum,
      accepted: sum.accepted + messages,
      segments: sum.segments + segments,
      amount: sum.amount === null || amount === null ? null : sum.amount + amount,
      [column]: sum[column] + messages,
    };
  }
  return sum;
}

/** A sum for each operator, in the order of the lines. */
export function sumsByOperator(lines: readonly ReportLine[]): readonly OutcomeSum[] {
  const groups = Map.groupBy(lines, ({ operator }) => operator);
  return [...groups].map(([code, own]) => sumOfLines(code, own[0]?.name ?? code, own));
}

/** Why messages failed, over all operators, the most frequent first. */
export function causesOf(lines: readonly ReportLine[]): readonly (OutcomeSum & { readonly code: string })[] {
  const failed = lines.filter(({ state }) => state === "FAILED");
  const groups = Map.groupBy(failed, ({ error }) => error ?? "");
  return [...groups]
    .map(([code, own]) => ({ ...sumOfLines(code, own[0]?.detail ?? code, own), code }))
    .sort((a, b) => b.failed - a.failed);
}
