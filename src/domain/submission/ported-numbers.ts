/**
 * Who owns a number: the table of ported numbers and prefixes, which is asked before the configured prefixes
 * (docs/administration.md#ported-numbers).
 *
 * `NumberOwners` answers, for whoever routes, quotes or sends to a number. A row says whose a number is, never that it is one: that is
 * for the library and the configured prefixes alone, so that lists and searches read numbers as batches do and need no table.
 *
 * A row is of an import, or set by hand. Of rows about the same number the one by hand counts, else that of the newest import that is
 * valid. So an import becomes valid, and replaces others, in one short commit however many rows it has: those that it overtook are swept
 * away afterwards. What an import staged that never became valid counts for nothing, and is swept by the next import or start.
 */
import { deriveCached } from "../../config/live-config.ts";
import { getOwn } from "../../core/own-value.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { longestPrefix, NOBODY, type OwnerOf, prefixTable } from "./phone-numbers.ts";

/** A number, or the prefix of some: E.164 digits without "+". */
export type NumberOrPrefix = { readonly digits: string; readonly isPrefix: boolean };

/** What stands in the table about one of them. `operator`: null for nobody, as far as this appliance sends. */
export type PortedRow = NumberOrPrefix & {
  readonly operator: string | null;
  readonly isByHand: boolean;
  /** Since when it counts, epoch milliseconds. */
  readonly sinceMs: number;
  /** Where an import is from, in an administrator's words; null where nobody said. */
  readonly source: string | null;
};

type Operators = Readonly<Record<string, { readonly prefixes: readonly string[] }>>;

/** Prefixes of the table stand in memory: 10 ms to read. What has more is a list of numbers. */
export const MAX_PORTED_PREFIXES = 10_000;

/** The import of rows that were set by hand. */
const BY_HAND = 0;

type StoredRow = { readonly importId: number; readonly ownerId: number };

/** What of the table is kept in memory: all but the numbers. */
type PortedIndex = {
  /** Imports that count. */
  readonly valid: ReadonlySet<number>;
  readonly owners: ReadonlyMap<number, string | null>;
  /** Whether a number may stand in the table, so that it must be asked for each. */
  readonly hasNumbers: boolean;
  readonly prefixOf: (digits: string) => (StoredRow & { readonly prefix: string }) | null;
  /** Rows of numbers that were looked up together; null for none. They are true as long as the version is the same. */
  readonly found: Map<string, StoredRow | null>;
};

/** Numbers whose rows are kept until the next ones are looked up. */
const MAX_FOUND = 10_000;

/** Whose numbers are. One for whoever asks: what it keeps in memory is read again after a change. */
export class NumberOwners {
  private readonly prefixes: () => (digits: string) => string | null;
  private readonly index: () => PortedIndex | null;

  /** `operators`: those of the configuration in force. */
  constructor(
    private readonly operators: () => Operators,
    private readonly read: Reader,
  ) {
    this.prefixes = deriveCached(operators, prefixTable);
    this.index = deriveCached(
      () => readVersion(read),
      (version) => (version === null ? null : readIndex(read)),
    );
  }

  /** Who owns a number by the configuration as it is now, and by the table as it is whenever that is asked. */
  now(): OwnerOf {
    const operators = this.operators();
    const byPrefix = this.prefixes();
    return (digits, isKnown) => {
      const configured = byPrefix(digits);
      if (!isKnown && configured === null) return null;
      const row = this.rowOf(digits);
      if (row === null) return configured;
      return row.operator !== null && getOwn(operators, row.operator) !== undefined ? row.operator : NOBODY;
    };
  }

  /** The operator that a number is sent to by; null for none. `digits`: of a number that is one. */
  readonly operatorOf = (digits: string): string | null => {
    const owner = this.now()(digits, true);
    return owner === NOBODY ? null : owner;
  };

  /** What the table says of a number; null where it says nothing. One look-up, and none while no number stands in it, or where it was looked up together with others. */
  rowOf(
    digits: string,
  ): (StoredRow & { readonly prefix: string | null; readonly operator: string | null }) | null {
    const index = this.index();
    if (index === null) return null;
    const own = index.hasNumbers ? this.rowOfNumber(index, digits) : null;
    const row = own === null ? index.prefixOf(digits) : { ...own, prefix: null };
    return row && { ...row, operator: index.owners.get(row.ownerId) ?? null };
  }

  /** Looks some numbers up together: a statement costs more than its rows do. */
  readonly lookUp = (numbers: readonly string[]): void => {
    const index = this.index();
    if (index === null || !index.hasNumbers) return;
    const { found, valid } = index;
    if (found.size + numbers.length > MAX_FOUND) found.clear();
    for (const digits of numbers) found.set(digits, null);
    const rows = this.read.all<StoredRow & { readonly digits: string }>(
      `SELECT n.digits, n.import_id AS importId, n.owner_id AS ownerId
       FROM json_each(?) AS asked JOIN ported_numbers n ON n.digits = asked.value AND n.is_prefix = 0`,
      JSON.stringify(numbers),
    );
    for (const row of rows) {
      const known = found.get(row.digits) ?? null;
      found.set(row.digits, newestOf(known === null ? [row] : [known, row], valid));
    }
  };

  private rowOfNumber({ found, valid }: PortedIndex, digits: string): StoredRow | null {
    const known = found.get(digits);
    return known === undefined ? newestOf(readRows(this.read, digits), valid) : known;
  }

  /** What the table says of a number, with since when and from where. */
  describe(digits: string): PortedRow | null {
    const row = this.rowOf(digits);
    if (row === null) return null;
    const { prefix, importId, operator } = row;
    const about = prefix === null ? { digits, isPrefix: false } : { digits: prefix, isPrefix: true };
    return { ...about, operator, ...readOrigin(this.read, about, importId) };
  }
}

function readRows(read: Reader, digits: string): StoredRow[] {
  return read.all<StoredRow>(
    "SELECT import_id AS importId, owner_id AS ownerId FROM ported_numbers WHERE digits = ? AND is_prefix = 0",
    digits,
  );
}

/** The row that counts. */
function newestOf<Row extends StoredRow>(rows: readonly Row[], valid: ReadonlySet<number>): Row | null {
  let newest: Row | null = null;
  for (const row of rows) {
    if (row.importId === BY_HAND) return row;
    if (valid.has(row.importId) && (newest === null || row.importId > newest.importId)) newest = row;
  }
  return newest;
}

function readVersion(read: Reader): number | null {
  return read.known<{ version: number }>("SELECT version FROM ported_version")?.version ?? null;
}

function readIndex(read: Reader): PortedIndex {
  const valid = new Set(readValidImports(read));
  const owners = new Map(
    read
      .all<{ id: number; operator: string | null }>("SELECT id, operator FROM ported_owners")
      .map(({ id, operator }) => [id, operator]),
  );
  const rows = read.all<StoredRow & { prefix: string }>(
    `SELECT digits AS prefix, import_id AS importId, owner_id AS ownerId FROM ported_numbers WHERE is_prefix = 1
     ORDER BY digits`,
  );
  const prefixes = new Map<string, StoredRow & { readonly prefix: string }>();
  for (const [prefix, about] of Map.groupBy(rows, (row) => row.prefix)) {
    const row = newestOf(about, valid);
    if (row !== null) prefixes.set(prefix, row);
  }
  const hasNumbers =
    read.get(
      `SELECT 1 WHERE EXISTS (SELECT 1 FROM ported_imports WHERE state = 'VALID' AND numbers > 0)
         OR EXISTS (SELECT 1 FROM ported_numbers WHERE import_id = 0 AND is_prefix = 0)`,
    ) !== null;
  return { valid, owners, hasNumbers, prefixOf: longestPrefix(prefixes), found: new Map() };
}

function readValidImports(read: Reader): number[] {
  return read.all<{ id: number }>("SELECT id FROM ported_imports WHERE state = 'VALID'").map(({ id }) => id);
}

function readOrigin(
  read: Reader,
  { digits, isPrefix }: NumberOrPrefix,
  importId: number,
): Pick<PortedRow, "isByHand" | "sinceMs" | "source"> {
  const origin = read.get<{ since: number; source: string | null }>(
    `SELECT coalesce(n.since, i.valid_at) AS since, i.source
     FROM ported_numbers n LEFT JOIN ported_imports i ON i.id = n.import_id
     WHERE n.digits = ? AND n.is_prefix = ? AND n.import_id = ?`,
    digits,
    isPrefix,
    importId,
  );
  return { isByHand: importId === BY_HAND, sinceMs: origin?.since ?? 0, source: origin?.source ?? null };
}

/** To be called with every change of what decides whose a number is. */
function noteChange(tx: Tx): void {
  tx.run(
    "INSERT INTO ported_version (id, version) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET version = version + 1",
  );
}

/** The small number that stands for an operator in rows; null: nobody. */
function ownerIdOf(tx: Tx, operator: string | null): number {
  const known = tx.get<{ id: number }>("SELECT id FROM ported_owners WHERE operator IS ? LIMIT 1", operator);
  return known?.id ?? tx.insert("INSERT INTO ported_owners (operator) VALUES (?)", operator);
}

/** Has the rows of an operator that was given another code follow it. */
export function renamePortedOwner(tx: Tx, oldCode: string, newCode: string): void {
  if (tx.run("UPDATE ported_owners SET operator = ? WHERE operator = ?", newCode, oldCode) > 0)
    noteChange(tx);
}

/** The operators that rows name, or named once. */
export function listPortedOwners(read: Reader): string[] {
  return read
    .all<{ operator: string }>(
      "SELECT DISTINCT operator FROM ported_owners WHERE operator IS NOT NULL ORDER BY operator",
    )
    .map(({ operator }) => operator);
}

// Rows that are set by hand.

/** Sets by hand whose a number or a prefix is; null: nobody. */
export function setOverride(
  tx: Tx,
  { digits, isPrefix }: NumberOrPrefix,
  operator: string | null,
  nowMs: number,
): void {
  tx.run(
    `INSERT INTO ported_numbers (digits, is_prefix, import_id, owner_id, since) VALUES (?, ?, 0, ?, ?)
     ON CONFLICT (digits, is_prefix, import_id) DO UPDATE SET owner_id = excluded.owner_id, since = excluded.since`,
    digits,
    isPrefix,
    ownerIdOf(tx, operator),
    nowMs,
  );
  noteChange(tx);
}

/** Takes away what was set by hand about a number or a prefix, else what imports say; which of both, null for neither. */
export function removePorted(tx: Tx, { digits, isPrefix }: NumberOrPrefix): "override" | "import" | null {
  const removed = (sql: string): boolean => tx.run(sql, digits, isPrefix) > 0;
  const what = removed("DELETE FROM ported_numbers WHERE digits = ? AND is_prefix = ? AND import_id = 0")
    ? "override"
    : removed("DELETE FROM ported_numbers WHERE digits = ? AND is_prefix = ?")
      ? "import"
      : null;
  if (what !== null) noteChange(tx);
  return what;
}

/** How many rows were set by hand. */
export function countOverrides(read: Reader): number {
  return (
    read.get<{ rows: number }>("SELECT count(*) AS rows FROM ported_numbers WHERE import_id = 0")?.rows ?? 0
  );
}

/** How many prefixes stand in the table; `isByHand`: those alone that were set by hand. */
export function countPortedPrefixes(read: Reader, isByHand: boolean): number {
  const sql = isByHand
    ? "SELECT count(*) AS rows FROM ported_numbers WHERE import_id = 0 AND is_prefix = 1"
    : "SELECT count(DISTINCT digits) AS rows FROM ported_numbers WHERE is_prefix = 1";
  return read.get<{ rows: number }>(sql)?.rows ?? 0;
}

// Imports.

/** A row of a file. */
export type ImportedRow = NumberOrPrefix & { readonly operator: string | null };

/** Begins an import whose rows count for nothing yet; its id. */
export function beginPortedImport(tx: Tx, source: string | null): number {
  return tx.insert("INSERT INTO ported_imports (source, state) VALUES (?, 'STAGING')", source);
}

/** What became of rows that were staged. */
type StagedRows = {
  /** The rows that are new, of numbers and of prefixes. */
  readonly numbers: number;
  readonly prefixes: number;
  /** Rows, by their places, that say something else than an earlier row of the file about the same number. The earlier one stays. */
  readonly contradictions: readonly number[];
};

/** Stages some rows of an import. */
export function stagePorted(tx: Tx, importId: number, rows: readonly ImportedRow[]): StagedRows {
  const ids = new Map<string | null, number>();
  const contradictions: number[] = [];
  let [numbers, prefixes] = [0, 0];
  for (const [place, { digits, isPrefix, operator }] of rows.entries()) {
    const ownerId = ids.get(operator) ?? ownerIdOf(tx, operator);
    ids.set(operator, ownerId);
    const added = tx.run(
      `INSERT INTO ported_numbers (digits, is_prefix, import_id, owner_id) VALUES (?, ?, ?, ?)
       ON CONFLICT (digits, is_prefix, import_id) DO NOTHING`,
      digits,
      isPrefix,
      importId,
      ownerId,
    );
    if (added === 0) {
      const isOther = tx.get(
        "SELECT 1 FROM ported_numbers WHERE digits = ? AND is_prefix = ? AND import_id = ? AND owner_id <> ?",
        digits,
        isPrefix,
        importId,
        ownerId,
      );
      if (isOther !== null) contradictions.push(place);
    } else if (isPrefix) prefixes += 1;
    else numbers += 1;
  }
  return { numbers, prefixes, contradictions };
}

/** What an import comes to. */
type ImportEnd = {
  readonly numbers: number;
  readonly prefixes: number;
  /** Whether the rows of all earlier imports end with it; those that were set by hand stay. */
  readonly replaces: boolean;
};

/** Makes an import valid: from this commit on its rows count, before those of earlier imports. */
export function openPortedImport(
  tx: Tx,
  importId: number,
  { numbers, prefixes, replaces }: ImportEnd,
  nowMs: number,
): void {
  const isFirst = tx.get("SELECT 1 FROM ported_imports WHERE id <> ? LIMIT 1", importId) === null;
  if (replaces) tx.run("UPDATE ported_imports SET state = 'REPLACED', is_swept = 0 WHERE state = 'VALID'");
  tx.run(
    `UPDATE ported_imports SET state = 'VALID', valid_at = ?, numbers = ?, prefixes = ?, is_swept = ? WHERE id = ?`,
    nowMs,
    numbers,
    prefixes,
    isFirst,
    importId,
  );
  noteChange(tx);
}

/** Whether rows stand in the table that an import overtook, or that never became valid. */
export function isPortedSweepDue(read: Reader): boolean {
  return read.get("SELECT 1 FROM ported_imports WHERE is_swept = 0 LIMIT 1") !== null;
}

type RowKey = { readonly digits: string; readonly isPrefix: number; readonly importId: number };

/** How far a sweep has come: the last row, and the last that stays of imports. */
export type SweepPlace = { readonly last: RowKey; readonly kept: RowKey | null };

export const FIRST_SWEPT: SweepPlace = { last: { digits: "", isPrefix: 0, importId: -1 }, kept: null };

/** Rows of one step, some 2 ms. */
const ROWS_A_STEP = 250;

/**
 * Removes rows that count no more, a step at a time; where to go on, null at the end. To be called from `FIRST_SWEPT` on, and not while
 * an import is staged.
 */
export function sweepPorted(tx: Tx, { last, kept }: SweepPlace): SweepPlace | null {
  const valid = new Set(readValidImports(tx));
  const rows = tx.all<RowKey>(
    `SELECT digits, is_prefix AS isPrefix, import_id AS importId FROM ported_numbers
     WHERE (digits, is_prefix, import_id) > (?, ?, ?) ORDER BY digits, is_prefix, import_id LIMIT ?`,
    last.digits,
    last.isPrefix,
    last.importId,
    ROWS_A_STEP,
  );
  let newest = kept;
  for (const row of rows) {
    if (row.importId === BY_HAND) continue;
    if (!valid.has(row.importId)) {
      deleteRow(tx, row);
      continue;
    }
    if (newest !== null && newest.digits === row.digits && newest.isPrefix === row.isPrefix)
      deleteRow(tx, newest);
    newest = row;
  }
  const end = rows.at(-1);
  if (end !== undefined && rows.length === ROWS_A_STEP) return { last: end, kept: newest };
  tx.run("DELETE FROM ported_imports WHERE state <> 'VALID'");
  tx.run("UPDATE ported_imports SET is_swept = 1 WHERE is_swept = 0");
  noteChange(tx);
  return null;
}

function deleteRow(tx: Tx, { digits, isPrefix, importId }: RowKey): void {
  tx.run(
    "DELETE FROM ported_numbers WHERE digits = ? AND is_prefix = ? AND import_id = ?",
    digits,
    isPrefix,
    importId,
  );
}

// Reading all of it.

/** A page of the rows that count, in the order of their digits, and the last of them; null at the end. */
type PortedPage = { readonly rows: readonly PortedRow[]; readonly next: NumberOrPrefix | null };

type PagedRow = RowKey & {
  readonly ownerId: number;
  readonly operator: string | null;
  readonly since: number;
  readonly source: string | null;
};

/** Reads about `most` rows after one; `after` is null at the beginning. */
export function readPortedPage(read: Reader, after: NumberOrPrefix | null, most: number): PortedPage {
  const valid = new Set(readValidImports(read));
  const found = read.all<PagedRow>(
    `SELECT n.digits, n.is_prefix AS isPrefix, n.import_id AS importId, n.owner_id AS ownerId, o.operator,
       coalesce(n.since, i.valid_at, 0) AS since, i.source
     FROM ported_numbers n JOIN ported_owners o ON o.id = n.owner_id LEFT JOIN ported_imports i ON i.id = n.import_id
     WHERE (n.digits, n.is_prefix) > (?, ?) ORDER BY n.digits, n.is_prefix, n.import_id LIMIT ?`,
    after?.digits ?? "",
    after?.isPrefix ?? false,
    most,
  );
  const groups = [...Map.groupBy(found, ({ digits, isPrefix }) => `${digits}${isPrefix}`).values()];
  const isEnd = found.length < most;
  // The rows about the last number may go on behind the page.
  const whole = isEnd || groups.length < 2 ? groups : groups.slice(0, -1);
  const end = isEnd ? null : (whole.at(-1)?.[0] ?? null);
  return {
    rows: whole.flatMap((group) => {
      const row = newestOf(group, valid);
      return row === null ? [] : [toPortedRow(row)];
    }),
    next: end && { digits: end.digits, isPrefix: end.isPrefix === 1 },
  };
}

function toPortedRow({ digits, isPrefix, importId, operator, since, source }: PagedRow): PortedRow {
  return {
    digits,
    isPrefix: isPrefix === 1,
    operator,
    isByHand: importId === BY_HAND,
    sinceMs: since,
    source,
  };
}

/** Everything that stands in the table about one number alone, counting or not; prefixes name nobody. `msisdn`: with "+". */
export function portedAbout(read: Reader, msisdn: string): PortedRow[] {
  return read
    .all<PagedRow>(
      `SELECT n.digits, n.is_prefix AS isPrefix, n.import_id AS importId, n.owner_id AS ownerId, o.operator,
         coalesce(n.since, i.valid_at, 0) AS since, i.source
       FROM ported_numbers n JOIN ported_owners o ON o.id = n.owner_id LEFT JOIN ported_imports i ON i.id = n.import_id
       WHERE n.digits = ? AND n.is_prefix = 0 ORDER BY n.import_id`,
      msisdn.slice(1),
    )
    .map(toPortedRow);
}

/** Removes all that stands in the table about one number alone; how many rows. */
export function erasePorted(tx: Tx, msisdn: string): number {
  const erased = tx.run("DELETE FROM ported_numbers WHERE digits = ? AND is_prefix = 0", msisdn.slice(1));
  if (erased > 0) noteChange(tx);
  return erased;
}
