/**
 * Takes a number and its texts out of what is kept of messages. Status, money and counts stay as they are; the feed does not move. All of it
 * may be done again: what bears the name already is not found by the number any more.
 */
import type { ErasedNumber } from "../../core/sought-number.ts";
import type { Tx } from "../../db/write.ts";
import type { RejectionPlace } from "./about-number.ts";
import { clearBodiesOfBatches } from "./fallbacks.ts";
import { clearInactiveTexts } from "./second-ways.ts";

/** Nobody else is a recipient of the batch `b`: its text was for the number alone. */
const IS_FOR_NOBODY_ELSE = `b.ended_at IS NOT NULL AND b.body <> '' AND NOT EXISTS (SELECT 1 FROM rejections r
  WHERE r.batch_id = b.id AND (r.msisdn IS NULL OR (r.msisdn <> $msisdn AND r.msisdn <> $name)))`;

/** Erases the final ones among some messages, by their ids as a JSON list; how many. */
export function eraseMessages(tx: Tx, number: ErasedNumber, ids: string): number {
  const erased = tx.run(
    `UPDATE messages SET msisdn = $name, text = ''
     WHERE id IN (SELECT value FROM json_each($ids)) AND msisdn = $msisdn AND is_final = 1`,
    { ...number, ids },
  );
  clearInactiveTexts(
    tx,
    JSON.stringify(
      tx
        .all<{ id: number }>(
          "SELECT id FROM messages WHERE id IN (SELECT value FROM json_each(?)) AND msisdn = ?",
          ids,
          number.name,
        )
        .map(({ id }) => id),
    ),
  );
  tx.run(
    `DELETE FROM message_references WHERE message_id IN
       (SELECT id FROM messages WHERE id IN (SELECT value FROM json_each($ids)) AND msisdn = $name)`,
    { name: number.name, ids },
  );
  tx.run(
    `UPDATE batches AS b SET body = '', other_tags = NULL, warnings = NULL, client_reference = NULL
     WHERE b.id IN (SELECT batch_id FROM messages WHERE id IN (SELECT value FROM json_each($ids)) AND msisdn = $name)
       AND b.accepted = 1 AND ${IS_FOR_NOBODY_ELSE}`,
    { ...number, ids },
  );
  clearBodiesOfBatches(tx, ids);
  return erased;
}

/** Erases rejections of the number. */
export function eraseRejections(tx: Tx, number: ErasedNumber, places: readonly RejectionPlace[]): number {
  let erased = 0;
  for (const { batchId, position } of places) {
    erased += tx.run(
      `UPDATE rejections SET msisdn = $name, client_reference = NULL
       WHERE batch_id = $batchId AND position = $position AND msisdn = $msisdn`,
      { ...number, batchId, position },
    );
    tx.run(
      `UPDATE batches AS b SET body = '', other_tags = NULL, warnings = NULL, client_reference = NULL WHERE b.id = $batchId AND b.accepted = 0 AND ${IS_FOR_NOBODY_ELSE}`,
      { ...number, batchId },
    );
  }
  return erased;
}
