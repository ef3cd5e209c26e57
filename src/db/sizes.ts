/** How much of the database was in use, noted once a day, to tell how fast it grows. */

import { openReader } from "./connections.ts";
import { type OpenDatabase, openOnDisk } from "./disk.ts";
import { createReader, prepareStatements, type Reader } from "./reader.ts";
import type { Tx } from "./writer.ts";

/** A day since the beginning of 1970, and what was in use then. */
type DailySize = { readonly day: number; readonly bytes: number };

const KEPT_DAYS = 400;
const DAY_MS = 86_400_000;

/** Notes the size of today, once. */
export function recordSize(tx: Tx, nowMs: number): void {
  const day = Math.floor(nowMs / DAY_MS);
  if (tx.get("SELECT 1 FROM daily_sizes WHERE day = ?", day)) return;
  tx.run(
    `INSERT INTO daily_sizes (day, bytes) SELECT ?, (c.page_count - f.freelist_count) * s.page_size
     FROM pragma_page_count c, pragma_freelist_count f, pragma_page_size s`,
    day,
  );
  tx.run("DELETE FROM daily_sizes WHERE day < ?", day - KEPT_DAYS);
}

/** The sizes of a day and later ones, the oldest first. */
export function readSizesSince(read: Reader, day: number): DailySize[] {
  return read.all<DailySize>("SELECT day, bytes FROM daily_sizes WHERE day >= ? ORDER BY day", day);
}

/** A table with its indexes. */
type TableSize = { readonly name: string; readonly bytes: number; readonly rows: number };

export type DatabaseSizes = {
  readonly tables: readonly TableSize[];
  /** Of the file, and of what in it is used again before the file grows. */
  readonly bytes: number;
  readonly freeBytes: number;
};

/** A table without row ids keeps rows in all of its pages; another in its leaves. */
const SIZES = `SELECT s.tbl_name AS name, sum(d.pgsize) AS bytes,
  sum(CASE WHEN s.type = 'table' AND (d.pagetype = 'leaf' OR (d.pagetype = 'internal' AND s.sql LIKE '%WITHOUT ROWID%'))
    THEN d.ncell ELSE 0 END) AS rows
  FROM dbstat d JOIN sqlite_schema s ON s.name = d.name GROUP BY s.tbl_name ORDER BY 2 DESC, 1`;

/** Measures a database by reading all of it, which takes a second for some hundred megabytes: in a thread of its own. */
export function tableSizes(directory: string, openDatabase: OpenDatabase = openOnDisk): DatabaseSizes {
  const db = openReader(directory, openDatabase);
  try {
    const read = createReader(prepareStatements(db));
    return { tables: read.all<TableSize>(SIZES), ...databaseSize(read) };
  } finally {
    db.close();
  }
}

/** How large the file is, and how much of it is used again before it grows, as its header says. */
export function databaseSize(read: Reader): Pick<DatabaseSizes, "bytes" | "freeBytes"> {
  const pragma = (name: string): number =>
    Object.values(read.get<Record<string, number>>(`PRAGMA ${name}`) ?? {})[0] ?? 0;
  const page = pragma("page_size");
  return { bytes: pragma("page_count") * page, freeBytes: pragma("freelist_count") * page };
}
