/**
 * How an SMSC account sends its receipts: marked as no subscriber can (esm_class, optional parameters), or
 * as plain texts. A text that only looks like a receipt moves money, so an account must have shown that it sends them
 * so (docs/behaviour.md#marked-receipts): by 20 texts about 20 messages to as many numbers, before any came marked.
 * However many ids one subscriber guesses, it is still only one number.
 */
import { type Config, type ConnectionConfig, smscAccount } from "../../config/config.ts";
import type { Clock } from "../../core/clock.ts";
import { createYielder } from "../../core/concurrency.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { readRecipient } from "../../domain/messages/segments.ts";
import { readLastUnmatchedId, type UnmatchedWatermark } from "./unmatched-receipts.ts";

/** Which receipts of an account count: only marked ones, unmarked ones too, or it is not known yet. */
type CountedReceipts = "marked_only" | "all" | "unknown";

export type UnmarkedSetting = ConnectionConfig["unmarked_receipts"];

/** What receipts of an account have shown so far; null: nothing yet. */
export type Seen = "marked" | "unmarked" | null;

/** Which receipts of an account count, by its setting and by what was seen of it. Pure. */
export function deriveCountedReceipts(setting: UnmarkedSetting, seen: Seen): CountedReceipts {
  switch (setting) {
    case "always":
      return "all";
    case "never":
      return "marked_only";
    case "auto":
      if (seen === null) return "unknown";
      return seen === "marked" ? "marked_only" : "all";
  }
}

type Row = { readonly setting: UnmarkedSetting; readonly seen: Seen };

/** Which receipts of an account count; unknown where the receipt came before its account was noted. */
export function readCountedReceipts(read: Reader, account: string | null): CountedReceipts {
  if (account === null) return "unknown";
  const row = read.get<Row>(
    "SELECT unmarked_receipts AS setting, seen FROM smsc_accounts WHERE account = ?",
    account,
  );
  return row ? deriveCountedReceipts(row.setting, row.seen) : "unknown";
}

/** What has been seen of every account, for a process to remember. */
export function readAllSeen(read: Reader): Map<string, Seen> {
  const rows = read.all<{ account: string; seen: Seen }>("SELECT account, seen FROM smsc_accounts");
  return new Map(rows.map(({ account, seen }) => [account, seen]));
}

/** Notes that an account sends marked receipts: from now on only those count. Returns what had been seen before. */
export function noteMarked(tx: Tx, account: string, nowMs: number): Seen {
  const before =
    tx.get<{ seen: Seen }>("SELECT seen FROM smsc_accounts WHERE account = ?", account)?.seen ?? null;
  if (before !== "marked") decide(tx, account, "marked", nowMs);
  return before;
}

/** This many messages, each to another number, prove it. */
export const EVIDENCE_NEEDED = 20;

/** Counts an unmarked text that named a message by id and number. True when the account is now known to send receipts so. */
export function countUnmarked(tx: Tx, account: string, messageId: number, nowMs: number): boolean {
  const spoken = tx.all<{ id: number }>(
    "SELECT message_id AS id FROM receipt_detection WHERE account = ?",
    account,
  );
  const msisdn = readRecipient(tx, messageId);
  if (!spoken.some(({ id }) => readRecipient(tx, id) === msisdn))
    tx.run("INSERT INTO receipt_detection (account, message_id) VALUES (?, ?)", account, messageId);
  if (countEvidence(tx, account) < EVIDENCE_NEEDED) return false;
  decide(tx, account, "unmarked", nowMs);
  return true;
}

/** How many numbers have given evidence for an account's texts so far. */
export function countEvidence(read: Reader, account: string): number {
  return (
    read.get<{ n: number }>("SELECT count(*) AS n FROM receipt_detection WHERE account = ?", account)?.n ?? 0
  );
}

function decide(tx: Tx, account: string, seen: "marked" | "unmarked", nowMs: number): void {
  tx.run(
    `INSERT INTO smsc_accounts (account, seen, seen_at, is_swept) VALUES (?1, ?2, ?3, 0)
     ON CONFLICT (account) DO UPDATE SET seen = ?2, seen_at = ?3, is_swept = 0`,
    account,
    seen,
    nowMs,
  );
  tx.run("DELETE FROM receipt_detection WHERE account = ?", account);
}

/** The setting of every account of the configuration; the connections of an account have the same one. */
export function unmarkedSettings({
  operators,
}: Pick<Config, "operators">): ReadonlyMap<string, UnmarkedSetting> {
  return new Map(
    Object.values(operators).flatMap(({ connections }) =>
      connections.map((connection) => [smscAccount(connection), connection.unmarked_receipts]),
    ),
  );
}

/** Writes down each account's setting, so that its unmatched receipts are settled by it. */
export function rememberSettings(tx: Tx, settings: ReadonlyMap<string, UnmarkedSetting>): void {
  for (const [account, setting] of settings) {
    tx.run(
      `INSERT INTO smsc_accounts (account, unmarked_receipts) VALUES (?1, ?2)
       ON CONFLICT (account) DO UPDATE SET unmarked_receipts = ?2, is_swept = 0 WHERE unmarked_receipts <> ?2`,
      account,
      setting,
    );
  }
}

/** An account whose unmatched texts are to be settled again; null when there is none. */
export function accountToSweep(read: Reader): string | null {
  return (
    read.get<{ account: string }>(
      "SELECT account FROM smsc_accounts WHERE is_swept = 0 ORDER BY account LIMIT 1",
    )?.account ?? null
  );
}

export function noteAccountSwept(tx: Tx, account: string): void {
  tx.run("UPDATE smsc_accounts SET is_swept = 1 WHERE account = ?", account);
}

/** What a process caches of receipts, so that no receipt and no submit has to look it up. All of it is in the database. */
export type ReceiptCache = {
  readonly unmatched: UnmatchedWatermark;
  /** By SMSC account; changed once that is durable. */
  readonly seen: Map<string, Seen>;
  readonly cap: UnmatchedCap;
};

/** `cap`: how many receipts of an account may be unmatched. */
export function receiptCache(read: Reader, clock: Clock, cap: () => number): ReceiptCache {
  return {
    unmatched: { last: readLastUnmatchedId(read) },
    seen: readAllSeen(read),
    cap: unmatchedCap({ read, clock }, cap),
  };
}

// Caps how many receipts of an SMSC account may wait for their message: an operator that sends receipts about nothing would fill the disk
// (docs/behaviour.md#parked-receipts).
//
// The count in memory is never less than the account has. It rises with each receipt that is stored, and is counted anew
// when it is half of the way to the cap, so that an operator whose receipts are always early and soon matched never comes near it.

type UnmatchedCap = {
  /** Reserves the place of one more in the transaction that stores it; false where there is none. */
  readonly take: (tx: Tx, account: string) => boolean;
  /** The count that is due for an account, to be started while nothing is being written; null for none. */
  readonly counting: (account: string) => Promise<void> | null;
};

type Known = {
  /** At least as many as are unmatched. */
  most: number;
  /** From this many on it is counted anew. */
  countFrom: number;
  /** Stored since the current count began; null while none is running. */
  since: number | null;
  countedAtMs: number;
};

/** An account at the cap is not counted more often than this. */
const COUNT_EVERY_MS = 60_000;

/** Caps the unmatched receipts of each account at `cap`, as it is at the moment. */
function unmatchedCap(
  { read, clock }: { readonly read: Reader; readonly clock: Clock },
  cap: () => number,
): UnmatchedCap {
  const accounts = new Map<string, Known>();
  const halfway = (count: number): number => count + Math.max(1, (cap() - count) / 2);
  const knownOf = (account: string): Known => {
    const known = accounts.get(account) ?? {
      most: maxUnmatched(read),
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
      tx.onRollback(() => {
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

/** How many receipts of all accounts can be unmatched at most: their row numbers rise one by one, and each is given once. */
function maxUnmatched(read: Reader): number {
  const ends = read.get<{ first: number | null; last: number | null }>(
    "SELECT (SELECT min(id) FROM unmatched_receipts) AS first, (SELECT max(id) FROM unmatched_receipts) AS last",
  );
  return (ends?.last ?? 0) - (ends?.first ?? 1) + 1;
}

/** Unmatched receipts read in one step. */
const STEP = 2000;

/** How many receipts of an account are unmatched, counted in steps; those from before accounts were noted count for none. */
async function countOf(read: Reader, clock: Clock, account: string): Promise<number> {
  const pause = createYielder(clock);
  let count = 0;
  for (let after = 0; ; ) {
    const page = read.get<{ last: number | null; n: number; found: number }>(
      `SELECT max(id) AS last, count(*) AS n, count(*) FILTER (WHERE account = $account) AS found
       FROM (SELECT id, account FROM unmatched_receipts WHERE id > $after ORDER BY id LIMIT ${STEP})`,
      { after, account },
    );
    count += page?.found ?? 0;
    if (page === null || page.last === null || page.n < STEP) return count;
    after = page.last;
    await pause();
  }
}
