/**
 * Receipts that wait for the response that tells whose they are. Those without a mark are kept as they came, too, so that
 * one which turns out to be none is a subscriber's text again.
 */

import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import { lastRestore } from "../../domain/messages/held.ts";
import { messageOctets, type ShortMessage, shortMessage } from "../../smpp/short-message.ts";
import { canonicalId } from "./id-readings.ts";
import { numberKey } from "./number-key.ts";
import type { UnmatchedReceipt } from "./parked-lookup.ts";
import type { Receipt } from "./read-receipt.ts";

/** A receipt as it came in from an operator. */
export type IncomingReceipt = {
  readonly operator: string;
  readonly receipt: Receipt;
  /** The handset's number as the operator writes it. */
  readonly msisdn: string;
  /** The other address of the deliver_sm: operators that leave them as they were have the handset there. */
  readonly otherNumber?: string;
  /** The connection's place in the operator's list, from 1, and the PDU's number on it. */
  readonly connection?: number;
  readonly sequence?: number;
  /** The SMSC account of the session, and, of a receipt without a mark, the message that it was read from. */
  readonly account?: string;
  readonly message?: ShortMessage;
  /** The account is known to send them without a mark, so it need not be looked up. */
  readonly isSure?: boolean;
  /** Whether another of its account may be parked; it may unless this says no. */
  readonly mayPark?: (tx: Tx) => boolean;
  /** Told the number under which it was parked, once that is durable. */
  readonly onParked?: (rowId: number) => void;
};

/** The highest number that a parked receipt has had: whoever parks one raises it, whoever sends looks at it. */
export type UnmatchedWatermark = { last: number };

/** The highest number that a parked receipt ever had, 0 when there was none. */
export function readLastUnmatchedId(read: Reader): number {
  return (
    read.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'parked_receipts'")?.seq ?? 0
  );
}

/** Keeps a receipt until what it is about appears; its number. */
export function insertUnmatchedReceipt(tx: Tx, incoming: IncomingReceipt, nowMs: number): number {
  const { receipt, ...from } = incoming;
  if (receipt.isMarked) dropRepeats(tx, incoming);
  const rowId = tx.insert(
    `INSERT INTO parked_receipts (operator, smsc_id, smsc_key, msisdn, other_number, number_key, state, raw_state,
       operator_code, received_at, is_marked, text, connection, sequence, account)
     VALUES ($operator, $remoteId, $remoteKey, $msisdn, $otherNumber, $numberKey, $state, $rawState, $errorCode,
       $nowMs, $isMarked, $text, $connection, $sequence, $account)`,
    {
      operator: from.operator,
      remoteId: receipt.id ?? "",
      remoteKey: canonicalId(receipt.id ?? ""),
      msisdn: from.msisdn,
      otherNumber: from.otherNumber ?? "",
      numberKey: receipt.id === null ? null : numberKey(from.msisdn),
      state: receipt.state,
      rawState: receipt.rawStat ?? "?",
      errorCode: receipt.errorCode,
      nowMs,
      isMarked: receipt.isMarked,
      text: receipt.text,
      connection: from.connection ?? null,
      sequence: from.sequence ?? null,
      account: from.account ?? null,
    },
  );
  if (!receipt.isMarked && from.message) insertUnmatchedText(tx, rowId, from.message);
  return rowId;
}

export function deleteUnmatchedReceipt(tx: Tx, { rowId, isMarked }: Pick<UnmatchedReceipt, "rowId" | "isMarked">): void {
  tx.run("DELETE FROM parked_receipts WHERE id = ?", rowId);
  if (!isMarked) deleteUnmatchedText(tx, rowId);
}

/** How long a receipt waits for its message (docs/behaviour.md#parked-receipts). */
export const UNMATCHED_KEPT_MS = 72 * 3_600_000;

/** What comes so long after a restore may be about what the copy does not know, and is kept so long to be seen. */
const AFTER_RESTORE_MS = 30 * 24 * 3_600_000;

/** How long a receipt that came at a time is kept, in milliseconds. */
export function readUnmatchedKeptMs(read: Reader, receivedAtMs: number): number {
  const { fromMs, toMs } = afterRestore(read);
  return receivedAtMs >= fromMs && receivedAtMs < toMs ? AFTER_RESTORE_MS : UNMATCHED_KEPT_MS;
}

function afterRestore(read: Reader): { readonly fromMs: number; readonly toMs: number } {
  const fromMs = lastRestore(read)?.restoredAtMs;
  return fromMs === undefined ? { fromMs: 0, toMs: 0 } : { fromMs, toMs: fromMs + AFTER_RESTORE_MS };
}

/** Rows dropped at once. */
const DROPPED_AT_ONCE = 1000;

/** Drops receipts that matched nothing in 72 hours, or in 30 days after a restore, a step of them; how many. Those whose text was kept become texts. */
export function dropOldUnmatchedReceipts(tx: Tx, nowMs: number): number {
  return tx.run(
    `DELETE FROM parked_receipts WHERE id IN
       (SELECT id FROM parked_receipts WHERE received_at < $beforeMs
          AND (received_at < $fromMs OR received_at >= $toMs OR received_at < $keptSinceMs)
          AND NOT EXISTS (SELECT 1 FROM parked_texts WHERE receipt_id = parked_receipts.id)
        ORDER BY received_at LIMIT $limit)`,
    {
      ...afterRestore(tx),
      beforeMs: nowMs - UNMATCHED_KEPT_MS,
      keptSinceMs: nowMs - AFTER_RESTORE_MS,
      limit: DROPPED_AT_ONCE,
    },
  );
}

/* Equal receipts. An operator may repeat one that matches no message: of equal ones the first is kept, because it came
   before the others that are parked, and the newest, because it came after what left since. */

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
function dropRepeats(tx: Tx, { operator, msisdn, otherNumber, receipt }: IncomingReceipt): void {
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

/** Keeps the message beside the parked receipt that was read from it. */
function insertUnmatchedText(tx: Tx, receiptId: number, message: ShortMessage): void {
  const { sourceAddr, sourceAddrTon, destinationAddr, dataCoding } = message;
  tx.run(
    `INSERT INTO parked_texts (receipt_id, source_addr, source_addr_ton, destination_addr, data_coding, octets)
     VALUES ($receiptId, $sourceAddr, $sourceAddrTon, $destinationAddr, $dataCoding, $octets)`,
    { receiptId, sourceAddr, sourceAddrTon, destinationAddr, dataCoding, octets: messageOctets(message) },
  );
}

/** The message that a parked receipt was read from; null of one that was marked. */
export function readUnmatchedText(read: Reader, receiptId: number): ShortMessage | null {
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

function deleteUnmatchedText(tx: Tx, receiptId: number): void {
  tx.run("DELETE FROM parked_texts WHERE receipt_id = ?", receiptId);
}
