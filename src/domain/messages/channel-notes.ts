/** What a channel keeps of a batch, in words that it alone reads. A batch of a channel that keeps nothing has no row. */
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";

export function insertChannelNote(tx: Tx, batchId: number, note: string | null): void {
  if (note !== null) tx.run("INSERT INTO batch_channel_notes (batch_id, note) VALUES (?, ?)", batchId, note);
}

/** What the channel of a batch keeps of it, or null. */
export function channelNote(read: Reader, batchId: number): string | null {
  const sql = "SELECT note FROM batch_channel_notes WHERE batch_id = ?";
  return read.get<{ note: string }>(sql, batchId)?.note ?? null;
}

export function deleteChannelNote(tx: Tx, batchId: number): void {
  tx.run("DELETE FROM batch_channel_notes WHERE batch_id = ?", batchId);
}
