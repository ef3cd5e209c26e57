/**
 * Checkpoints of the ledger: the running balances of an account (funds, reserved) after every 10,000 entries, in rows of their own. A
 * balance at some instant is then a checkpoint and the few entries after it (`standingBefore`), and the proof of the books need not add
 * up from the start (docs/behaviour.md#proof-of-the-books). A checkpoint repeats what entries say: it moves no money. Entries of a
 * sandbox, which nobody is billed for, are compacted here too.
 */
import { assert } from "../../core/assert.ts";
import type { Xof } from "../../core/money.ts";
import type { Reader } from "../../db/reader.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import { post } from "./wallet.ts";

/** What entries do to the two books that are the account's own, in SQL. */
export const FUNDS_CHANGE = "amount * ((credit = 'FUNDS') - (debit = 'FUNDS'))";
export const RESERVED_CHANGE = "amount * ((credit = 'RESERVED') - (debit = 'RESERVED'))";

/** Entries of an account from one checkpoint to the next. */
const ENTRIES_APART = 10_000;

/** Entries added up in one go. */
const PIECE = 250;

/**
 * How old an entry is before it is counted into a checkpoint: one dated before a checkpoint takes it away (a trigger of the
 * schema does), and a clock that steps by less costs none.
 */
export const CHECKPOINT_AGE_MS = 3_600_000;

/** What the entries of an account come to at some point of its ledger. */
type LedgerStanding = {
  /** Where in the order of (time, id) it is counted to: the last entry that is counted in; 0 before the first. */
  readonly entryId: number;
  readonly atMs: number;
  readonly entries: number;
  readonly funds: Xof;
  readonly reserved: Xof;
};

const NOTHING: LedgerStanding = { entryId: 0, atMs: 0, entries: 0, funds: 0, reserved: 0 };

/**
 * What the entries of an account made before `beforeMs` come to: the last checkpoint before it, and what followed, which
 * is added up in pieces, between which `pause` lets others have their turn.
 */
export async function standingBefore(
  read: Reader,
  accountId: number,
  beforeMs: number,
  pause: () => Promise<void> | undefined,
): Promise<LedgerStanding> {
  let standing =
    read.get<LedgerStanding>(
      `SELECT entry_id AS entryId, created_at AS atMs, entries, funds, reserved FROM ledger_checkpoints
       WHERE account_id = ? AND created_at < ? ORDER BY created_at DESC, entry_id DESC LIMIT 1`,
      accountId,
      beforeMs,
    ) ?? NOTHING;
  const end = { atMs: beforeMs - 1, entryId: Number.MAX_SAFE_INTEGER };
  for (;;) {
    const to = placeAfter(read, accountId, standing, PIECE);
    if (!to || to.atMs >= beforeMs) return sum(standing, pieceOf(read, accountId, standing, end));
    standing = sum(standing, pieceOf(read, accountId, standing, to));
    await pause();
  }
}

type Place = Pick<LedgerStanding, "entryId" | "atMs">;

/**
 * Makes the next checkpoint of an account, if it has enough entries after its last one that were made before `beforeMs`;
 * false otherwise, and that answer costs next to nothing. Entries never change, so the writer need not be held while they
 * are added up: that is done in pieces, between which `pause` lets others have their turn. It comes to nothing where an
 * entry that belongs before it came in meanwhile.
 */
export async function makeCheckpoint(
  { read, write }: Pick<Store, "read" | "write">,
  accountId: number,
  beforeMs: number,
  pause: () => Promise<void> | undefined,
): Promise<boolean> {
  const seenId = read.get<{ id: number | null }>("SELECT max(id) AS id FROM ledger")?.id ?? 0;
  let standing =
    read.get<LedgerStanding>(
      `SELECT entry_id AS entryId, created_at AS atMs, entries, funds, reserved FROM ledger_checkpoints
       WHERE account_id = ? ORDER BY created_at DESC, entry_id DESC LIMIT 1`,
      accountId,
    ) ?? NOTHING;
  const end = placeAfter(read, accountId, standing, ENTRIES_APART);
  if (!end || end.atMs >= beforeMs) return false;
  for (let added = 0; added < ENTRIES_APART; added += PIECE) {
    const to = placeAfter(read, accountId, standing, PIECE);
    assert(to, `account ${accountId} has ${ENTRIES_APART} entries more`);
    standing = sum(standing, pieceOf(read, accountId, standing, to));
    await pause();
  }
  return write((tx) => saveCheckpoint(tx, accountId, standing, seenId));
}

/** Keeps a checkpoint, unless an entry after `seenId` belongs before it; whether it did. */
function saveCheckpoint(tx: Tx, accountId: number, standing: LedgerStanding, seenId: number): boolean {
  const isOvertaken =
    tx.get(
      "SELECT 1 FROM ledger WHERE id > ? AND account_id = ? AND (created_at, id) <= (?, ?) LIMIT 1",
      seenId,
      accountId,
      standing.atMs,
      standing.entryId,
    ) !== null;
  if (isOvertaken) return false;
  tx.run(
    `INSERT INTO ledger_checkpoints (account_id, entry_id, created_at, entries, funds, reserved)
     VALUES ($accountId, $entryId, $atMs, $entries, $funds, $reserved)`,
    { ...standing, accountId },
  );
  return true;
}

/** Where the account's `count`th entry after a place stands, read from the index alone; null if it has fewer. */
function placeAfter(read: Reader, accountId: number, from: Place, count: number): Place | null {
  return read.get<Place>(
    `SELECT id AS entryId, created_at AS atMs FROM ledger
     WHERE account_id = ? AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT 1 OFFSET ?`,
    accountId,
    from.atMs,
    from.entryId,
    count - 1,
  );
}

type Piece = Pick<LedgerStanding, "entries" | "funds" | "reserved"> & { readonly to: Place };

/** What the account's entries after one place, up to and with another, come to. */
function pieceOf(read: Reader, accountId: number, from: Place, to: Place): Piece {
  const piece = read.get<Omit<Piece, "to">>(
    `SELECT count(*) AS entries, coalesce(sum(${FUNDS_CHANGE}), 0) AS funds, coalesce(sum(${RESERVED_CHANGE}), 0) AS reserved
     FROM ledger WHERE account_id = ? AND (created_at, id) > (?, ?) AND (created_at, id) <= (?, ?)`,
    accountId,
    from.atMs,
    from.entryId,
    to.atMs,
    to.entryId,
  );
  assert(piece, "sums have a row");
  return { ...piece, to };
}

function sum(before: LedgerStanding, since: Piece): LedgerStanding {
  return {
    ...since.to,
    entries: before.entries + since.entries,
    funds: before.funds + since.funds,
    reserved: before.reserved + since.reserved,
  };
}

/** Entries of an account after which it is looked at again; a checkpoint is due after four times as many. */
const ENTRIES_BETWEEN_LOOKS = 2500;

/** Entries looked at in one go. */
const ENTRIES_A_LOOK = 1000;

/**
 * Finds accounts of which a checkpoint of the ledger may be due: each with its first entry since the start, and then once in so many. Every
 * entry is read once, so that accounts that do nothing cost nothing, however many there are.
 */
export function checkpointWatch(read: Reader): (pause: () => Promise<void> | undefined) => Promise<number[]> {
  let seenId = read.get<{ id: number | null }>("SELECT max(id) AS id FROM ledger")?.id ?? 0;
  const untilLook = new Map<number, number>();
  return async (pause) => {
    const due = new Set<number>();
    for (;;) {
      const entries = read.all<{ id: number; accountId: number }>(
        "SELECT id, account_id AS accountId FROM ledger WHERE id > ? AND account_id > 0 ORDER BY id LIMIT ?",
        seenId,
        ENTRIES_A_LOOK,
      );
      for (const { id, accountId } of entries) {
        seenId = id;
        const left = (untilLook.get(accountId) ?? 1) - 1;
        if (left === 0) due.add(accountId);
        untilLook.set(accountId, left === 0 ? ENTRIES_BETWEEN_LOOKS : left);
      }
      if (entries.length < ENTRIES_A_LOOK) return [...due];
      await pause();
    }
  };
}

type Forgotten = { readonly id: number; readonly atMs: number; readonly change: number };

/**
 * Takes up to `limit` of the oldest entries of a sandbox away that were made before an instant; how many went. One entry stands for
 * what they came to, so that balances stay what they were.
 */
export function compactSandboxEntries(
  tx: Tx,
  { accountId, beforeMs, id }: { readonly accountId: number; readonly beforeMs: number; readonly id: string },
  limit: number,
): number {
  const old = tx.all<Forgotten>(
    `SELECT id, created_at AS atMs, ${FUNDS_CHANGE} + ${RESERVED_CHANGE} AS change FROM ledger
     WHERE account_id = ? AND account_id < 0 AND id < (SELECT max(id) FROM ledger) AND created_at < ? ORDER BY created_at, id LIMIT ?`,
    accountId,
    beforeMs,
    limit,
  );
  const last = old.at(-1);
  // One that stands for others alone stays as it is.
  if (!last || old.length === 1) return 0;
  for (const entry of old) tx.run("DELETE FROM ledger WHERE id = ?", entry.id);
  const change = old.reduce((sum, entry) => sum + entry.change, 0);
  const gives = change > 0;
  if (change !== 0)
    post(tx, {
      accountId,
      kind: "ADJUSTMENT",
      amount: Math.abs(change),
      cause: `adjustment:${id}`,
      batchId: null,
      debit: gives ? "CASH" : "FUNDS",
      credit: gives ? "FUNDS" : "CASH",
      note: "carried over",
      atMs: last.atMs,
    });
  return old.length;
}
