import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";
import { applyFacts } from "./apply-facts.ts";
import { HAS_NOT_ENDED } from "./batch-status.ts";
import { advanceBatch } from "./batch-totals.ts";

export type CancelReason = "CANCELLED" | "SCHEDULE_TOO_LATE";

/**
 * Calls a batch off: nothing of it is claimed from this commit on. Its waiting messages are cancelled by
 * `cancelWaiting`; one that is still VALIDATING is ended by its validation; one whose messages have all left ends
 * here. False when it has ended already or is being cancelled.
 */
export function callOff(
  tx: Tx,
  batchId: number,
  reason: CancelReason,
  note: string | null,
  nowMs: number,
): boolean {
  const calledOff =
    tx.run(
      `UPDATE batches SET cancel_reason = ?, cancel_note = ?
       WHERE id = ? AND cancel_reason IS NULL AND status IN ('VALIDATING', 'SCHEDULED', 'QUEUED', 'SENDING')`,
      reason,
      note,
      batchId,
    ) === 1;
  if (calledOff) advanceBatch(tx, batchId, false, nowMs);
  return calledOff;
}

/** Batches that were called off and have not ended. */
export function cancellingBatches(read: Reader): { id: number; reason: CancelReason }[] {
  return read.all(
    `SELECT id, cancel_reason AS reason FROM batches
     WHERE ${HAS_NOT_ENDED} AND status IN ('SCHEDULED', 'QUEUED', 'SENDING') AND cancel_reason IS NOT NULL ORDER BY id`,
  );
}

/** Cancels and releases up to `limit` waiting messages of a batch that was called off; how many. */
export function cancelWaiting(
  tx: Tx,
  batch: { readonly id: number; readonly reason: CancelReason },
  nowMs: number,
  limit: number,
): number {
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
