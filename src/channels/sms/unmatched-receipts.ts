/**
 * Stores receipts that fit no message yet: the response that brings their id is still to come, or it is not known whether they
 * count. A text that only looks like a receipt is stored as it came, so that it can become a subscriber's text again.
 */

import type { Clock } from "../../core/clock.ts";
import { createYielder } from "../../core/concurrency.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { lastRestore } from "../../domain/messages/restore-holds.ts";
import { messageOctets, type ShortMessage, shortMessage } from "../../smpp/short-message.ts";
import type { Receipt, ReceiptState } from "./read-deliver-sm.ts";
import { candidateIds, canonicalId, numberKey } from "./receipt-keys.ts";
import type { SegmentCost } from "./route-costs.ts";

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
  /** The SMSC account of the session, and, of an unmarked receipt, the message that it was read from. */
  readonly account?: string;
  readonly message?: ShortMessage;
  /** What the route of its session costs at this moment; null, or absent, where it has none. */
  readonly routeCost?: () => SegmentCost | null;
  /** The account is known to send unmarked receipts, so it need not be looked up. */
  readonly isSure?: boolean;
  /** Whether another of its account may be stored; absent: it may. */
  readonly canKeepUnmatched?: (tx: Tx) => boolean;
  /** Called with the number under which it was stored, once that is durable. */
  readonly onUnmatchedKept?: (rowId: number) => void;
};

/** The highest number that an unmatched receipt has had: storing one raises it, sending reads it. */
export type UnmatchedWatermark = { last: number };

/** The highest number that an unmatched receipt ever had, 0 when there was none. */
export function readLastUnmatchedId(read: Reader): number {
  return (
    read.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'unmatched_receipts'")?.seq ?? 0
  );
}

/** Stores a receipt until what it is about appears; returns its number. */
export function insertUnmatchedReceipt(tx: Tx, incoming: IncomingReceipt, nowMs: number): number {
  const { receipt, ...from } = incoming;
  if (receipt.isMarked) dropRepeats(tx, incoming);
  const rowId = tx.insert(
    `INSERT INTO unmatched_receipts (operator, smsc_id, smsc_key, msisdn, other_number, number_key, state, raw_state,
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

export function deleteUnmatchedReceipt(
  tx: Tx,
  { rowId, isMarked }: Pick<UnmatchedReceipt, "rowId" | "isMarked">,
): void {
  tx.run("DELETE FROM unmatched_receipts WHERE id = ?", rowId);
  if (!isMarked) deleteUnmatchedText(tx, rowId);
}

/** How long a receipt waits for its message (docs/behaviour.md#parked-receipts). */
export const UNMATCHED_KEPT_MS = 72 * 3_600_000;

/** A receipt that came this soon after a restore may be about what the copy does not know, and is kept this long to be seen. */
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

/** Deletes receipts unmatched for 72 hours, or 30 days after a restore, one step of them; how many. Stored texts become inbound texts. */
export function dropOldUnmatchedReceipts(tx: Tx, nowMs: number): number {
  return tx.run(
    `DELETE FROM unmatched_receipts WHERE id IN
       (SELECT id FROM unmatched_receipts WHERE received_at < $beforeMs
          AND (received_at < $fromMs OR received_at >= $toMs OR received_at < $keptSinceMs)
          AND NOT EXISTS (SELECT 1 FROM unmatched_texts WHERE receipt_id = unmatched_receipts.id)
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
   before the other unmatched ones, and the newest, because it came after what left since. */

/** The newest receipts under an id that are looked at. */
const LOOKED_AT = 50;
/** Receipts of an operator that name no message are kept to be seen, and nobody looks at more than this. */
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

/** Deletes repeats to make room for a marked receipt that is about to be stored. */
function dropRepeats(tx: Tx, { operator, msisdn, otherNumber, receipt }: IncomingReceipt): void {
  if (receipt.id === null) {
    tx.run(
      `DELETE FROM unmatched_receipts WHERE operator = ?1 AND smsc_key = '' AND id <=
         (SELECT id FROM unmatched_receipts WHERE operator = ?1 AND smsc_key = '' ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
      operator,
      NAMELESS_KEPT - 1,
    );
    return;
  }
  const sameId = tx.all<ParkedState>(
    `SELECT id, smsc_id, msisdn, other_number, state, raw_state, operator_code, text, is_marked
     FROM unmatched_receipts WHERE operator = ? AND smsc_key = ? ORDER BY id DESC LIMIT ?`,
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
  for (const { id } of alike.slice(0, -1)) tx.run("DELETE FROM unmatched_receipts WHERE id = ?", id);
}

/** Keeps the message beside the unmatched receipt that was read from it. */
function insertUnmatchedText(tx: Tx, receiptId: number, message: ShortMessage): void {
  const { sourceAddr, sourceAddrTon, destinationAddr, dataCoding } = message;
  tx.run(
    `INSERT INTO unmatched_texts (receipt_id, source_addr, source_addr_ton, destination_addr, data_coding, octets)
     VALUES ($receiptId, $sourceAddr, $sourceAddrTon, $destinationAddr, $dataCoding, $octets)`,
    { receiptId, sourceAddr, sourceAddrTon, destinationAddr, dataCoding, octets: messageOctets(message) },
  );
}

/** The message that an unmatched receipt was read from; null of one that was marked. */
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
     FROM unmatched_texts WHERE receipt_id = ?`,
    receiptId,
  );
  if (!row) return null;
  const { octets, ...fields } = row;
  return shortMessage({ ...fields, shortMessage: octets });
}

function deleteUnmatchedText(tx: Tx, receiptId: number): void {
  tx.run("DELETE FROM unmatched_texts WHERE receipt_id = ?", receiptId);
}

// Reads the unmatched receipts: those that may be about a message, pages of them, and lists of them.

export type UnmatchedReceipt = {
  /** Rises with each receipt that is stored and is never given twice, so it tells what came before what. */
  readonly rowId: number;
  readonly operator: string;
  /** The SMSC account whose session brought it; null where that was not noted. */
  readonly account: string | null;
  /** Empty: it names no message at all, and is only kept to be seen. */
  readonly id: string;
  readonly msisdn: string;
  readonly otherNumber: string;
  readonly state: ReceiptState;
  readonly rawStat: string;
  readonly errorCode: string | null;
  readonly receivedAtMs: number;
  readonly isMarked: boolean;
  readonly text: string | null;
  readonly connection: number | null;
  readonly sequence: number | null;
};

type Row = Omit<UnmatchedReceipt, "isMarked"> & { readonly isMarked: number };

/** `id` is the operator's: the row's own is unmatched_receipts.id wherever rows are put in order. */
const COLUMNS = `id AS rowId, operator, account, smsc_id AS id, msisdn, other_number AS otherNumber, state,
  raw_state AS rawStat, operator_code AS errorCode, received_at AS receivedAtMs, is_marked AS isMarked,
  text, connection, sequence`;

const toUnmatchedReceipt = (row: Row): UnmatchedReceipt => ({ ...row, isMarked: row.isMarked === 1 });

/** More receipts of one id or number than this are not tried again with each response: they are about other messages. */
const MAX_TRIED = 50;

/**
 * Unmatched receipts that may be about a message with this id or to this number, in the order they came. Those of the id
 * that name only another number are left out: where an operator uses an id again, they would be tried with every response.
 */
export function findUnmatchedReceipts(
  read: Reader,
  operators: readonly string[],
  { id, msisdn }: { readonly id: string; readonly msisdn: string },
): UnmatchedReceipt[] {
  const found = new Map<number, UnmatchedReceipt>();
  const gather = (rows: readonly Row[]) => {
    for (const row of rows) found.set(row.rowId, toUnmatchedReceipt(row));
  };
  const mayBeTo = (row: Row): boolean => {
    const keys = [row.msisdn, row.otherNumber].map(numberKey).filter((key) => key !== null);
    return keys.length === 0 || keys.some((key) => msisdn.endsWith(key));
  };
  const keys = id === "" ? [] : candidateIds(id);
  const numbered = numberKey(msisdn);
  for (const operator of operators) {
    for (const key of keys) {
      const newest = read.all<Row>(
        `SELECT ${COLUMNS} FROM unmatched_receipts WHERE operator = ? AND smsc_key = ? ORDER BY unmatched_receipts.id DESC LIMIT ?`,
        operator,
        key,
        MAX_TRIED,
      );
      gather(newest.filter(mayBeTo));
    }
    if (numbered !== null) {
      gather(
        read.all<Row>(
          `SELECT ${COLUMNS} FROM unmatched_receipts WHERE operator = ? AND number_key = ? ORDER BY unmatched_receipts.id DESC LIMIT ?`,
          operator,
          numbered,
          MAX_TRIED,
        ),
      );
    }
  }
  return [...found.values()].sort((a, b) => a.rowId - b.rowId);
}

/** The unmatched receipts after one, in the order they came: a page of up to `limit`. */
export function listUnmatchedAfter(read: Reader, rowId: number, limit: number): UnmatchedReceipt[] {
  return read
    .all<Row>(
      `SELECT ${COLUMNS} FROM unmatched_receipts WHERE unmatched_receipts.id > ? ORDER BY unmatched_receipts.id LIMIT ?`,
      rowId,
      limit,
    )
    .map(toUnmatchedReceipt);
}

/** An account's unmarked receipts after one, in the order they came: a page of up to `limit`. */
export function listUnmarkedAfter(
  read: Reader,
  account: string,
  rowId: number,
  limit: number,
): UnmatchedReceipt[] {
  return read
    .all<Row>(
      `SELECT ${COLUMNS} FROM unmatched_receipts
       WHERE account = ? AND is_marked = 0 AND unmatched_receipts.id > ? ORDER BY unmatched_receipts.id LIMIT ?`,
      account,
      rowId,
      limit,
    )
    .map(toUnmatchedReceipt);
}

/** The oldest of the unmatched receipts whose text was stored. */
export function oldestWithText(read: Reader, limit: number): UnmatchedReceipt[] {
  return read
    .all<Row>(
      `SELECT ${COLUMNS} FROM unmatched_receipts WHERE unmatched_receipts.id IN
         (SELECT receipt_id FROM unmatched_texts ORDER BY receipt_id LIMIT ?) ORDER BY unmatched_receipts.id`,
      limit,
    )
    .map(toUnmatchedReceipt);
}

/**
 * Whether any receipt of a family is unmatched: asked with each response, so that most needn't look further, and cached
 * until one is stored or taken out.
 */
export function hasUnmatchedReceipts(read: Reader, operators: readonly string[]): boolean {
  const codes = operators.map(() => "?").join(", ");
  const sql = `SELECT 1 FROM unmatched_receipts WHERE operator IN (${codes}) LIMIT 1`;
  return read.known(sql, ...operators) !== null;
}

/** Unmatched receipts read, or counted, in one step. */
const STEP = 2000;

/**
 * The newest unmatched receipts, newest first: all or an operator's. In steps: the connection may bring another program's receipts by the
 * million, with one operator's few somewhere among them.
 */
export async function listUnmatchedReceipts(
  read: Reader,
  clock: Clock,
  operator: string | null,
  limit: number,
): Promise<UnmatchedReceipt[]> {
  const pause = createYielder(clock);
  const found: UnmatchedReceipt[] = [];
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const rows = read.all<{ rowId: number; isWanted: number }>(
      `SELECT id AS rowId, ?1 IS NULL OR operator = ?1 AS isWanted FROM unmatched_receipts
       WHERE id < ?2 ORDER BY id DESC LIMIT ?3`,
      operator,
      before,
      operator === null ? limit : STEP,
    );
    const wanted = rows.filter(({ isWanted }) => isWanted === 1).slice(0, limit - found.length);
    found.push(
      ...unmatchedWithIds(
        read,
        wanted.map(({ rowId }) => rowId),
      ),
    );
    const last = rows.at(-1);
    if (last === undefined || found.length >= limit) return found;
    before = last.rowId;
    await pause();
  }
}

/** Those of these receipts that are still unmatched, newest first. */
function unmatchedWithIds(read: Reader, rowIds: readonly number[]): UnmatchedReceipt[] {
  if (rowIds.length === 0) return [];
  return read
    .all<Row>(
      `SELECT ${COLUMNS} FROM unmatched_receipts WHERE unmatched_receipts.id IN (SELECT value FROM json_each(?))
       ORDER BY unmatched_receipts.id DESC`,
      JSON.stringify(rowIds),
    )
    .map(toUnmatchedReceipt);
}

/**
 * How many receipts of an operator are unmatched, counted in steps. A step finds its first key by the index and skips the receipts of that
 * key that were counted before: there are at most a thousand that name no message, and few of any one.
 */
export async function countUnmatchedReceipts(read: Reader, clock: Clock, operator: string): Promise<number> {
  const pause = createYielder(clock);
  let count = 0;
  let from = { key: "", rowId: 0 };
  for (;;) {
    const last = read.get<{ key: string; rowId: number }>(
      `SELECT smsc_key AS key, id AS rowId FROM unmatched_receipts WHERE operator = ? AND (smsc_key, id) > (?, ?)
       ORDER BY smsc_key, unmatched_receipts.id LIMIT 1 OFFSET ?`,
      operator,
      from.key,
      from.rowId,
      STEP - 1,
    );
    if (last === null) break;
    count += STEP;
    from = last;
    await pause();
  }
  const rest = read.get<{ n: number }>(
    "SELECT count(*) AS n FROM unmatched_receipts WHERE operator = ? AND (smsc_key, id) > (?, ?)",
    operator,
    from.key,
    from.rowId,
  );
  return count + (rest?.n ?? 0);
}
