import type { Xof } from "../../core/money.ts";
import type { Reader } from "../../db/read.ts";

/** What one message of a batch came to, as reports add it up. */
export type MessageOutcome = {
  readonly operator: string;
  readonly status: string;
  readonly error: string | null;
  readonly segments: number;
  readonly amount: Xof;
  readonly submittedAtMs: number | null;
  readonly deliveredAtMs: number | null;
};

/** Rows that are looked at in one go. */
const STEP = 1000;

/** The messages of a batch in order, a step at a time: somebody else may have a turn between two. */
export function* outcomesOf(
  read: Reader,
  batch: { readonly id: number; readonly firstMessageId: number; readonly messages: number },
): Generator<readonly MessageOutcome[]> {
  const end = batch.firstMessageId + batch.messages;
  for (let from = batch.firstMessageId; from < end; from += STEP) {
    yield read.all<MessageOutcome>(
      `SELECT operator, status, error_code AS error, segments, amount, submitted_at AS submittedAtMs,
         delivered_at AS deliveredAtMs
       FROM messages WHERE id >= ? AND id < ? AND batch_id = ? ORDER BY id`,
      from,
      Math.min(end, from + STEP),
      batch.id,
    );
  }
}
