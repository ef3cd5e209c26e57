/** Takes a number out of what is kept of submits and receipts. */
import type { ErasedNumber, NumberMatcher } from "../../core/sought-number.ts";
import type { Tx } from "../../db/write.ts";
import type { WaitingReceipt } from "./about-number.ts";
import type { TestMessageRow } from "./trial-rows.ts";

/** Ends doubts about messages that are final, by their ids as a JSON list: a doubt is found by the end of the number. */
export function eraseDoubts(tx: Tx, messageIds: string): void {
  tx.run(
    `UPDATE unaccepted_submits SET doubt_key = NULL
     WHERE message_id IN (SELECT value FROM json_each(?)) AND doubt_key IS NOT NULL`,
    messageIds,
  );
}

/** Erases parked receipts; how many. They stay until they are too old, and find no message any more. */
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
      `UPDATE parked_receipts SET msisdn = $msisdn, other_number = $otherNumber, number_key = NULL, text = NULL
       WHERE id = $id`,
      { id, msisdn: without(msisdn), otherNumber: without(otherNumber) },
    );
    tx.run("DELETE FROM parked_texts WHERE receipt_id = ?", id);
  }
  return erased;
}

/** Takes a number out of texts that tested operators; how many. */
export function eraseTrials(tx: Tx, { name }: ErasedNumber, tests: readonly Pick<TestMessageRow, "id">[]): number {
  let erased = 0;
  for (const { id } of tests) erased += tx.run("UPDATE operator_tests SET msisdn = ? WHERE id = ?", name, id);
  return erased;
}
