/** How much of the database was in use, noted once a day: from it is told how fast it grows. */
import type { Reader } from "./read.ts";
import type { Tx } from "./write.ts";

/** A day since the beginning of 1970, and what was in use then. */
export type DailySize = { readonly day: number; readonly bytes: number };

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
