/**
 * Counts the recipients of an account that were rejected today, for the ceiling on them: they cost nothing, and are kept
 * (docs/behaviour.md#rejected-recipients).
 */
import { toLocalDay } from "../../core/calendar.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { readTimezone } from "../accounts/accounts.ts";

/** A day of an account's zone, and how many of its recipients were rejected in it. */
type Counted = {
  readonly timezone: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly rejected: number;
};

export type RejectionCounts = {
  /** The day that an instant lies in; read from the database once, and again after it or the zone changed. */
  readonly today: (read: Reader, accountId: number, nowMs: number) => Counted;
  /** Counts recipients that were rejected, in the transaction that opens their batch. */
  readonly count: (tx: Tx, accountId: number, timezone: string, nowMs: number, rejected: number) => void;
};

/** One for a process. */
export function rejectionCounts(): RejectionCounts {
  const known = new Map<number, Counted>();
  return {
    today: (read, accountId, nowMs) => {
      const before = known.get(accountId);
      const timezone = readTimezone(read, accountId) ?? "UTC";
      const isSameDay = before && nowMs >= before.startMs && nowMs < before.endMs;
      if (isSameDay && before.timezone === timezone) return before;
      const { startMs, endMs } = toLocalDay(nowMs, timezone);
      const row = read.get<{ rejected: number }>(
        "SELECT rejected FROM rejection_counts WHERE account_id = ? AND day = ?",
        accountId,
        startMs,
      );
      const counted = { timezone, startMs, endMs, rejected: row?.rejected ?? 0 };
      known.set(accountId, counted);
      return counted;
    },
    count: (tx, accountId, timezone, nowMs, rejected) => {
      if (rejected === 0) return;
      tx.run(
        `INSERT INTO rejection_counts (account_id, day, rejected) VALUES ($accountId, $day, $rejected)
         ON CONFLICT (account_id) DO UPDATE SET day = $day, rejected = $rejected + iif(day = $day, rejected, 0)`,
        { accountId, day: toLocalDay(nowMs, timezone).startMs, rejected },
      );
      tx.afterCommit(() => known.delete(accountId));
    },
  };
}

/**
 * Carries today's rejections over to the new local day when an account's timezone is changed: days that begin at another moment would
 * restart its ceiling.
 */
export function migrateRejectionCounts(
  tx: Tx,
  accountId: number,
  { from, to }: { readonly from: string; readonly to: string },
  nowMs: number,
): void {
  const [before, after] = [toLocalDay(nowMs, from).startMs, toLocalDay(nowMs, to).startMs];
  tx.run("UPDATE rejection_counts SET day = ? WHERE account_id = ? AND day = ?", after, accountId, before);
}

/**
 * Why a recipient was dropped (docs/public-api.md section 2.3, docs/behaviour.md#reasons-of-rejection), in the order in
 * which they are looked at.
 */
export const REJECTION_REASONS = [
  "INVALID_MSISDN",
  "DUPLICATE_IN_BATCH",
  "UNROUTABLE_PREFIX",
  "MISSING_ATTRIBUTE",
  "RENDERED_VALUE_EMPTY",
  "RENDERED_BODY_TOO_LONG",
  "RENDERED_BODY_EMPTY",
  "NOT_GSM7",
  "TOO_MANY_SEGMENTS",
  "SUPPRESSED",
  "QUIET_HOURS",
  "FREQUENCY_CAP_DAILY",
  "FREQUENCY_CAP_WEEKLY",
  "DUPLICATE_RECENT_BODY",
  "RATE_LIMIT_PER_DAY",
  "RATE_LIMIT_PER_MINUTE",
] as const;

export type RejectionReason = (typeof REJECTION_REASONS)[number];
