import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";

/** What one check of the books read, and how much of it differed. */
export type BooksCheck = {
  readonly checkedAtMs: number;
  readonly entries: number;
  readonly batches: number;
  readonly messages: number;
  readonly differences: number;
  /** The first of them in words; empty when there are none. */
  readonly detail: string;
};

/** Keeps what a check found. */
export function recordCheck(tx: Tx, check: BooksCheck): void {
  tx.insert(
    `INSERT INTO ledger_checks (checked_at, entries, batches, messages, differences, detail)
     VALUES (?, ?, ?, ?, ?, ?)`,
    check.checkedAtMs,
    check.entries,
    check.batches,
    check.messages,
    check.differences,
    check.detail,
  );
}

/** The newest check; null when there was none. */
export function lastCheck(read: Reader): BooksCheck | null {
  return read.get<BooksCheck>(
    `SELECT checked_at AS checkedAtMs, entries, batches, messages, differences, detail
     FROM ledger_checks ORDER BY id DESC LIMIT 1`,
  );
}
