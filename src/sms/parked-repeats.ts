/**
 * An operator may repeat a receipt that matches no message. Of equal ones two are kept: the first, because it came
 * before the others that are parked, and the newest, because it came after what left since.
 */
import { canonicalId } from "../smpp/message-id.ts";
import type { Tx } from "../store/write.ts";
import type { IncomingReceipt } from "./parked-receipts.ts";

/** The newest receipts under an id that are looked at. */
const LOOKED_AT = 50;
/** Receipts of an operator that name no message: they are kept to be seen, and nobody looks at more. */
const NAMELESS_KEPT = 1000;

type ParkedState = {
  readonly id: number;
  readonly smsc_id: string;
  readonly msisdn: string;
  readonly other_number: string;
  readonly state: string;
  readonly raw_state: string;
  readonly operator_code: string | null;
  readonly text: string | null;
  readonly is_marked: number;
};

/** Makes room for a marked receipt that is about to be parked. */
export function dropRepeats(tx: Tx, { operator, msisdn, otherNumber, receipt }: IncomingReceipt): void {
  if (receipt.id === null) {
    tx.run(
      `DELETE FROM parked_receipts WHERE operator = ?1 AND smsc_key = '' AND id <=
         (SELECT id FROM parked_receipts WHERE operator = ?1 AND smsc_key = '' ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
      operator,
      NAMELESS_KEPT - 1,
    );
    return;
  }
  const sameId = tx.all<ParkedState>(
    `SELECT id, smsc_id, msisdn, other_number, state, raw_state, operator_code, text, is_marked
     FROM parked_receipts WHERE operator = ? AND smsc_key = ? ORDER BY id DESC LIMIT ?`,
    operator,
    canonicalId(receipt.id),
    LOOKED_AT,
  );
  const alike = sameId.filter(
    (row) =>
      row.is_marked === 1 &&
      row.smsc_id === receipt.id &&
      row.msisdn === msisdn &&
      row.other_number === (otherNumber ?? "") &&
      row.state === receipt.state &&
      row.raw_state === (receipt.rawStat ?? "?") &&
      row.operator_code === receipt.errorCode &&
      row.text === receipt.text,
  );
  for (const { id } of alike.slice(0, -1)) tx.run("DELETE FROM parked_receipts WHERE id = ?", id);
}
