import type { Tx } from "../../db/write.ts";
import { deleteFallback } from "./fallbacks.ts";

/**
 * Takes up to `limit` batches of a sandbox away that ended before an instant and of which no message is left, with what was kept of
 * them; how many went. The newest of all stays: new ids go on above it. What is live keeps its batches for ever: they are its books.
 */
export function deleteSandboxBatches(tx: Tx, accountId: number, beforeMs: number, limit: number): number {
  const over = tx.all<{ id: number }>(
    `SELECT id FROM batches b WHERE account_id = ? AND account_id < 0 AND id < (SELECT max(id) FROM batches) AND created_at < ? AND ended_at < ? AND unsquared = 0
       AND NOT EXISTS (SELECT 1 FROM rejections r WHERE r.batch_id = b.id)
       AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.id >= b.first_message_id AND m.id < b.first_message_id + b.accepted)
     ORDER BY created_at LIMIT ?`,
    accountId,
    beforeMs,
    beforeMs,
    limit,
  );
  for (const { id } of over) {
    tx.run("DELETE FROM purged_lines WHERE batch_id = ?", id);
    deleteFallback(tx, id);
    tx.run("DELETE FROM batches WHERE id = ?", id);
  }
  return over.length;
}
