/**
 * Final messages in the order in which they became so. A message becomes final once, and nothing moves its feed stamp
 * afterwards (`decide.ts`), so each stands exactly once in this order, at a place that no later commit can precede.
 */
import type { Reader } from "../../db/read.ts";
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

/** How much of a feed is looked at in one go: changes, and final messages among them. */
export type FeedStep = { readonly changes: number; readonly finals: number };

/**
 * The next final messages of an account's feed above `afterUs`, as far as one step reaches. Messages on their way are
 * passed over: they get a higher stamp when they become final.
 */
export function finalsAfter(read: Reader, accountId: number, afterUs: number, step: FeedStep): FinalsPage {
  const stretch = read.get<{ to: number | null; changes: number }>(
    `SELECT max(stamp_us) AS "to", count(*) AS changes FROM
       (SELECT stamp_us FROM messages WHERE account_id = ? AND stamp_us > ? ORDER BY stamp_us LIMIT ?)`,
    accountId,
    afterUs,
    step.changes,
  );
  const toUs = stretch?.to ?? null;
  if (toUs === null) return { messages: [], scannedToUs: afterUs, hasMore: false };
  const messages = read.all<FinalMessage>(
    `SELECT ${MESSAGE_COLUMNS} FROM messages m JOIN batches b ON b.id = m.batch_id
     WHERE m.account_id = ? AND m.stamp_us > ? AND m.stamp_us <= ? AND m.is_final = 1
     ORDER BY m.stamp_us LIMIT ?`,
    accountId,
    afterUs,
    toUs,
    step.finals,
  );
  const last = messages.at(-1);
  return last && messages.length === step.finals
    ? { messages, scannedToUs: last.stamp_us, hasMore: true }
    : { messages, scannedToUs: toUs, hasMore: stretch?.changes === step.changes };
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
