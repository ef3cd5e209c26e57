/**
 * Final messages in the order in which they became so. A message becomes final once, and nothing moves its feed stamp
 * afterwards (`decide.ts`), so each stands exactly once in this order, at a place that no later commit can precede.
 */
import type { Reader } from "../store/read.ts";
import { MESSAGE_COLUMNS, type MessageRow } from "./view.ts";

export type FinalMessage = MessageRow & { readonly stamp_us: number; readonly finalized_at: number };

/** A stretch of an account's feed. */
export type FinalsPage = {
  readonly messages: readonly FinalMessage[];
  /** Everything up to this stamp was looked at; what became final since is above it. */
  readonly scannedToUs: number;
  /** Whether the feed goes on. */
  readonly hasMore: boolean;
};

/**
 * The final messages among the next `scan` changes of an account's feed above `afterUs`. Messages on their way are
 * passed over: they get a higher stamp when they become final.
 */
export function finalsAfter(read: Reader, accountId: number, afterUs: number, scan: number): FinalsPage {
  const stretch = read.get<{ to: number | null; changes: number }>(
    `SELECT max(stamp_us) AS "to", count(*) AS changes FROM
       (SELECT stamp_us FROM messages WHERE account_id = ? AND stamp_us > ? ORDER BY stamp_us LIMIT ?)`,
    accountId,
    afterUs,
    scan,
  );
  const scannedToUs = stretch?.to ?? afterUs;
  const hasMore = stretch?.changes === scan;
  if (scannedToUs === afterUs) return { messages: [], scannedToUs, hasMore };
  const messages = read.all<FinalMessage>(
    `SELECT ${MESSAGE_COLUMNS} FROM messages m JOIN batches b ON b.id = m.batch_id
     WHERE m.account_id = ? AND m.stamp_us > ? AND m.stamp_us <= ? AND m.is_final = 1 ORDER BY m.stamp_us`,
    accountId,
    afterUs,
    scannedToUs,
  );
  return { messages, scannedToUs, hasMore };
}

/** The account's highest feed stamp, 0 before its first: the end of a cursor. */
export function lastStampUs(read: Reader, accountId: number): number {
  return (
    read.get<{ last: number }>("SELECT last_us AS last FROM feed_clocks WHERE account_id = ?", accountId)
      ?.last ?? 0
  );
}

/** How many final messages stand above `afterUs`, counted up to `most`. */
export function countFinals(read: Reader, accountId: number, afterUs: number, most: number): number {
  return (
    read.get<{ n: number }>(
      `SELECT count(*) AS n FROM
         (SELECT 1 FROM messages WHERE account_id = ? AND stamp_us > ? AND is_final = 1 LIMIT ?)`,
      accountId,
      afterUs,
      most,
    )?.n ?? 0
  );
}
