/** Parked receipts without a mark, as they came: so that one which turns out to be none is a subscriber's text again. */
import { messageOctets, type ShortMessage, shortMessage } from "../smpp/short-message.ts";
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";

/** Keeps the message beside the parked receipt that was read from it. */
export function keepParkedText(tx: Tx, receiptId: number, message: ShortMessage): void {
  tx.run(
    `INSERT INTO parked_texts (receipt_id, source_addr, source_addr_ton, destination_addr, data_coding, octets)
     VALUES (?, ?, ?, ?, ?, ?)`,
    receiptId,
    message.sourceAddr,
    message.sourceAddrTon,
    message.destinationAddr,
    message.dataCoding,
    messageOctets(message),
  );
}

/** The message that a parked receipt was read from; null of one that was marked. */
export function parkedText(read: Reader, receiptId: number): ShortMessage | null {
  const row = read.get<{
    sourceAddr: string;
    sourceAddrTon: number;
    destinationAddr: string;
    dataCoding: number;
    octets: Uint8Array;
  }>(
    `SELECT source_addr AS sourceAddr, source_addr_ton AS sourceAddrTon, destination_addr AS destinationAddr,
       data_coding AS dataCoding, octets
     FROM parked_texts WHERE receipt_id = ?`,
    receiptId,
  );
  if (!row) return null;
  const { octets, ...fields } = row;
  return shortMessage({ ...fields, shortMessage: octets });
}

export function dropParkedText(tx: Tx, receiptId: number): void {
  tx.run("DELETE FROM parked_texts WHERE receipt_id = ?", receiptId);
}
