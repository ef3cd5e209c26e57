/** Why messages of a batch failed, by cause, and what they cost all the same. */
import type { Xof } from "../../core/money.ts";
import type { Reader } from "../../db/read.ts";

export type FailureSum = {
  readonly code: string;
  readonly messages: number;
  readonly amount: Xof;
  /** How many of them each operator had. */
  readonly operators: ReadonlyMap<string, number>;
};

type Row = Pick<FailureSum, "code" | "messages" | "amount"> & { readonly operator: string };

/** Messages added up in one go. */
const FAILURES_STEP = 5000;

/** Adds up stretch by stretch, and yields between two: somebody else may have a turn. The largest first, when it is done. */
export function* failureSums(
  read: Reader,
  batch: { readonly id: number; readonly firstMessageId: number; readonly messages: number },
): Generator<undefined, readonly FailureSum[]> {
  const end = batch.firstMessageId + batch.messages;
  const sums = new Map<string, FailureSum>();
  for (let from = batch.firstMessageId; from < end; from += FAILURES_STEP) {
    const rows = read.all<Row>(
      `SELECT coalesce(error_code, '') AS code, operator, count(*) AS messages, sum(amount) AS amount FROM messages
       WHERE id >= ? AND id < ? AND batch_id = ? AND status = 'FAILED' GROUP BY error_code, operator`,
      from,
      Math.min(end, from + FAILURES_STEP),
      batch.id,
    );
    for (const { code, operator, messages, amount } of rows) {
      const known = sums.get(code) ?? { code, messages: 0, amount: 0, operators: new Map<string, number>() };
      const here = (known.operators.get(operator) ?? 0) + messages;
      const operators = new Map([...known.operators, [operator, here]]);
      sums.set(code, { code, messages: known.messages + messages, amount: known.amount + amount, operators });
    }
    yield;
  }
  return [...sums.values()].sort((a, b) => b.messages - a.messages);
}
