/** Looks into the parked receipts: those that may be about a message, pages of them, and lists of them. */

import type { Clock } from "../../core/clock.ts";
import { createYielder } from "../../core/slices.ts";
import type { Reader } from "../../db/read.ts";
import { candidateIds } from "./id-readings.ts";
import { numberKey } from "./number-key.ts";
import type { ReceiptState } from "./read-receipt.ts";

export type UnmatchedReceipt = {
  /** Rises with each receipt that is parked and is never given twice, so it tells what came before what. */
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

/** `id` is the operator's: the row's own is parked_receipts.id wherever rows are put in order. */
const COLUMNS = `id AS rowId, operator, account, smsc_id AS id, msisdn, other_number AS otherNumber, state,
  raw_state AS rawStat, operator_code AS errorCode, received_at AS receivedAtMs, is_marked AS isMarked,
  text, connection, sequence`;

const parkedReceipt = (row: Row): UnmatchedReceipt => ({ ...row, isMarked: row.isMarked === 1 });

/** More receipts of one id or number than this are not tried again with each response: they are somebody else's. */
const MAX_TRIED = 50;

/**
 * Parked receipts that may be about a message with this id or to this number, in the order they came. Those of the id
 * that name another number alone are left out: where an operator uses an id again, they would be tried with every response.
 */
export function findUnmatchedReceipts(
  read: Reader,
  operators: readonly string[],
  { id, msisdn }: { readonly id: string; readonly msisdn: string },
): UnmatchedReceipt[] {
  const found = new Map<number, UnmatchedReceipt>();
  const gather = (rows: readonly Row[]) => {
    for (const row of rows) found.set(row.rowId, parkedReceipt(row));
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
        `SELECT ${COLUMNS} FROM parked_receipts WHERE operator = ? AND smsc_key = ? ORDER BY parked_receipts.id DESC LIMIT ?`,
        operator,
        key,
        MAX_TRIED,
      );
      gather(newest.filter(mayBeTo));
    }
    if (numbered !== null) {
      gather(
        read.all<Row>(
          `SELECT ${COLUMNS} FROM parked_receipts WHERE operator = ? AND number_key = ? ORDER BY parked_receipts.id DESC LIMIT ?`,
          operator,
          numbered,
          MAX_TRIED,
        ),
      );
    }
  }
  return [...found.values()].sort((a, b) => a.rowId - b.rowId);
}

/** The parked receipts after one, in the order they came: a page of up to `limit`. */
export function listUnmatchedAfter(read: Reader, rowId: number, limit: number): UnmatchedReceipt[] {
  return read
    .all<Row>(
      `SELECT ${COLUMNS} FROM parked_receipts WHERE parked_receipts.id > ? ORDER BY parked_receipts.id LIMIT ?`,
      rowId,
      limit,
    )
    .map(parkedReceipt);
}

/** An account's parked receipts without a mark after one, in the order they came: a page of up to `limit`. */
export function listUnmarkedAfter(read: Reader, account: string, rowId: number, limit: number): UnmatchedReceipt[] {
  return read
    .all<Row>(
      `SELECT ${COLUMNS} FROM parked_receipts
       WHERE account = ? AND is_marked = 0 AND parked_receipts.id > ? ORDER BY parked_receipts.id LIMIT ?`,
      account,
      rowId,
      limit,
    )
    .map(parkedReceipt);
}

/** The oldest of the parked receipts whose text was kept. */
export function oldestWithText(read: Reader, limit: number): UnmatchedReceipt[] {
  return read
    .all<Row>(
      `SELECT ${COLUMNS} FROM parked_receipts WHERE parked_receipts.id IN
         (SELECT receipt_id FROM parked_texts ORDER BY receipt_id LIMIT ?) ORDER BY parked_receipts.id`,
      limit,
    )
    .map(parkedReceipt);
}

/**
 * Whether any receipt of a family is parked: asked with each response, so that most needn't look further, and remembered for
 * as long as none is parked or taken out.
 */
export function hasUnmatchedReceipts(read: Reader, operators: readonly string[]): boolean {
  const codes = operators.map(() => "?").join(", ");
  const sql = `SELECT 1 FROM parked_receipts WHERE operator IN (${codes}) LIMIT 1`;
  return read.known(sql, ...operators) !== null;
}

/** Parked receipts looked at, or counted, in one go. */
const STEP = 2000;

/**
 * The newest parked receipts, newest first: all or an operator's. In steps: the connection may bring another program's receipts by the
 * million, and one operator's few stand somewhere among them.
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
      `SELECT id AS rowId, ?1 IS NULL OR operator = ?1 AS isWanted FROM parked_receipts
       WHERE id < ?2 ORDER BY id DESC LIMIT ?3`,
      operator,
      before,
      operator === null ? limit : STEP,
    );
    const wanted = rows.filter(({ isWanted }) => isWanted === 1).slice(0, limit - found.length);
    found.push(
      ...parkedWithIds(
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

/** Those of these receipts that are still parked, newest first. */
function parkedWithIds(read: Reader, rowIds: readonly number[]): UnmatchedReceipt[] {
  if (rowIds.length === 0) return [];
  return read
    .all<Row>(
      `SELECT ${COLUMNS} FROM parked_receipts WHERE parked_receipts.id IN (SELECT value FROM json_each(?))
       ORDER BY parked_receipts.id DESC`,
      JSON.stringify(rowIds),
    )
    .map(parkedReceipt);
}

/**
 * How many receipts of an operator are parked, counted in steps. A step finds its first key by the index and skips the receipts of that
 * key that were counted before: there are at most a thousand that name no message, and few of any one.
 */
export async function countUnmatchedReceipts(read: Reader, clock: Clock, operator: string): Promise<number> {
  const pause = createYielder(clock);
  let count = 0;
  let from = { key: "", rowId: 0 };
  for (;;) {
    const last = read.get<{ key: string; rowId: number }>(
      `SELECT smsc_key AS key, id AS rowId FROM parked_receipts WHERE operator = ? AND (smsc_key, id) > (?, ?)
       ORDER BY smsc_key, parked_receipts.id LIMIT 1 OFFSET ?`,
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
    "SELECT count(*) AS n FROM parked_receipts WHERE operator = ? AND (smsc_key, id) > (?, ?)",
    operator,
    from.key,
    from.rowId,
  );
  return count + (rest?.n ?? 0);
}
