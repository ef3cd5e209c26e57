/** Receipts about one number that wait for the message that they are about. */
import { type Page, toPage } from "../../core/pages.ts";
import type { NumberMatcher } from "../../core/sought-number.ts";
import type { Reader } from "../../db/read.ts";

export type WaitingReceipt = {
  readonly id: number;
  readonly operator: string;
  readonly remoteId: string;
  readonly msisdn: string;
  readonly otherNumber: string;
  readonly rawState: string;
  readonly receivedAt: number;
  readonly text: string | null;
};

const PAGE = 500;

/** Parked receipts about a number, among the next rows. */
export function parkedPage(
  read: Reader,
  number: NumberMatcher,
  after: number | null,
): Page<WaitingReceipt, number> {
  const rows = read.all<WaitingReceipt>(
    `SELECT id, operator, smsc_id AS remoteId, msisdn, other_number AS otherNumber, raw_state AS rawState,
       received_at AS receivedAt, text FROM parked_receipts WHERE id > ? ORDER BY id LIMIT ?`,
    after ?? -1,
    PAGE,
  );
  const isAbout = ({ msisdn, otherNumber }: WaitingReceipt) =>
    number.occursIn(msisdn) || number.occursIn(otherNumber);
  return toPage(rows, PAGE, ({ id }) => id, isAbout);
}
