/** What a correction sent for a row that was not sent: "nothing left for you" is wrong of whoever got the text two minutes later. */
import { correctingMessages } from "../messages/corrections.ts";
import { messageObject } from "../messages/view.ts";
import type { Reader } from "../store/read.ts";
import { rowsNumber } from "./row-match.ts";

/** A message of a batch that corrects the row's. */
export type CorrectedRow = {
  readonly batch_id: string;
  readonly message_id: string;
  readonly msisdn: string;
  readonly status: string;
  /** When it came to that. */
  readonly at: string;
};

/** Messages of corrections that are looked at. */
const MOST_LOOKED = 2000;

/**
 * Tells of rows of a batch, by what stands there as their number, what a correction sent for them. No link is kept from a row to its
 * correction: it is the one number that has the row's, or has all of its digits in a row. Where two have, nothing is told.
 */
export function correctedRows(read: Reader, batchId: number): (written: string) => CorrectedRow | null {
  const messages = correctingMessages(read, batchId, MOST_LOOKED);
  return (written) => {
    const isMeant = rowsNumber(written);
    const found = messages.filter(({ msisdn }) => isMeant(msisdn));
    const last = found.at(-1);
    if (!last || new Set(found.map(({ msisdn }) => msisdn)).size > 1) return null;
    const { batch_id, message_id, msisdn, status, ...times } = messageObject(last);
    const at = times.finalized_at ?? times.sent_at ?? times.created_at;
    return { batch_id, message_id, msisdn, status, at };
  };
}
