/** When users read messages. It is told and moves nothing: a message that was read has been at its end before. */
import type { Tx } from "../../db/write.ts";

/** When the user read the message `m` of the batch `b`, in SQL; NULL where that is not known. No operator of SMS tells it. */
export const READ_AT =
  "CASE b.channel WHEN 'SMS' THEN NULL ELSE (SELECT u.read_at FROM message_reads u WHERE u.message_id = m.id) END";

/** Notes that the user read a message, once, where it stands as delivered. */
export function recordRead(tx: Tx, messageId: number, atMs: number): void {
  tx.run(
    `INSERT INTO message_reads (message_id, read_at) SELECT id, ? FROM messages WHERE id = ? AND status = 'DELIVERED'
     ON CONFLICT (message_id) DO NOTHING`,
    atMs,
    messageId,
  );
}

/** Forgets it of messages that go, by their ids as a JSON list. */
export function deleteReads(tx: Tx, messageIds: string): void {
  tx.run("DELETE FROM message_reads WHERE message_id IN (SELECT value FROM json_each(?))", messageIds);
}
