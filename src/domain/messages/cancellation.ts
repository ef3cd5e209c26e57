/** Cancels a batch: from then on nothing of it is claimed, and what waits is cancelled in steps (docs/behaviour.md#cancelling). */
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { applyFacts } from "./apply-facts.ts";
import { reconsiderBatch } from "./batch-totals.ts";

export type CancelReason = "CANCELLED" | "SCHEDULE_TOO_LATE";

/**
 * Calls a batch off: nothing of it is claimed from this commit on. Its waiting messages are cancelled by
 * `cancelWaiting`; one that is still VALIDATING is ended by its validation; one whose messages have all left ends
 * here. False when it has ended already or is being cancelled.
 */
export function requestCancellation(
  tx: Tx,
  batchId: number,
  reason: CancelReason,
  note: string | null,
  nowMs: number,
): boolean {
  const calledOff =
    tx.run(
      `UPDATE batches SET cancel_reason = ?, cancel_note = ?, cancel_requested_at = ?
       WHERE id = ? AND cancel_reason IS NULL AND status IN ('VALIDATING', 'SCHEDULED', 'QUEUED', 'SENDING')`,
      reason,
      note,
      reason === "CANCELLED" ? nowMs : null,
      batchId,
    ) === 1;
  if (calledOff) reconsiderBatch(tx, batchId, nowMs);
  return calledOff;
}

/** A batch that was called off, and why. */
export type CancelledBatch = { readonly id: number; readonly reason: CancelReason };

/** The batch with this id, if it was called off and has not ended: what of it waits is to be cancelled. */
export function calledOff(read: Reader, batchId: number): CancelledBatch | null {
  return read.get<CancelledBatch>(
    `SELECT id, cancel_reason AS reason FROM batches
     WHERE id = ? AND cancel_reason IS NOT NULL AND status IN ('SCHEDULED', 'QUEUED', 'SENDING')`,
    batchId,
  );
}

/** Cancels and releases up to `limit` waiting messages of a batch that was called off; how many. */
export function cancelQueuedMessages(tx: Tx, batch: CancelledBatch, nowMs: number, limit: number): number {
  const waiting = tx.all<{ id: number }>(
    "SELECT id FROM messages WHERE batch_id = ? AND status = 'QUEUED' LIMIT ?",
    batch.id,
    limit,
  );
  applyFacts(
    tx,
    waiting.map(({ id }) => ({
      kind: "cancelled",
      messageId: id,
      error: { code: batch.reason, operatorCode: null },
    })),
    nowMs,
  );
  return waiting.length;
}

type Waiting = { readonly batchId: number; readonly isAlone: number };

/**
 * Cancels and releases one message that waits; false where it does not any more. A batch of which nothing else is left is called off
 * with it, and is CANCELLED; of any other the rest goes on.
 */
export function cancelQueuedMessage(tx: Tx, messageId: number, note: string, nowMs: number): boolean {
  const waiting = tx.get<Waiting>(
    `SELECT m.batch_id AS batchId, iif(b.status = 'SCHEDULED', b.unfinished, b.accepted) = 1 AS isAlone
     FROM messages m JOIN batches b ON b.id = m.batch_id
     WHERE m.id = ? AND m.status = 'QUEUED' AND b.status IN ('SCHEDULED', 'QUEUED', 'SENDING')`,
    messageId,
  );
  if (!waiting) return false;
  if (waiting.isAlone === 1) requestCancellation(tx, waiting.batchId, "CANCELLED", note, nowMs);
  applyFacts(tx, [{ kind: "cancelled", messageId, error: { code: "CANCELLED", operatorCode: null } }], nowMs);
  return true;
}
