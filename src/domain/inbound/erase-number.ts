/** Takes a number and its words out of what subscribers sent in. */
import type { ErasedNumber } from "../../core/sought-number.ts";
import type { Tx } from "../../db/write.ts";
import type { WaitingSegment } from "./about-number.ts";

/** Erases texts; how many. When they came, from which operator and whether a word in them opted out, stays. */
export function eraseInbound(tx: Tx, { name }: ErasedNumber, ids: readonly number[]): number {
  return tx.run(
    `UPDATE inbound_texts SET source = ?1, msisdn = iif(msisdn IS NULL, NULL, ?1), text = '', octets = NULL, content_key = 0
     WHERE id IN (SELECT value FROM json_each(?2))`,
    name,
    JSON.stringify(ids),
  );
}

/** Drops segments of texts that are not whole; how many. */
export function dropSegments(tx: Tx, segments: readonly WaitingSegment[]): number {
  let dropped = 0;
  for (const segment of segments)
    dropped += tx.run(
      `DELETE FROM inbound_parts WHERE operator = $operator AND source = $source AND destination = $destination
         AND reference = $reference AND total = $total AND part = $part`,
      segment,
    );
  return dropped;
}
