/**
 * Rows of the file that a batch was sent out of which are no recipients (docs/administration.md#sending-a-file). They are kept
 * as long as the batch's rejections, so that whoever is missing is found.
 */
import { type Page, pageOf } from "../base/pages.ts";
import type { ErasedNumber, SoughtNumber } from "../base/sought-number.ts";
import type { Reader } from "../store/read.ts";
import type { Store } from "../store/store.ts";
import type { Tx } from "../store/write.ts";

export type NewUnreadableRow = {
  /** Where it stands in the file, from 1. */
  readonly line: number;
  /** What stands in the place of its number. */
  readonly written: string;
  /** The number that people would look for it by; null where nobody can tell. */
  readonly msisdn: string | null;
  /** Why it is no recipient, in English. */
  readonly cause: string;
  /** What the tags of the text would be filled in with; null: nothing, or no longer. */
  readonly attributes: Readonly<Record<string, string>> | null;
  readonly client_reference: string | null;
};

/**
 * How the cause begins of a row that is kept because its number stands in an earlier one. It was a recipient, and was rejected as a double:
 * beside those that nobody could read it is told apart.
 */
const REPEATS = "the number is in line ";
const IS_REPEAT = `substr(cause, 1, ${REPEATS.length}) = '${REPEATS}'`;

/** The same of one whose number has had its turn: an earlier file of who got nothing tells it as a repeat, or the batch that is corrected reached it. */
const BACK = "it repeats a number ";
const IS_BACK = `substr(cause, 1, ${BACK.length}) = '${BACK}'`;

/**
 * How the cause begins of a recipient that was to be rejected, followed by its place in the batch: kept for its line and what stood beside
 * its number. Why it was, and whether, its rejection says.
 */
const REJECTED = "it was rejected, as recipient ";
const IS_REJECTED = `substr(cause, 1, ${REJECTED.length}) = '${REJECTED}'`;

/** The place in the batch of a recipient that is kept as rejected; null of any other row. */
export function placeOfRejected({ cause }: Pick<NewUnreadableRow, "cause">): number | null {
  return cause.startsWith(REJECTED) ? Number(cause.slice(REJECTED.length)) : null;
}

/** Whether a row that is kept repeats a number of another batch's. */
export function isSentAlready({ cause }: Pick<NewUnreadableRow, "cause">): boolean {
  return cause.startsWith(BACK);
}

/** Whether it repeats the number of an earlier row, or one that had its turn: what goes to that number says nothing of this row. */
export function isRepeatRow({ cause }: Pick<NewUnreadableRow, "cause">): boolean {
  return cause.startsWith(REPEATS) || cause.startsWith(BACK);
}

export type UnreadablePlace = { readonly batchId: number; readonly line: number };

type Row = Omit<NewUnreadableRow, "attributes"> & UnreadablePlace & { readonly attributes: string | null };

const COLUMNS = "batch_id AS batchId, line, written, msisdn, cause, attributes, client_reference";

/** Says of a batch how many rows of its file were no recipients. */
export function countUnreadable(tx: Tx, batchId: number, count: number): void {
  tx.run("UPDATE batches SET unreadable = ? WHERE id = ?", count, batchId);
}

/** Keeps some of them; those that are kept already stay. */
function insertUnreadable(tx: Tx, batchId: number, rows: readonly NewUnreadableRow[]): void {
  tx.run(
    `INSERT OR IGNORE INTO unreadable_rows (batch_id, line, written, msisdn, cause, attributes, client_reference)
     SELECT ?, value ->> 'line', value ->> 'written', value ->> 'msisdn', value ->> 'cause', value ->> 'attributes',
       value ->> 'client_reference' FROM json_each(?)`,
    batchId,
    JSON.stringify(
      rows.map(({ attributes, ...row }) => ({
        ...row,
        attributes: attributes === null ? null : JSON.stringify(attributes),
      })),
    ),
  );
}

/** Rows that are written out in one go; more would have others wait. */
const ROWS_A_STEP = 250;

/** Keeps rows with a batch in the transaction that accepts it: those beyond the first are written out afterwards. */
export function keepUnreadable(tx: Tx, batchId: number, rows: readonly NewUnreadableRow[]): void {
  insertUnreadable(tx, batchId, rows.slice(0, ROWS_A_STEP));
  if (rows.length <= ROWS_A_STEP) return;
  tx.run(
    "INSERT INTO unreadable_to_write (batch_id, rows) VALUES (?, ?)",
    batchId,
    JSON.stringify(rows.slice(ROWS_A_STEP)),
  );
}

/** Writes out what batches keep and is not written out yet, in steps. Broken off, it goes on with the next call. */
export async function writeOutUnreadable({ read, write }: Pick<Store, "read" | "write">): Promise<void> {
  for (;;) {
    const next = read.get<{ batchId: number; rows: string }>(
      "SELECT batch_id AS batchId, rows FROM unreadable_to_write ORDER BY batch_id LIMIT 1",
    );
    if (!next) return;
    const rows: readonly NewUnreadableRow[] = JSON.parse(next.rows);
    for (let at = 0; at < rows.length; at += ROWS_A_STEP) {
      const step = rows.slice(at, at + ROWS_A_STEP);
      await write((tx) => insertUnreadable(tx, next.batchId, step), "with the next");
    }
    await write(
      (tx) => void tx.run("DELETE FROM unreadable_to_write WHERE batch_id = ?", next.batchId),
      "with the next",
    );
  }
}

/** How many rows of a batch's file were no recipients. */
export function unreadableCount(read: Reader, batchId: number): number {
  return (
    read.get<{ unreadable: number }>("SELECT unreadable FROM batches WHERE id = ?", batchId)?.unreadable ?? 0
  );
}

/** How many of those that are kept came back as repeats of another batch's. */
export function sentAlreadyCount(read: Reader, batchId: number): number {
  const sql = `SELECT count(*) AS rows FROM unreadable_rows WHERE batch_id = ? AND ${IS_BACK}`;
  return read.get<{ rows: number }>(sql, batchId)?.rows ?? 0;
}

/** Up to `limit` of those that nobody could read, from a line on. */
export function illegibleOf(
  read: Reader,
  batchId: number,
  fromLine: number,
  limit: number,
): NewUnreadableRow[] {
  return keptOf(read, `NOT ${IS_REPEAT} AND NOT ${IS_BACK} AND NOT ${IS_REJECTED}`, batchId, fromLine, limit);
}

/** The one that nobody could read in a line of a batch's file; null where there is none. */
export function illegibleAt(read: Reader, batchId: number, line: number): NewUnreadableRow | null {
  const [row] = illegibleOf(read, batchId, line, 1);
  return row?.line === line ? row : null;
}

/** Up to `limit` of those that came back as repeats of another batch's, from a line on. */
export function sentAlreadyOf(
  read: Reader,
  batchId: number,
  fromLine: number,
  limit: number,
): NewUnreadableRow[] {
  return keptOf(read, IS_BACK, batchId, fromLine, limit);
}

/** Up to `limit` of those that are kept of a batch and are no recipients, from a line on. */
export function unreadableOf(
  read: Reader,
  batchId: number,
  fromLine: number,
  limit: number,
): NewUnreadableRow[] {
  return keptOf(read, `NOT ${IS_REPEAT} AND NOT ${IS_REJECTED}`, batchId, fromLine, limit);
}

/** The same of rows that repeat a number. */
export function repeatsOf(
  read: Reader,
  batchId: number,
  fromLine: number,
  limit: number,
): NewUnreadableRow[] {
  return keptOf(read, IS_REPEAT, batchId, fromLine, limit);
}

/** The same of recipients that were to be rejected. */
export function rejectedRowsOf(
  read: Reader,
  batchId: number,
  fromLine: number,
  limit: number,
): NewUnreadableRow[] {
  return keptOf(read, IS_REJECTED, batchId, fromLine, limit);
}

/** How many rows that repeat a number are kept of a batch: all of them, or none. */
export function repeatCount(read: Reader, batchId: number): number {
  const sql = `SELECT count(*) AS rows FROM unreadable_rows WHERE batch_id = ? AND ${IS_REPEAT}`;
  return read.get<{ rows: number }>(sql, batchId)?.rows ?? 0;
}

function keptOf(
  read: Reader,
  which: string,
  batchId: number,
  fromLine: number,
  limit: number,
): NewUnreadableRow[] {
  return read
    .all<Row>(
      `SELECT ${COLUMNS} FROM unreadable_rows WHERE batch_id = ? AND line >= ? AND ${which} ORDER BY line LIMIT ?`,
      batchId,
      fromLine,
      limit,
    )
    .map(({ batchId: _, ...row }) => ({ ...row, attributes: valuesIn(row.attributes) }));
}

function valuesIn(attributes: string | null): NewUnreadableRow["attributes"] {
  return attributes === null ? null : (JSON.parse(attributes) as Readonly<Record<string, string>>);
}

/** A row that may have been for a number. */
export type UnreadableOnce = UnreadablePlace & { readonly cause: string };

/** Where they are looked for: batches within row ids, of one account or of all. The upper one is not included. */
export type BatchSpan = {
  readonly fromBatch: number;
  readonly belowBatch: number;
  readonly accountId: number | null;
};

/** Up to `limit` that may have been for a number, the newest batch first; repeats are among the rejected. */
export function unreadableTo(
  read: Reader,
  msisdn: string,
  { fromBatch, belowBatch, accountId }: BatchSpan,
  limit: number,
): UnreadableOnce[] {
  return read.all<UnreadableOnce>(
    `SELECT u.batch_id AS batchId, u.line, u.cause FROM unreadable_rows u CROSS JOIN batches b ON b.id = u.batch_id
     WHERE u.msisdn = $msisdn AND u.batch_id >= $fromBatch AND u.batch_id < $belowBatch
       AND ($accountId IS NULL OR b.account_id = $accountId) AND NOT ${IS_REPEAT} AND NOT ${IS_REJECTED}
     ORDER BY u.batch_id DESC LIMIT $limit`,
    { fromBatch, belowBatch, accountId, msisdn, limit },
  );
}

/** Rows looked at in one go: some milliseconds. */
export const PAGE = 1000;

/** A row that is kept, and where. */
export type KeptRow = NewUnreadableRow & UnreadablePlace;

/** Those of one account, or of all, among the next rows before a place, of batches from a row id on; the newest batch first. */
export function keptBefore(
  read: Reader,
  before: UnreadablePlace,
  { fromBatch, accountId }: Pick<BatchSpan, "fromBatch" | "accountId">,
): { readonly rows: readonly KeptRow[]; readonly next: UnreadablePlace | null } {
  const edge = read.get<UnreadablePlace>(
    `SELECT batch_id AS batchId, line FROM unreadable_rows
     WHERE (batch_id, line) < (?, ?) AND batch_id >= ? ORDER BY batch_id DESC, line DESC LIMIT 1 OFFSET ?`,
    before.batchId,
    before.line,
    fromBatch,
    PAGE - 1,
  );
  const from = edge ?? { batchId: fromBatch, line: -1 };
  const rows = read.all<Row>(
    `SELECT ${COLUMNS.replace("client_reference", "u.client_reference")} FROM unreadable_rows u CROSS JOIN batches b ON b.id = u.batch_id
     WHERE (u.batch_id, u.line) < ($belowBatch, $belowLine) AND (u.batch_id, u.line) >= ($fromBatch, $fromLine)
       AND b.account_id > 0 AND ($accountId IS NULL OR b.account_id = $accountId)
     ORDER BY u.batch_id DESC, u.line DESC`,
    {
      ...{ belowBatch: before.batchId, belowLine: before.line, accountId },
      ...{ fromBatch: from.batchId, fromLine: from.line },
    },
  );
  return { rows: rows.map((row) => ({ ...row, attributes: valuesIn(row.attributes) })), next: edge };
}

export type KeptUnreadable = UnreadablePlace & {
  readonly written: string;
  readonly msisdn: string | null;
  readonly cause: string;
  readonly attributes: string | null;
};

/** Those in which a number stands, among the next rows. */
export function unreadablePage(
  read: Reader,
  number: SoughtNumber,
  after: UnreadablePlace | null,
): Page<KeptUnreadable, UnreadablePlace> {
  const rows = read.all<KeptUnreadable>(
    `SELECT batch_id AS batchId, line, written, msisdn, cause, attributes FROM unreadable_rows
     WHERE (batch_id, line) > (?, ?) ORDER BY batch_id, line LIMIT ?`,
    after?.batchId ?? -1,
    after?.line ?? -1,
    PAGE,
  );
  const placeOf = ({ batchId, line }: KeptUnreadable) => ({ batchId, line });
  return pageOf(
    rows,
    PAGE,
    placeOf,
    ({ msisdn, written }) => msisdn === number.msisdn || number.standsIn(written),
  );
}

/** Takes a number, its texts and its names out of some rows; how many. */
export function eraseUnreadable(
  tx: Tx,
  { name }: Pick<ErasedNumber, "name">,
  places: readonly UnreadablePlace[],
): number {
  let erased = 0;
  for (const { batchId, line } of places) {
    erased += tx.run(
      `UPDATE unreadable_rows SET written = $name, msisdn = NULL, cause = iif(${IS_REJECTED}, cause, ''), attributes = NULL, client_reference = NULL
       WHERE batch_id = $batchId AND line = $line AND written <> $name`,
      { name, batchId, line },
    );
  }
  return erased;
}

/** Drops up to `limit` of what the tags of texts would be filled in with, of batches whose ids are a JSON list. */
export function dropUnreadableTexts(tx: Tx, batchIds: string, limit: number): number {
  return tx.run(
    `UPDATE unreadable_rows SET attributes = NULL WHERE (batch_id, line) IN
       (SELECT batch_id, line FROM unreadable_rows
        WHERE batch_id IN (SELECT value FROM json_each(?)) AND attributes IS NOT NULL LIMIT ?)`,
    batchIds,
    limit,
  );
}

/** Drops up to `limit` rows of batches whose ids are a JSON list. */
export function dropUnreadable(tx: Tx, batchIds: string, limit: number): number {
  return tx.run(
    `DELETE FROM unreadable_rows WHERE (batch_id, line) IN
       (SELECT batch_id, line FROM unreadable_rows WHERE batch_id IN (SELECT value FROM json_each(?)) LIMIT ?)`,
    batchIds,
    limit,
  );
}
