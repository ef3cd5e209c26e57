/**
 * How many receipts of an SMSC account may wait for their message: an operator that sends receipts about nothing would fill the disk
 * (docs/behaviour.md#parked-receipts).
 *
 * What is remembered of an account is never less than it has. It rises with each receipt that is parked, and is counted anew
 * when it is half of the way to the cap, so that an operator whose receipts are always early and soon matched never comes near it.
 */
import type { Clock } from "../../core/clock.ts";
import { slicer } from "../../core/slices.ts";
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";

export type UnmatchedCap = {
  /** Takes the place of one more in the transaction that parks it; false where there is none. */
  readonly take: (tx: Tx, account: string) => boolean;
  /** The counting that is due for an account, which is to be begun when nothing is being written; null for none. */
  readonly counting: (account: string) => Promise<void> | null;
};

type Known = {
  /** At least as many as are parked. */
  most: number;
  /** From so many on it is counted anew. */
  countFrom: number;
  /** Parked since the counting began that is under way; null while none is. */
  since: number | null;
  countedAtMs: number;
};

/** What is at the cap is not counted again and again. */
const COUNT_EVERY_MS = 60_000;

/** Caps the parked receipts of each account at `cap`, as it is at the moment. */
export function unmatchedCap(
  { read, clock }: { readonly read: Reader; readonly clock: Clock },
  cap: () => number,
): UnmatchedCap {
  const accounts = new Map<string, Known>();
  const halfway = (count: number): number => count + Math.max(1, (cap() - count) / 2);
  const knownOf = (account: string): Known => {
    const known = accounts.get(account) ?? {
      most: parkedAtMost(read),
      countFrom: halfway(0),
      since: null,
      countedAtMs: Number.NEGATIVE_INFINITY,
    };
    accounts.set(account, known);
    return known;
  };
  const count = async (account: string, known: Known): Promise<void> => {
    try {
      const counted = await countOf(read, clock, account);
      known.most = counted + (known.since ?? 0);
      known.countFrom = halfway(counted);
    } finally {
      known.since = null;
      known.countedAtMs = clock.steadyMs();
    }
  };
  return {
    take: (tx, account) => {
      const known = knownOf(account);
      if (known.most >= cap()) return false;
      known.most += 1;
      if (known.since !== null) known.since += 1;
      tx.whenUndone(() => {
        known.most -= 1;
      });
      return true;
    },
    counting: (account) => {
      const known = knownOf(account);
      const isDue = known.most >= Math.min(known.countFrom, cap());
      if (!isDue || known.since !== null || clock.steadyMs() - known.countedAtMs < COUNT_EVERY_MS)
        return null;
      known.since = 0;
      return count(account, known);
    },
  };
}

/** How many receipts of all accounts can be parked at most: their numbers rise one by one, and each is given once. */
function parkedAtMost(read: Reader): number {
  const ends = read.get<{ first: number | null; last: number | null }>(
    "SELECT (SELECT min(id) FROM parked_receipts) AS first, (SELECT max(id) FROM parked_receipts) AS last",
  );
  return (ends?.last ?? 0) - (ends?.first ?? 1) + 1;
}

/** Parked receipts looked at in one go. */
const STEP = 2000;

/** How many receipts of an account are parked, counted in steps; those of before accounts were noted are nobody's. */
async function countOf(read: Reader, clock: Clock, account: string): Promise<number> {
  const pause = slicer(clock);
  let count = 0;
  for (let after = 0; ; ) {
    const page = read.get<{ last: number | null; n: number; found: number }>(
      `SELECT max(id) AS last, count(*) AS n, count(*) FILTER (WHERE account = $account) AS found
       FROM (SELECT id, account FROM parked_receipts WHERE id > $after ORDER BY id LIMIT ${STEP})`,
      { after, account },
    );
    count += page?.found ?? 0;
    if (page === null || page.last === null || page.n < STEP) return count;
    after = page.last;
    await pause();
  }
}
