/**
 * The proof of the books (docs/behaviour.md#proof-of-the-books), the ledger's half: recounts every entry by account, compares the sums
 * with the checkpoints, and stores the result of the nightly check (`BooksCheck`), from which health and alerts judge (`CheckStanding`).
 * Batches are recounted in messages/batch-totals.ts; admin/reports/ledger-verification.ts compares both with the wallets. It corrects
 * nothing.
 */
import type { Xof } from "../../core/money.ts";
import type { InSnapshot } from "../../db/connections.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { FUNDS_CHANGE, RESERVED_CHANGE } from "./checkpoints.ts";

/** What one check of the books read, and how much of it differed. */
export type BooksCheck = {
  readonly checkedAtMs: number;
  readonly entries: number;
  readonly batches: number;
  readonly messages: number;
  readonly differences: number;
  /** The first of them, as `written` keeps a phrase; empty when there are none. */
  readonly detail: string;
  /** Why it was broken off, and then the figures say nothing; null where it was completed. */
  readonly failure: string | null;
};

/** Stores the result of a check, or that it failed. */
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

/** The verdict on the last check: the last three are alerts. */
export type CheckStanding = "not checked yet" | "agrees" | "differs" | "failed" | "overdue";

/**
 * A check is due every night: 24 hours after the one before, 25 where the clocks go back that night, and it takes its time.
 * One older than this was missed.
 */
const OLDEST_MS = 26 * 3_600_000;

/** A start after days of standing still makes up for the missed night within minutes, and raises no alert while it does. */
export const TO_MAKE_UP_MS = 3_600_000;

/** How the books stand by their last check, for an appliance that started at `startedMs`. Pure. */
export function deriveCheckStanding(
  check: BooksCheck | null,
  startedMs: number,
  nowMs: number,
): CheckStanding {
  if (check && check.failure === null && check.differences > 0) return "differs";
  if (check && check.failure !== null) return "failed";
  const isOld = nowMs - (check?.checkedAtMs ?? startedMs) > OLDEST_MS;
  if (isOld && nowMs - startedMs > TO_MAKE_UP_MS) return "overdue";
  return check ? "agrees" : "not checked yet";
}

/** The sums of the entries of an account. */
type LedgerSums = {
  funds: Xof;
  reserved: Xof;
  /** By what they say they did to batches. */
  reserve: Xof;
  charge: Xof;
  release: Xof;
};

export type LedgerRecount = {
  readonly entries: number;
  /** By account. */
  readonly sums: ReadonlyMap<number, LedgerSums>;
  /** Checkpoints that disagree with their entries, and entries whose books or cause are not their kind's. */
  readonly differences: readonly Phrase[];
};

/** Entries added up by one statement. */
const STRIDE = 20_000;

/** Whether an entry moves money between other books than its kind does (db/schema.sql says what each book holds). */
const IS_MISPLACED = `CASE kind
  WHEN 'TOPUP' THEN debit <> 'CASH' OR credit <> 'FUNDS'
  WHEN 'ADJUSTMENT' THEN min(debit, credit) <> 'CASH' OR max(debit, credit) <> 'FUNDS'
  WHEN 'RESERVE' THEN debit <> 'FUNDS' OR credit <> 'RESERVED'
  WHEN 'CHARGE' THEN debit <> 'RESERVED' OR credit <> 'EARNED'
  ELSE debit <> 'RESERVED' OR credit <> 'FUNDS' END`;

/** Whether the cause of an entry is of a form that belongs to another kind (docs/behaviour.md#causes). */
const IS_MISNAMED = `cause NOT GLOB CASE kind
  WHEN 'TOPUP' THEN 'topup:*'
  WHEN 'ADJUSTMENT' THEN 'adjustment:*'
  WHEN 'RESERVE' THEN 'batch:*:reserve'
  WHEN 'CHARGE' THEN 'batch:*:charge:*'
  ELSE 'batch:*:release:*' END`;

/** The first checkpoint that counts the entry `l` in, by its entry; NULL after the last. */
const COUNTED_BY = `(SELECT c.entry_id FROM ledger_checkpoints c
  WHERE c.account_id = l.account_id AND (c.created_at, c.entry_id) >= (l.created_at, l.id)
  ORDER BY c.created_at, c.entry_id LIMIT 1)`;

type Counted = LedgerSums & { entries: number };
type SumRow = Counted & { accountId: number; countedBy: number | null; misplaced: number; misnamed: number };
type Checkpoint = { accountId: number; entryId: number; entries: number; funds: number; reserved: number };

/**
 * Adds up every entry of the ledger but those of sandboxes, and compares each checkpoint with the entries before it in the order of
 * statements. Reads all of it, about a second or two for a million entries, in many short moments: entries are never changed and never
 * removed, so what was added up once stays right. The function that it returns adds those that came meanwhile, and so gives the ledger as
 * it stands at the moment of its reader. Checkpoints that came meanwhile are left to the next recount.
 */
export function recountLedger(inSnapshot: InSnapshot): (read: Reader) => LedgerRecount {
  const sums = new Map<number, Counted>();
  const pieces = new Map<string, Counted>();
  const differences: Phrase[] = [];
  let entries = 0;
  let counted = 0;
  const count = (read: Reader, next: number): void => {
    let misplaced = 0;
    let misnamed = 0;
    for (const row of entrySums(read, counted, next)) {
      entries += row.entries;
      misplaced += row.misplaced;
      misnamed += row.misnamed;
      addTo(sums, row.accountId, row);
      if (row.countedBy !== null) addTo(pieces, pieceKey(row.accountId, row.countedBy), row);
    }
    const where = { first: counted + 1, last: next };
    if (misplaced > 0) differences.push(phrase("fault.books.misplaced", { ...where, entries: misplaced }));
    if (misnamed > 0) differences.push(phrase("fault.books.misnamed", { ...where, entries: misnamed }));
    counted = next;
  };
  const countAll = (last: number, inMoment: InSnapshot): void => {
    while (counted < last) inMoment((read) => count(read, Math.min(last, counted + STRIDE)));
  };

  const begun = inSnapshot((read) => ({ last: lastEntry(read), checkpoints: allCheckpoints(read) }));
  countAll(begun.last, inSnapshot);
  return (read) => {
    countAll(lastEntry(read), (work) => work(read));
    const wrong = checkpointDifferences(begun.checkpoints, pieces);
    return { entries, sums, differences: [...differences, ...wrong] };
  };
}

function lastEntry(read: Reader): number {
  return read.get<{ id: number | null }>("SELECT max(id) AS id FROM ledger")?.id ?? 0;
}

function allCheckpoints(read: Reader): Checkpoint[] {
  return read.all<Checkpoint>(
    `SELECT account_id AS accountId, entry_id AS entryId, entries, funds, reserved FROM ledger_checkpoints
     ORDER BY account_id, created_at, entry_id`,
  );
}

function pieceKey(accountId: number, entryId: number): string {
  return `${accountId}:${entryId}`;
}

/** What each checkpoint differs in from the pieces of the ledger up to it. */
function checkpointDifferences(
  checkpoints: readonly Checkpoint[],
  pieces: ReadonlyMap<string, Counted>,
): Phrase[] {
  const standing = new Map<number, Counted>();
  const differences: Phrase[] = [];
  for (const checkpoint of checkpoints) {
    const { accountId, entryId } = checkpoint;
    addTo(standing, accountId, pieces.get(pieceKey(accountId, entryId)) ?? NOTHING);
    for (const what of ["entries", "funds", "reserved"] as const) {
      const recounted = standing.get(accountId)?.[what] ?? 0;
      if (checkpoint[what] !== recounted) {
        differences.push(
          phrase("fault.books.checkpoint", {
            entry: entryId,
            what: phrase(`fault.books.what.${what}`),
            shown: checkpoint[what],
            recounted,
          }),
        );
      }
    }
  }
  return differences;
}

function entrySums(read: Reader, afterId: number, toId: number): SumRow[] {
  return read.all<SumRow>(
    `SELECT account_id AS accountId, ${COUNTED_BY} AS countedBy, count(*) AS entries,
       sum(${FUNDS_CHANGE}) AS funds, sum(${RESERVED_CHANGE}) AS reserved,
       sum(amount * (kind = 'RESERVE')) AS reserve, sum(amount * (kind = 'CHARGE')) AS charge,
       sum(amount * (kind = 'RELEASE')) AS release, sum(${IS_MISPLACED}) AS misplaced, sum(${IS_MISNAMED}) AS misnamed
     FROM ledger l WHERE id > ? AND id <= ? AND account_id > 0 GROUP BY account_id, countedBy`,
    afterId,
    toId,
  );
}

const NOTHING: Counted = { entries: 0, funds: 0, reserved: 0, reserve: 0, charge: 0, release: 0 };

function addTo<Key>(sums: Map<Key, Counted>, key: Key, more: Counted): void {
  const known = sums.get(key) ?? NOTHING;
  sums.set(key, {
    entries: known.entries + more.entries,
    funds: known.funds + more.funds,
    reserved: known.reserved + more.reserved,
    reserve: known.reserve + more.reserve,
    charge: known.charge + more.charge,
    release: known.release + more.release,
  });
}

/** The live figures of every wallet, by account. */
export function walletFigures(
  read: Reader,
): readonly { readonly accountId: number; readonly funds: Xof; readonly reserved: Xof }[] {
  return read.all("SELECT account_id AS accountId, funds, reserved FROM wallets ORDER BY account_id");
}

/** The entries whose cause names the batch `b` and that bear its id, in SQL: `;` follows `:`. The `+` leaves the index to the cause. */
const ENTRIES_OF_BATCH = `ledger l WHERE l.cause > 'batch:' || b.ulid || ':' AND l.cause < 'batch:' || b.ulid || ';'
  AND l.batch_id = b.id AND +l.account_id = b.account_id`;

/**
 * What the ledger holds for the batch `b` of a surrounding statement: reserved, charged and released, as a row value
 * to compare with.
 */
export const ENTERED_FOR_BATCH = `SELECT coalesce(sum(l.amount * (l.kind = 'RESERVE')), 0),
  coalesce(sum(l.amount * (l.kind = 'CHARGE')), 0), coalesce(sum(l.amount * (l.kind = 'RELEASE')), 0)
  FROM ${ENTRIES_OF_BATCH}`;

/** The same for one batch. */
export function enteredForBatch(
  read: Reader,
  batch: { readonly id: number; readonly ulid: string; readonly accountId: number },
): { readonly reserved: Xof; readonly charged: Xof; readonly released: Xof } {
  const row = read.get<{ reserved: number; charged: number; released: number }>(
    `SELECT coalesce(sum(l.amount * (l.kind = 'RESERVE')), 0) AS reserved,
       coalesce(sum(l.amount * (l.kind = 'CHARGE')), 0) AS charged,
       coalesce(sum(l.amount * (l.kind = 'RELEASE')), 0) AS released
     FROM (SELECT $id AS id, $ulid AS ulid, $accountId AS account_id) b CROSS JOIN ${ENTRIES_OF_BATCH}`,
    { id: batch.id, ulid: batch.ulid, accountId: batch.accountId },
  );
  return row ?? { reserved: 0, charged: 0, released: 0 };
}
