/**
 * What an operator says of nobody's message, it may say again and again: of receipts that are alike in everything, the first
 * is kept, which came before whatever else is parked, and the newest, which came after whatever left since.
 */
import { canonicalId } from "../smpp/message-id.ts";
import type { Tx } from "../store/write.ts";
import type { IncomingReceipt } from "./parked-receipts.ts";

/** The newest receipts under an id that are looked at. */
const LOOKED_AT = 50;
/** Receipts of an operator that name no message: they are kept to be seen, and nobody looks at more. */
const NAMELESS_KEPT = 1000;

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
  const alike = tx.all<{ id: number }>(
    `SELECT id FROM
       (SELECT * FROM parked_receipts WHERE operator = ? AND smsc_key = ? ORDER BY parked_receipts.id DESC LIMIT ?)
     WHERE smsc_id = ? AND msisdn = ? AND other_number = ? AND state = ? AND raw_state = ?
       AND operator_code IS ? AND text IS ? AND is_marked = 1 ORDER BY id`,
    operator,
    canonicalId(receipt.id),
    LOOKED_AT,
    receipt.id,
    msisdn,
    otherNumber ?? "",
    receipt.state,
    receipt.rawStat ?? "?",
    receipt.errorCode,
    receipt.text,
  );
  for (const { id } of alike.slice(1)) tx.run("DELETE FROM parked_receipts WHERE id = ?", id);
}
