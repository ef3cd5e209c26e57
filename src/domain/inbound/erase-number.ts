/** Erases a number and its texts from what subscribers sent in. */

import type { ErasedNumber, NumberMatcher } from "../../core/number-matcher.ts";
import { type Page, toPage } from "../../core/paging.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { type InboundText, LIST } from "./inbound-texts.ts";

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

// What one number sent in.

const PAGE = 500;

/** Texts that a number sent in, among the next rows. */
export function inboundPage(
  read: Reader,
  number: NumberMatcher,
  after: number | null,
): Page<InboundText, number> {
  const rows = read.all<InboundText>(`${LIST} WHERE id > ? ORDER BY id LIMIT ?`, after ?? -1, PAGE);
  const isFrom = ({ msisdn, source }: InboundText) => msisdn === number.msisdn || number.occursIn(source);
  return toPage(rows, PAGE, ({ id }) => id, isFrom);
}

/** A segment of a long text whose other segments have not come. */
type WaitingSegment = {
  readonly operator: string;
  readonly source: string;
  readonly destination: string;
  readonly reference: number;
  readonly total: number;
  readonly part: number;
  readonly octets: Uint8Array;
  readonly receivedAt: number;
};

/** Segments that a number sent in and whose text is not whole yet. There are never many. */
export function waitingSegments(read: Reader, number: NumberMatcher): WaitingSegment[] {
  return read
    .all<WaitingSegment>(
      `SELECT operator, source, destination, reference, total, part, octets, received_at AS receivedAt
       FROM inbound_parts ORDER BY received_at`,
    )
    .filter(({ source }) => number.occursIn(source));
}
