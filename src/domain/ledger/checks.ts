import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";

/** What one check of the books read, and how much of it differed. */
export type BooksCheck = {
  readonly checkedAtMs: number;
  readonly entries: number;
  readonly batches: number;
  readonly messages: number;
  readonly differences: number;
  /** The first of them, as `written` keeps a phrase; empty when there are none. */
  readonly detail: string;
  /** Why it came to no end, and then the figures say nothing; null for one that did. */
  readonly failure: string | null;
};

/** Keeps what a check found, or that it found nothing out. */
export function recordCheck(tx: Tx, check: BooksCheck): void {
  tx.insert(
    `INSERT INTO ledger_checks (checked_at, entries, batches, messages, differences, detail, failure)
     VALUES ($checkedAtMs, $entries, $batches, $messages, $differences, $detail, $failure)`,
    check,
  );
}

/** The newest check; null when there was none. */
export function lastCheck(read: Reader): BooksCheck | null {
  return read.get<BooksCheck>(
    `SELECT checked_at AS checkedAtMs, entries, batches, messages, differences, detail, failure
     FROM ledger_checks ORDER BY id DESC LIMIT 1`,
  );
}

/** What the last check is worth as news of the books: the last three are alarms. */
export type CheckStanding = "not checked yet" | "agrees" | "differs" | "failed" | "overdue";

/**
 * A check is due every night: 24 hours after the one before, 25 where the clocks go back that night, and it takes its time.
 * One older than this was missed.
 */
const OLDEST_MS = 26 * 3_600_000;

/** A start after days of standing still makes up for the missed night within minutes, and is no alarm while it does. */
export const TO_MAKE_UP_MS = 3_600_000;

/** How the books stand by their last check, for an appliance that started at `startedMs`. Pure. */
export function deriveCheckStanding(check: BooksCheck | null, startedMs: number, nowMs: number): CheckStanding {
  if (check && check.failure === null && check.differences > 0) return "differs";
  if (check && check.failure !== null) return "failed";
  const isOld = nowMs - (check?.checkedAtMs ?? startedMs) > OLDEST_MS;
  if (isOld && nowMs - startedMs > TO_MAKE_UP_MS) return "overdue";
  return check ? "agrees" : "not checked yet";
}
