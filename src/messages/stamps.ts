import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";

/**
 * Feed stamps are microseconds, unique and rising per account, with at most 90 in a millisecond, so that a client
 * that cuts its cursor to milliseconds still moves forward at the default page of 100 (decisions.md section 6,
 * The feed). A burst may run ahead of the clock.
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

/** Hands out the stamps of one transaction; `save` keeps the highest, so that they rise for ever. */
export type StampClock = {
  readonly next: (accountId: number) => number;
  /** Takes a run of `count` stamps; its first, a whole millisecond. */
  readonly run: (accountId: number, count: number) => number;
  readonly save: () => void;
};

/** The stamps of the transaction `tx`, taken inside it: a later commit can't carry an earlier stamp. */
export function stampClock(tx: Tx, nowMs: number): StampClock {
  const last = new Map<number, number>();
  const lastOf = (accountId: number): number => last.get(accountId) ?? storedLast(tx, accountId);
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
    save: () => {
      for (const [accountId, stamp] of last) {
        tx.run(
          `INSERT INTO feed_clocks (account_id, last_us) VALUES (?, ?)
           ON CONFLICT (account_id) DO UPDATE SET last_us = excluded.last_us`,
          accountId,
          stamp,
        );
      }
    },
  };
}

function storedLast(read: Reader, accountId: number): number {
  return (
    read.get<{ last_us: number }>("SELECT last_us FROM feed_clocks WHERE account_id = ?", accountId)
      ?.last_us ?? 0
  );
}

/** A stamp as clients see it: ISO 8601, UTC, always six fraction digits. */
export function stampToIso(stampUs: number): string {
  const ms = Math.floor(stampUs / 1000);
  return `${new Date(ms).toISOString().slice(0, -1)}${String(stampUs % 1000).padStart(3, "0")}Z`;
}

const ISO_INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+ -]\d{2}(?::?\d{2})?)$/i;

/**
 * Reads an ISO 8601 instant to the microsecond, finer digits cut. Null when it is none, or a day or hour that
 * does not exist. A space stands for the "+" of an offset, which an unescaped query string turns into one.
 */
export function isoToStampUs(text: string): number | null {
  const found = ISO_INSTANT.exec(text.trim());
  if (!found) return null;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((digits) => Number(digits ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999: a zero time is a long time ago.
  const back = new Date(new Date(0).setUTCFullYear(year, month - 1, day));
  const wallMs = back.getTime() + ((hour * 60 + minute) * 60 + second) * 1000;
  if (back.getUTCMonth() !== month - 1 || back.getUTCDate() !== day) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const micros = Number((found[7] ?? "").padEnd(6, "0").slice(0, 6));
  const offsetMs = offsetToMs(found[8] ?? "Z");
  return offsetMs === null ? null : (wallMs - offsetMs) * 1000 + micros;
}

function offsetToMs(offset: string): number | null {
  if (/^z$/i.test(offset)) return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(":", "") || 0);
  if (hours > 23 || minutes > 59) return null;
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
