/** Which user of the console wrote and sent a batch: they read its texts without a reason (docs/console.md#who-sees-what). */
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";

/** Records it, in the transaction that accepts the batch. */
export function recordBatchSender(tx: Tx, batchId: number, userId: number): void {
  tx.run("INSERT INTO batch_senders (batch_id, user_id) VALUES (?, ?)", batchId, userId);
}

export function isBatchSender(read: Reader, batchId: number, userId: number): boolean {
  const sql = "SELECT 1 AS found FROM batch_senders WHERE batch_id = ? AND user_id = ?";
  return read.get(sql, batchId, userId) !== null;
}

/** Forgets who sent batches, whose ids are a JSON list. */
export function dropBatchSenders(tx: Tx, batchIds: string): void {
  tx.run("DELETE FROM batch_senders WHERE batch_id IN (SELECT value FROM json_each(?))", batchIds);
}
