/**
 * Rows of the files that batches were sent out of (docs/administration.md#sending-a-file): where the recipients stood, and each row that
 * was not plainly accepted with what stood in it (the first 10,000, or 2 MiB of them; domain/imports/stored-rows.ts), so that whoever is
 * missing is found. A row stays as long as the messages of its batch (`[retention] message_days`), its cells as long as their texts. Why nothing
 * was sent for a row is a code with parameters, and no sentence.
 */
import type { ImportRow, NewImport, RowPlace, RowStatus } from "../../core/import-row.ts";
import type { ErasedNumber, NumberMatcher } from "../../core/number-matcher.ts";
import { type Page, toPage } from "../../core/paging.ts";
import type { Reader } from "../../db/reader.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";

/** A place in the batch, and the line that it stood in; those that follow stand in the lines that follow. */
type LineRun = readonly [position: number, line: number];

/** A file with more gaps than that has no lines kept. */
const MAX_RUNS = 10_000;

/** Lines in the order of the recipients, as runs; none where they are too many. */
export function toRuns(lines: Uint32Array): readonly LineRun[] {
  const runs: LineRun[] = [];
  for (const [position, line] of lines.entries()) {
    if (position > 0 && line === (lines[position - 1] ?? 0) + 1) continue;
    if (runs.length === MAX_RUNS) return [];
    runs.push([position, line]);
  }
  return runs;
}

/** Rows that are written out in one go; more would have others wait. */
const ROWS_A_STEP = 250;

/** Stores what is known of its file with a batch in the transaction that accepts it: rows beyond the first are written out afterwards. */
export function insertImport(tx: Tx, batchId: number, { ulid, lines, leftOut, rows }: NewImport): void {
  if (leftOut > 0) tx.run("UPDATE batches SET unreadable = ? WHERE id = ?", leftOut, batchId);
  const runs = lines === null ? [] : toRuns(lines);
  if (ulid !== null || runs.length > 0) {
    tx.run(
      "INSERT OR IGNORE INTO imports (batch_id, ulid, runs) VALUES (?, ?, ?)",
      batchId,
      ulid,
      JSON.stringify(runs),
    );
  }
  insertRows(tx, batchId, rows.slice(0, ROWS_A_STEP));
  if (rows.length <= ROWS_A_STEP) return;
  tx.run(
    "INSERT INTO import_rows_to_write (batch_id, rows) VALUES (?, ?)",
    batchId,
    JSON.stringify(rows.slice(ROWS_A_STEP)),
  );
}

/** Stores some rows; those that are stored already stay. */
function insertRows(tx: Tx, batchId: number, rows: readonly ImportRow[]): void {
  tx.run(
    `INSERT OR IGNORE INTO import_rows
       (batch_id, line, status, code, params, position, written, msisdn, cells, client_reference, of_batch, of_line)
     SELECT $batchId, value ->> 'line', value ->> 'status', value ->> '$.cause.code', coalesce(value ->> '$.cause.params', '{}'),
       value ->> 'position', value ->> 'written', value ->> 'msisdn', value ->> 'cells', value ->> 'client_reference',
       value ->> '$.of.batch', value ->> '$.of.line'
     FROM json_each($rows)`,
    { batchId, rows: JSON.stringify(rows) },
  );
}

/** Writes out in steps what batches keep and is not written yet. Broken off, it goes on with the next call. */
export async function writeOutImports({ read, write }: Pick<Store, "read" | "write">): Promise<void> {
  for (;;) {
    const next = read.get<{ batchId: number; rows: string }>(
      "SELECT batch_id AS batchId, rows FROM import_rows_to_write ORDER BY batch_id LIMIT 1",
    );
    if (!next) return;
    const rows: readonly ImportRow[] = JSON.parse(next.rows);
    for (let at = 0; at < rows.length; at += ROWS_A_STEP) {
      const step = rows.slice(at, at + ROWS_A_STEP);
      await write((tx) => insertRows(tx, next.batchId, step), "with the next");
    }
    await write(
      (tx) => void tx.run("DELETE FROM import_rows_to_write WHERE batch_id = ?", next.batchId),
      "with the next",
    );
  }
}

type StoredRowColumns = {
  readonly batchId: number;
  readonly line: number;
  readonly status: RowStatus;
  readonly code: string | null;
  readonly params: string;
  readonly position: number | null;
  readonly written: string;
  readonly msisdn: string | null;
  readonly cells: string | null;
  readonly client_reference: string | null;
  readonly ofBatch: number | null;
  readonly ofLine: number | null;
};

const COLUMNS = `i.batch_id AS batchId, i.line, i.status, i.code, i.params, i.position, i.written, i.msisdn, i.cells, i.client_reference,
  i.of_batch AS ofBatch, i.of_line AS ofLine`;

/** A stored row, with its batch. */
export type StoredRow = ImportRow & { readonly batchId: number };

function toRow({ code, params, cells, ofBatch, ofLine, ...row }: StoredRowColumns): StoredRow {
  return {
    ...row,
    cause: code === null ? null : ({ code, params: JSON.parse(params) } as ImportRow["cause"]),
    cells: cells === null ? null : (JSON.parse(cells) as ImportRow["cells"]),
    of: ofBatch === null || ofLine === null ? null : { batch: ofBatch, line: ofLine },
  };
}

/** Up to `limit` rows of a batch's file of which some became, from a line on. */
export function readRows(
  read: Reader,
  batchId: number,
  statuses: readonly RowStatus[],
  fromLine: number,
  limit: number,
): readonly StoredRow[] {
  return read
    .all<StoredRowColumns>(
      `SELECT ${COLUMNS} FROM import_rows i
       WHERE batch_id = $batchId AND line >= $fromLine AND status IN (SELECT value FROM json_each($statuses)) ORDER BY line LIMIT $limit`,
      { batchId, fromLine, statuses: JSON.stringify(statuses), limit },
    )
    .map(toRow);
}

/** The row in a line of a batch's file; null where nothing is kept of it. */
export function readRow(read: Reader, { batch, line }: RowPlace): StoredRow | null {
  const sql = `SELECT ${COLUMNS} FROM import_rows i WHERE batch_id = ? AND line = ?`;
  const row = read.get<StoredRowColumns>(sql, batch, line);
  return row && toRow(row);
}

/** The rows of recipients of a batch between two places, as far as anything is kept of them, by their places. */
export function rowsByPlace(
  read: Reader,
  batchId: number,
  from: number,
  through: number,
): ReadonlyMap<number, StoredRow> {
  const rows = read.all<StoredRowColumns>(
    `SELECT ${COLUMNS} FROM import_rows i
     WHERE batch_id = $batchId AND position IS NOT NULL AND position BETWEEN $from AND $through`,
    { batchId, from, through },
  );
  return new Map(rows.map((row) => [row.position ?? -1, toRow(row)]));
}

/** The row of an earlier file that a row is. */
type RowLink = RowPlace & { readonly position: number | null; readonly of: RowPlace };

/** The rows of a batch's file that are known to be rows of an earlier one. */
export function readLinkedRows(read: Reader, batchId: number): readonly RowLink[] {
  const rows = read.all<{ line: number; position: number | null; ofBatch: number; ofLine: number }>(
    `SELECT line, position, of_batch AS ofBatch, of_line AS ofLine FROM import_rows
     WHERE batch_id = ? AND of_batch IS NOT NULL ORDER BY line`,
    batchId,
  );
  return rows.map(({ line, position, ofBatch, ofLine }) => ({
    batch: batchId,
    line,
    position,
    of: { batch: ofBatch, line: ofLine },
  }));
}

/** Follows rows of some batches back to the row that each was first: the same person's, in the file that the client has. */
export function createFirstRowResolver(
  read: Reader,
  batchIds: readonly number[],
): (at: RowPlace) => RowPlace {
  const before = new Map(
    batchIds.flatMap((id) => readLinkedRows(read, id).map(({ line, of }) => [`${id} ${line}`, of] as const)),
  );
  return (at) => {
    let first = at;
    let next = before.get(`${at.batch} ${at.line}`);
    // Rows come from earlier batches.
    while (next && next.batch < first.batch) {
      first = next;
      next = before.get(`${first.batch} ${first.line}`);
    }
    return first;
  };
}

/** How many rows of a batch's file were not recipients. */
export function leftOutCount(read: Reader, batchId: number): number {
  return (
    read.get<{ unreadable: number }>("SELECT unreadable FROM batches WHERE id = ?", batchId)?.unreadable ?? 0
  );
}

/** How many of the stored rows were reached by an earlier batch already. */
export function alreadyReachedCount(read: Reader, batchId: number): number {
  const sql = "SELECT count(*) AS rows FROM import_rows WHERE batch_id = ? AND status = 'ALREADY_REACHED'";
  return read.get<{ rows: number }>(sql, batchId)?.rows ?? 0;
}

/** The ids by which the rows of some batches may be known beside those of the batches, each with the batch's row id. */
export function importUlids(read: Reader, batchIds: readonly number[]): ReadonlyMap<string, number> {
  const rows = read.all<{ batchId: number; ulid: string }>(
    "SELECT batch_id AS batchId, ulid FROM imports WHERE batch_id IN (SELECT value FROM json_each(?)) AND ulid IS NOT NULL",
    JSON.stringify(batchIds),
  );
  return new Map(rows.map(({ ulid, batchId }) => [ulid, batchId]));
}

/** The public id of the batch that was last sent out of a file, by the id of the file; null where none was. */
export function batchOfImport(read: Reader, ulid: string): string | null {
  const sql = `SELECT b.ulid FROM imports i JOIN batches b ON b.id = i.batch_id WHERE i.ulid = ? ORDER BY i.batch_id DESC LIMIT 1`;
  return read.get<{ ulid: string }>(sql, ulid)?.ulid ?? null;
}

/** Reads the line of a place in a batch; null where it is not known. */
export function createLineReader(read: Reader, batchId: number): (position: number) => number | null {
  const row = read.get<{ runs: string }>("SELECT runs FROM imports WHERE batch_id = ?", batchId);
  const runs = !row ? [] : (JSON.parse(row.runs) as readonly LineRun[]);
  return (position) => {
    let [below, above] = [0, runs.length];
    while (below < above) {
      const middle = (below + above) >>> 1;
      if ((runs[middle]?.[0] ?? 0) <= position) below = middle + 1;
      else above = middle;
    }
    const run = runs[below - 1];
    return run === undefined ? null : run[1] + position - run[0];
  };
}

/** The batches to search: those within row ids, of one account or of all. The upper one is not included. */
export type BatchSpan = {
  readonly fromBatch: number;
  readonly belowBatch: number;
  readonly accountId: number | null;
};

/** Up to `limit` rows that were no recipients and may have been for a number, the newest batch first. */
export function findRowsTo(
  read: Reader,
  msisdn: string,
  { fromBatch, belowBatch, accountId }: BatchSpan,
  limit: number,
): readonly StoredRow[] {
  return read
    .all<StoredRowColumns>(
      `SELECT ${COLUMNS} FROM import_rows i CROSS JOIN batches b ON b.id = i.batch_id
       WHERE i.msisdn = $msisdn AND i.batch_id >= $fromBatch AND i.batch_id < $belowBatch
         AND ($accountId IS NULL OR b.account_id = $accountId) AND i.status IN ('UNREADABLE', 'ALREADY_REACHED')
       ORDER BY i.batch_id DESC LIMIT $limit`,
      { msisdn, fromBatch, belowBatch, accountId, limit },
    )
    .map(toRow);
}

/** Rows looked at in one go: some milliseconds. */
export const PAGE = 1000;

/** A place among the rows of all batches. */
type StoredPlace = { readonly batchId: number; readonly line: number };

/** Those of one account, or of all, among the next rows before a place, of batches from a row id on; the newest batch first. */
export function readRowsBefore(
  read: Reader,
  before: StoredPlace,
  { fromBatch, accountId }: Pick<BatchSpan, "fromBatch" | "accountId">,
): { readonly rows: readonly StoredRow[]; readonly next: StoredPlace | null } {
  const edge = read.get<StoredPlace>(
    `SELECT batch_id AS batchId, line FROM import_rows
     WHERE (batch_id, line) < (?, ?) AND batch_id >= ? ORDER BY batch_id DESC, line DESC LIMIT 1 OFFSET ?`,
    before.batchId,
    before.line,
    fromBatch,
    PAGE - 1,
  );
  const from = edge ?? { batchId: fromBatch, line: -1 };
  const rows = read.all<StoredRowColumns>(
    `SELECT ${COLUMNS} FROM import_rows i CROSS JOIN batches b ON b.id = i.batch_id
     WHERE (i.batch_id, i.line) < ($belowBatch, $belowLine) AND (i.batch_id, i.line) >= ($fromBatch, $fromLine)
       AND i.status <> 'ACCEPTED' AND b.account_id > 0 AND ($accountId IS NULL OR b.account_id = $accountId)
     ORDER BY i.batch_id DESC, i.line DESC`,
    {
      belowBatch: before.batchId,
      belowLine: before.line,
      accountId,
      fromBatch: from.batchId,
      fromLine: from.line,
    },
  );
  return { rows: rows.map(toRow), next: edge };
}

/** Those in which a number stands, among the next rows. */
export function findRowsOfNumber(
  read: Reader,
  number: NumberMatcher,
  after: StoredPlace | null,
): Page<StoredRow, StoredPlace> {
  const rows = read.all<StoredRowColumns>(
    `SELECT ${COLUMNS} FROM import_rows i WHERE (batch_id, line) > (?, ?) ORDER BY batch_id, line LIMIT ?`,
    after?.batchId ?? -1,
    after?.line ?? -1,
    PAGE,
  );
  return toPage(
    rows.map(toRow),
    PAGE,
    ({ batchId, line }) => ({ batchId, line }),
    ({ msisdn, written }) => msisdn === number.msisdn || number.occursIn(written),
  );
}

/**
 * Adds the rows of earlier files that these rows were before, the earliest first: they are the same person's, and nothing leads there once
 * the later one is erased.
 */
export function addEarlierRows(read: Reader, rows: readonly StoredRow[]): readonly StoredRow[] {
  const nameOf = ({ batchId, line }: StoredPlace) => `${batchId} ${line}`;
  const found = new Map(rows.map((row) => [nameOf(row), row]));
  // Those that are put in are gone through too.
  for (const { of } of found.values()) {
    const before = of && readRow(read, of);
    if (before && !found.has(nameOf(before))) found.set(nameOf(before), before);
  }
  return [...found.values()].sort((a, b) => a.batchId - b.batchId || a.line - b.line);
}

/** Erases a number, its texts and its names from some rows; how many. What became of each, and its place, stays. */
export function eraseRows(
  tx: Tx,
  { name }: Pick<ErasedNumber, "name">,
  places: readonly StoredPlace[],
): number {
  let erased = 0;
  for (const { batchId, line } of places) {
    erased += tx.run(
      `UPDATE import_rows SET written = $name, msisdn = NULL, params = '{}', cells = NULL, client_reference = NULL,
         code = CASE status WHEN 'UNREADABLE' THEN 'UNREADABLE_ROW' WHEN 'DUPLICATE' THEN 'DUPLICATE_IN_BATCH' ELSE code END
       WHERE batch_id = $batchId AND line = $line AND written <> $name`,
      { name, batchId, line },
    );
  }
  return erased;
}

/** Drops up to `limit` stored tag values of texts, of batches whose ids are a JSON list. */
export function dropCells(tx: Tx, batchIds: string, limit: number): number {
  return tx.run(
    `UPDATE import_rows SET cells = NULL WHERE (batch_id, line) IN
       (SELECT batch_id, line FROM import_rows
        WHERE batch_id IN (SELECT value FROM json_each(?)) AND cells IS NOT NULL LIMIT ?)`,
    batchIds,
    limit,
  );
}

/** Drops up to `limit` rows of batches whose ids are a JSON list. */
export function dropRows(tx: Tx, batchIds: string, limit: number): number {
  return tx.run(
    `DELETE FROM import_rows WHERE (batch_id, line) IN
       (SELECT batch_id, line FROM import_rows WHERE batch_id IN (SELECT value FROM json_each(?)) LIMIT ?)`,
    batchIds,
    limit,
  );
}

/** Drops where the recipients of batches stood, whose ids are a JSON list. */
export function dropImports(tx: Tx, batchIds: string): void {
  tx.run("DELETE FROM imports WHERE batch_id IN (SELECT value FROM json_each(?))", batchIds);
}

/**
 * Where a number stands twice in a list, the first row counts: the other is a duplicate, whatever became of the first
 * (docs/behaviour.md#reasons-of-rejection). Where the first gets the text, nobody misses anything. Where it is rejected, the duplicate was
 * the person's other chance, and is listed with those who get nothing.
 */
export const DUPLICATE_ROW = "DUPLICATE_IN_BATCH";

/** Why a duplicate gets nothing whose number gets nothing either. */
export const DUPLICATE_OF_REJECTED = "DUPLICATE_OF_REFUSED";

type Rejected = { readonly msisdn: string | null; readonly reason_code: string };

/** Reads rejections in the order of submission, from the first on: the reason that people are shown of each. */
export function createReasonReader(): (rejection: Rejected) => string {
  const refused = new Set<string>();
  return ({ msisdn, reason_code: reason }) => {
    if (reason === DUPLICATE_ROW)
      return msisdn !== null && refused.has(msisdn) ? DUPLICATE_OF_REJECTED : DUPLICATE_ROW;
    if (msisdn !== null) refused.add(msisdn);
    return reason;
  };
}
