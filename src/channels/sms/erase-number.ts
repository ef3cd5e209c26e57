/**
 * What this room stores of one telephone number, for its erasure: unknown outcomes, unmatched receipts and test messages.
 */

import type { ErasedNumber, NumberMatcher } from "../../core/number-matcher.ts";
import { type Page, toPage } from "../../core/paging.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import type { TestMessageRow } from "./test-messages.ts";

/** Ends the unknown outcomes of final messages, by their ids as a JSON list: such a row is found by the end of the number. */
export function eraseUnknownOutcomes(tx: Tx, messageIds: string): void {
  tx.run(
    `UPDATE unaccepted_submits SET number_key = NULL
     WHERE message_id IN (SELECT value FROM json_each(?)) AND number_key IS NOT NULL`,
    messageIds,
  );
}

/** Erases the number in unmatched receipts; how many. The rows stay until they are too old, and match no message any more. */
export function eraseReceipts(
  tx: Tx,
  { occursIn }: NumberMatcher,
  { name }: ErasedNumber,
  receipts: readonly WaitingReceipt[],
): number {
  let erased = 0;
  const without = (number: string) => (occursIn(number) ? name : number);
  for (const { id, msisdn, otherNumber } of receipts) {
    erased += tx.run(
      `UPDATE unmatched_receipts SET msisdn = $msisdn, other_number = $otherNumber, number_key = NULL, text = NULL
       WHERE id = $id`,
      { id, msisdn: without(msisdn), otherNumber: without(otherNumber) },
    );
    tx.run("DELETE FROM unmatched_texts WHERE receipt_id = ?", id);
  }
  return erased;
}

/** Erases a number from test messages; how many. */
export function eraseTestMessages(
  tx: Tx,
  { name }: ErasedNumber,
  tests: readonly Pick<TestMessageRow, "id">[],
): number {
  let erased = 0;
  for (const { id } of tests) erased += tx.run("UPDATE operator_tests SET msisdn = ? WHERE id = ?", name, id);
  return erased;
}

// Unmatched receipts about one number.

type WaitingReceipt = {
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

/** Unmatched receipts about a number, among the next rows. */
export function unmatchedPage(
  read: Reader,
  number: NumberMatcher,
  after: number | null,
): Page<WaitingReceipt, number> {
  const rows = read.all<WaitingReceipt>(
    `SELECT id, operator, smsc_id AS remoteId, msisdn, other_number AS otherNumber, raw_state AS rawState,
       received_at AS receivedAt, text FROM unmatched_receipts WHERE id > ? ORDER BY id LIMIT ?`,
    after ?? -1,
    PAGE,
  );
  const isAbout = ({ msisdn, otherNumber }: WaitingReceipt) =>
    number.occursIn(msisdn) || number.occursIn(otherNumber);
  return toPage(rows, PAGE, ({ id }) => id, isAbout);
}
