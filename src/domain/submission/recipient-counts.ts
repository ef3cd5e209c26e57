/** How many recipients an account had accepted, for its ceilings (docs/behaviour.md#ceilings). */
import { toLocalDay } from "../../core/calendar.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import type { StagedRecipients } from "../messages/staged-recipients.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;

/**
 * Recipients accepted in the calendar day of the account's zone that `nowMs` lies in, with those that are `staged`: they are counted in the
 * tables when their batch is opened.
 */
export function acceptedToday(
  read: Reader,
  accountId: number,
  timezone: string,
  nowMs: number,
  staged: readonly StagedRecipients[] = [],
): number {
  const { startMs } = toLocalDay(nowMs, timezone);
  const accepted =
    read.get<{ recipients: number }>(
      "SELECT recipients FROM recipient_counts WHERE account_id = ? AND span = 'D' AND starts_at = ?",
      accountId,
      startMs,
    )?.recipients ?? 0;
  return accepted + sumOf(staged, ({ createdAt }) => toLocalDay(createdAt, timezone).startMs === startMs);
}

/**
 * The same for the rolling minute that ends now, to the second; not what a clock that was set back since dated more than a minute later.
 */
export function acceptedThisMinute(
  read: Reader,
  accountId: number,
  nowMs: number,
  staged: readonly StagedRecipients[] = [],
): number {
  const afterMs = secondOf(nowMs) - MINUTE_MS;
  const accepted =
    read.get<{ recipients: number | null }>(
      `SELECT sum(recipients) AS recipients FROM recipient_counts
       WHERE account_id = ? AND span = 'S' AND starts_at > ? AND starts_at <= ?`,
      accountId,
      afterMs,
      secondOf(nowMs) + MINUTE_MS,
    )?.recipients ?? 0;
  return accepted + sumOf(staged, ({ createdAt }) => secondOf(createdAt) > afterMs);
}

function sumOf(staged: readonly StagedRecipients[], counts: (one: StagedRecipients) => boolean): number {
  return staged.reduce((sum, one) => (counts(one) ? sum + one.recipients : sum), 0);
}

/** Counts recipients at the moment of their batch's submission, in the transaction that opens it. */
export function countRecipients(
  tx: Tx,
  accountId: number,
  timezone: string,
  atMs: number,
  recipients: number,
): void {
  if (recipients === 0) return;
  tx.run(
    `INSERT INTO recipient_counts (account_id, span, starts_at, recipients)
     VALUES ($accountId, 'D', $day, $recipients), ($accountId, 'S', $second, $recipients)
     ON CONFLICT (account_id, span, starts_at) DO UPDATE SET recipients = recipients + $recipients`,
    { accountId, day: toLocalDay(atMs, timezone).startMs, second: secondOf(atMs), recipients },
  );
}

/**
 * Carries today's count over to the new local day when an account's timezone is changed: days that begin at another moment would restart
 * its ceiling.
 */
export function migrateDayCounts(
  tx: Tx,
  accountId: number,
  { from, to }: { readonly from: string; readonly to: string },
  nowMs: number,
): void {
  const [before, after] = [toLocalDay(nowMs, from).startMs, toLocalDay(nowMs, to).startMs];
  if (before === after) return;
  tx.run(
    `INSERT INTO recipient_counts (account_id, span, starts_at, recipients)
     SELECT account_id, span, $after, recipients FROM recipient_counts
     WHERE account_id = $accountId AND span = 'D' AND starts_at = $before
     ON CONFLICT (account_id, span, starts_at) DO UPDATE SET recipients = max(recipients, excluded.recipients)`,
    { accountId, before, after },
  );
}

/** A batch counts at its submission, and may be validated up to 30 minutes later: seconds are kept well past that. */
const SECONDS_KEPT_MS = 60 * MINUTE_MS;

/** Counts dropped in one go before others have their turn. */
const DROPPED_AT_ONCE = 500;

/**
 * Drops counts that no ceiling reads any more, account by account above `afterAccountId`, until some hundreds were dropped. Where to go on,
 * or null after the last account.
 */
export function purgeOldCounts(
  tx: Tx,
  nowMs: number,
  afterAccountId = Number.MIN_SAFE_INTEGER,
): number | null {
  let dropped = 0;
  let accountId = afterAccountId;
  while (dropped < DROPPED_AT_ONCE) {
    const next = tx.get<{ id: number | null }>(
      "SELECT min(account_id) AS id FROM recipient_counts WHERE account_id > ?",
      accountId,
    );
    if (!next || next.id === null) return null;
    accountId = next.id;
    dropped += dropBefore(tx, accountId, "S", nowMs - SECONDS_KEPT_MS);
    dropped += dropBefore(tx, accountId, "D", nowMs - 3 * 86_400_000);
  }
  return accountId;
}

function dropBefore(tx: Tx, accountId: number, span: "S" | "D", beforeMs: number): number {
  return tx.run(
    "DELETE FROM recipient_counts WHERE account_id = ? AND span = ? AND starts_at < ?",
    accountId,
    span,
    beforeMs,
  );
}

function secondOf(epochMs: number): number {
  return Math.floor(epochMs / SECOND_MS) * SECOND_MS;
}
