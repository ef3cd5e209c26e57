/** Receipts that wait for the response that tells whose they are. */
import { candidateIds, canonicalId } from "../smpp/message-id.ts";
import type { Receipt, ReceiptState } from "../smpp/receipt.ts";
import type { ShortMessage } from "../smpp/short-message.ts";
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";
import { numberKey } from "./number-key.ts";
import { dropRepeats } from "./parked-repeats.ts";
import { dropParkedText, keepParkedText } from "./parked-texts.ts";

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
  /** Told the number under which it was parked, once that is durable. */
  readonly onParked?: (rowId: number) => void;
};

/** The highest number that a parked receipt has had: whoever parks one raises it, whoever sends looks at it. */
export type ParkedMark = { last: number };

/** The highest number that a parked receipt ever had, 0 when there was none. */
export function lastParked(read: Reader): number {
  return (
    read.get<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'parked_receipts'")?.seq ?? 0
  );
}

export type ParkedReceipt = {
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

type Row = Omit<ParkedReceipt, "isMarked"> & { readonly isMarked: number };

/** `id` is the operator's: the row's own is parked_receipts.id wherever rows are put in order. */
const COLUMNS = `id AS rowId, operator, account, smsc_id AS id, msisdn, other_number AS otherNumber, state,
  raw_state AS rawStat, operator_code AS errorCode, received_at AS receivedAtMs, is_marked AS isMarked,
  text, connection, sequence`;

const parkedReceipt = (row: Row): ParkedReceipt => ({ ...row, isMarked: row.isMarked === 1 });

/** Keeps a receipt until what it is about appears; its number. */
export function park(tx: Tx, incoming: IncomingReceipt, nowMs: number): number {
  const { receipt, ...from } = incoming;
  if (receipt.isMarked) dropRepeats(tx, incoming);
  const rowId = tx.insert(
    `INSERT INTO parked_receipts (operator, smsc_id, smsc_key, msisdn, other_number, number_key, state, raw_state,
       operator_code, received_at, is_marked, text, connection, sequence, account)
     VALUES ($operator, $smscId, $smscKey, $msisdn, $otherNumber, $numberKey, $state, $rawState, $errorCode,
       $nowMs, $isMarked, $text, $connection, $sequence, $account)`,
    {
      operator: from.operator,
      smscId: receipt.id ?? "",
      smscKey: canonicalId(receipt.id ?? ""),
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
  if (!receipt.isMarked && from.message) keepParkedText(tx, rowId, from.message);
  return rowId;
}

/** More receipts of one id or number than this are not tried again with each response: they are somebody else's. */
const MOST_TRIED = 50;

/**
 * Parked receipts that may be about a message with this id or to this number, in the order they came. Those of the id
 * that name another number alone are left out: where an operator uses an id again, they would be tried with every response.
 */
export function parkedAbout(
  read: Reader,
  operators: readonly string[],
  { id, msisdn }: { readonly id: string; readonly msisdn: string },
): ParkedReceipt[] {
  const found = new Map<number, ParkedReceipt>();
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
        MOST_TRIED,
      );
      gather(newest.filter(mayBeTo));
    }
    if (numbered !== null) {
      gather(
        read.all<Row>(
          `SELECT ${COLUMNS} FROM parked_receipts WHERE operator = ? AND number_key = ? ORDER BY parked_receipts.id DESC LIMIT ?`,
          operator,
          numbered,
          MOST_TRIED,
        ),
      );
    }
  }
  return [...found.values()].sort((a, b) => a.rowId - b.rowId);
}

/** The parked receipts after one, in the order they came: a page of up to `limit`. */
export function parkedAfter(read: Reader, rowId: number, limit: number): ParkedReceipt[] {
  return read
    .all<Row>(
      `SELECT ${COLUMNS} FROM parked_receipts WHERE parked_receipts.id > ? ORDER BY parked_receipts.id LIMIT ?`,
      rowId,
      limit,
    )
    .map(parkedReceipt);
}

/** An account's parked receipts without a mark after one, in the order they came: a page of up to `limit`. */
export function unmarkedAfter(read: Reader, account: string, rowId: number, limit: number): ParkedReceipt[] {
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
export function oldestWithText(read: Reader, limit: number): ParkedReceipt[] {
  return read
    .all<Row>(
      `SELECT ${COLUMNS} FROM parked_receipts WHERE parked_receipts.id IN
         (SELECT receipt_id FROM parked_texts ORDER BY receipt_id LIMIT ?) ORDER BY parked_receipts.id`,
      limit,
    )
    .map(parkedReceipt);
}

export function unpark(tx: Tx, { rowId, isMarked }: Pick<ParkedReceipt, "rowId" | "isMarked">): void {
  tx.run("DELETE FROM parked_receipts WHERE id = ?", rowId);
  if (!isMarked) dropParkedText(tx, rowId);
}

/** Whether any receipt of a family is parked: asked first, so that most responses needn't look further. */
export function hasParkedReceipts(read: Reader, operators: readonly string[]): boolean {
  const codes = operators.map(() => "?").join(", ");
  return (
    read.get(`SELECT 1 FROM parked_receipts WHERE operator IN (${codes}) LIMIT 1`, ...operators) !== null
  );
}

/** How long a receipt waits for its message (docs/behaviour.md#parked-receipts). */
export const PARKED_FOR_MS = 72 * 3_600_000;

/** Rows dropped at once. */
const STEP = 1000;

/** Drops receipts that matched nothing in 72 hours, a step of them; how many. Those whose text was kept become texts. */
export function dropOldParkedReceipts(tx: Tx, nowMs: number): number {
  return tx.run(
    `DELETE FROM parked_receipts WHERE id IN
       (SELECT id FROM parked_receipts WHERE received_at < ?
          AND NOT EXISTS (SELECT 1 FROM parked_texts WHERE receipt_id = parked_receipts.id)
        ORDER BY received_at LIMIT ?)`,
    nowMs - PARKED_FOR_MS,
    STEP,
  );
}

/** The newest parked receipts, newest first: all or an operator's. */
export function listParkedReceipts(read: Reader, operator: string | null, limit: number): ParkedReceipt[] {
  return read
    .all<Row>(
      `SELECT ${COLUMNS} FROM parked_receipts WHERE ?1 IS NULL OR operator = ?1 ORDER BY parked_receipts.id DESC LIMIT ?2`,
      operator,
      limit,
    )
    .map(parkedReceipt);
}

/** How many receipts of each operator are parked. */
export function countParkedReceipts(read: Reader): { readonly operator: string; readonly parked: number }[] {
  return read.all(
    "SELECT operator, count(*) AS parked FROM parked_receipts GROUP BY operator ORDER BY operator",
  );
}
