/**
 * Stamps that order the changes of messages and batches for clients, and the list of changes that clients do not see.
 */
import { readIsoTime, renderIso, threeDigits } from "../../core/calendar.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { lastRestore } from "./restore-holds.ts";

/**
 * Feed stamps are microseconds, unique and rising per account, with at most 90 in a millisecond, so that a client
 * that cuts its cursor to milliseconds still moves forward at the default page of 100 (docs/behaviour.md#the-feed). A
 * burst may run ahead of the clock.
 */
const STAMPS_PER_MS = 90;

/** The first stamp that is above `lastUs`, not before `nowMs`, and in the used part of its millisecond. */
export function nextStampUs(lastUs: number, nowMs: number): number {
  const candidate = Math.max(lastUs + 1, nowMs * 1000);
  return candidate % 1000 < STAMPS_PER_MS ? candidate : candidate - (candidate % 1000) + 1000;
}

/** The stamp of the `rank`-th (from 0) of a run of stamps that begins at `firstUs`, a whole millisecond. */
export function stampInRunUs(firstUs: number, rank: number): number {
  return firstUs + Math.floor(rank / STAMPS_PER_MS) * 1000 + (rank % STAMPS_PER_MS);
}

/** How many stamps of a run that begins at `firstUs` are below `beforeUs`. */
export function stampsBelow(firstUs: number, beforeUs: number): number {
  if (beforeUs <= firstUs) return 0;
  const ms = Math.floor((beforeUs - firstUs) / 1000);
  return ms * STAMPS_PER_MS + Math.min(STAMPS_PER_MS, (beforeUs - firstUs) % 1000);
}

/** Hands out the stamps of one transaction. Whoever takes one writes it, to its message or batch, in the same transaction. */
type StampClock = {
  readonly next: (accountId: number) => number;
  /** Takes a run of `count` stamps; its first, a whole millisecond. */
  readonly run: (accountId: number, count: number) => number;
};

/** The stamps of the transaction `tx`, taken inside it: a later commit can't carry an earlier stamp. */
export function stampClock(tx: Tx, nowMs: number): StampClock {
  const last = new Map<number, number>();
  const lastOf = (accountId: number): number => last.get(accountId) ?? lastStampUs(tx, accountId);
  return {
    next: (accountId) => {
      const stamp = nextStampUs(lastOf(accountId), nowMs);
      last.set(accountId, stamp);
      return stamp;
    },
    run: (accountId, count) => {
      const first = Math.max(nowMs, Math.floor(lastOf(accountId) / 1000) + 1) * 1000;
      last.set(accountId, stampInRunUs(first, Math.max(0, count - 1)));
      return first;
    },
  };
}

/** The end of a run of stamps as `stampInRunUs` has it, in SQL: of the batch with the last one, whose columns stand beside the maximum. */
const LAST_OF_RUN = `max(queued_stamp_us) + (accepted - 1) / ${STAMPS_PER_MS} * 1000 + (accepted - 1) % ${STAMPS_PER_MS}`;

/** The last stamp in SQL that a message of an account was moved at, NULL before the first; `accountId` stands for its row id. */
export function lastMoveSql(accountId: string): string {
  return `(SELECT max(m.stamp_us) FROM messages m WHERE m.account_id = ${accountId} AND m.stamp_us IS NOT NULL)`;
}

/** The highest stamp of an account: the last that a message was moved at, or the end of the last run; 0 before the first. */
export function lastStampUs(read: Reader, accountId: number): number {
  const last = read.get<{ moved: number | null; run: number | null }>(
    `SELECT ${lastMoveSql("?1 + 0")} AS moved,
       (SELECT ${LAST_OF_RUN} FROM batches WHERE account_id = ?1 + 0 AND queued_stamp_us IS NOT NULL) AS run`,
    accountId,
  );
  // What a copy did not know yet was stamped before the restore: what comes after it stands above.
  return Math.max(last?.moved ?? 0, last?.run ?? 0, (lastRestore(read)?.restoredAtMs ?? 0) * 1000);
}

/** A stamp as clients see it: ISO 8601, UTC, always six fraction digits. */
export function stampToIso(stampUs: number): string {
  const ms = Math.floor(stampUs / 1000);
  return `${renderIso(ms).slice(0, -1)}${threeDigits(stampUs - ms * 1000)}Z`;
}

/**
 * Reads an ISO 8601 instant to the microsecond, finer digits cut. Null when it is none. A space stands for the "+" of an
 * offset, which an unescaped query string turns into one.
 */
export function isoToStampUs(text: string): number | null {
  const time = readIsoTime(text.trim().replace(/ (?=\d\d(?::?\d\d)?$)/, "+"));
  return time === null || time.offsetMs === null ? null : (time.wallMs - time.offsetMs) * 1000 + time.micros;
}

// Changes of messages that their clients do not see: a fallback that begins, and a hand-over to another operator. The
// feed does not report them, so whoever keeps what is derived from messages reads them here, by blocks of ids.

/** Messages of a block: those whose id divided by this is the block's number. */
export const MESSAGES_A_BLOCK = 1024;

/** Notes that messages of a block changed. A caller that changes many in one transaction keeps in `noted` which blocks it noted in it. */
export function recordOffFeedChange(tx: Tx, messageId: number, noted: Set<number> = new Set()): void {
  const block = Math.floor(messageId / MESSAGES_A_BLOCK);
  if (noted.has(block)) return;
  noted.add(block);
  tx.onRollback(() => noted.delete(block));
  tx.run("INSERT INTO quiet_moves (block) VALUES (?) ON CONFLICT DO NOTHING", block);
}

/** The blocks that were noted, from the first on. */
export function findOffFeedChanges(read: Reader): number[] {
  return read
    .all<{ block: number }>("SELECT block FROM quiet_moves WHERE block >= 0 ORDER BY block")
    .map(({ block }) => block);
}

/** Takes blocks off the list, in the transaction in which their changes are recorded elsewhere. */
export function deleteOffFeedChanges(tx: Tx, blocks: Iterable<number>): void {
  for (const block of blocks) tx.run("DELETE FROM quiet_moves WHERE block = ?", block);
}
