/** What one number sent in. */
import { type Page, toPage } from "../../core/pages.ts";
import type { NumberMatcher } from "../../core/sought-number.ts";
import type { Reader } from "../../db/read.ts";
import { type InboundText, LIST } from "./inbound-texts.ts";

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

/** A segment of a long text of which others have not come. */
export type WaitingSegment = {
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
