/** The fallback of a batch (docs/behaviour.md#fallback). A batch without one has no row. */
import type { ChargeOn } from "../../core/money.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";

export type Fallback = {
  /** How long nothing may be heard of the first leg, in milliseconds. */
  readonly afterMs: number;
  /** The text of the fallback, with its tags. */
  readonly body: string;
  /** When the fallback is charged; the batch's own rule is that of the first leg. */
  readonly chargeOn: ChargeOn;
  /** Until when the first leg is worth beginning, epoch milliseconds; the batch's own end is that of the last fallback. */
  readonly firstExpiresAt: number;
  /** How long the fallback is worth sending once it begins, in milliseconds. */
  readonly validityMs: number;
};

export function insertFallback(tx: Tx, batchId: number, fallback: Fallback | null): void {
  if (fallback === null) return;
  tx.run(
    `INSERT INTO batch_fallbacks (batch_id, after_ms, body, charge_on, first_expires_at, validity_ms)
     VALUES ($batchId, $afterMs, $body, $chargeOn, $firstExpiresAt, $validityMs)`,
    { ...fallback, batchId },
  );
}

/** The fallback of a batch; null for one that has none. */
export function readFallback(read: Reader, batchId: number): Fallback | null {
  return read.get<Fallback>(
    `SELECT after_ms AS afterMs, body, charge_on AS chargeOn, first_expires_at AS firstExpiresAt, validity_ms AS validityMs
     FROM batch_fallbacks WHERE batch_id = ?`,
    batchId,
  );
}

export function deleteFallback(tx: Tx, batchId: number): void {
  tx.run("DELETE FROM batch_fallbacks WHERE batch_id = ?", batchId);
}

/** Deletes the fallback texts of batches, by their ids as a JSON list. */
export function clearFallbackBodies(tx: Tx, batchIds: string): void {
  tx.run(
    "UPDATE batch_fallbacks SET body = '' WHERE batch_id IN (SELECT value FROM json_each(?)) AND body <> ''",
    batchIds,
  );
}

/** The same for batches whose own text is gone, of the messages with these ids as a JSON list. */
export function clearBodiesOfBatches(tx: Tx, messageIds: string): void {
  tx.run(
    `UPDATE batch_fallbacks SET body = '' WHERE body <> '' AND batch_id IN (SELECT b.id FROM batches b
       JOIN messages m ON m.batch_id = b.id WHERE m.id IN (SELECT value FROM json_each(?)) AND b.body = '')`,
    messageIds,
  );
}

/** Until when the leg that carries a message is worth sending, in SQL over `messages m` and its `batches b`. */
export const LEG_EXPIRES_AT = `min(b.expires_at, coalesce(
  (SELECT CASE s.stage WHEN 'FIRST' THEN f.first_expires_at ELSE s.expires_at END
   FROM fallbacks s JOIN batch_fallbacks f ON f.batch_id = s.batch_id WHERE s.message_id = m.id), b.expires_at))`;
