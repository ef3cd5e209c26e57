import { assert } from "../base/assert.ts";
import type { Xof } from "../base/money.ts";
import type { Reader } from "../store/read.ts";
import type { Store } from "../store/store.ts";

/** What entries do to the two books that are the account's own, in SQL. */
export const FUNDS_CHANGE = "amount * ((credit = 'FUNDS') - (debit = 'FUNDS'))";
export const RESERVED_CHANGE = "amount * ((credit = 'RESERVED') - (debit = 'RESERVED'))";

/** Entries of an account from one checkpoint to the next. */
const ENTRIES_APART = 10_000;

/** Entries added up in one go. */
const PIECE = 250;

/** What the entries of an account come to at some point of its ledger. */
export type Standing = {
  /** The last entry that is counted in; 0 before the first. */
  readonly entryId: number;
  readonly atMs: number;
  readonly entries: number;
  readonly funds: Xof;
  readonly reserved: Xof;
};

const NOTHING: Standing = { entryId: 0, atMs: 0, entries: 0, funds: 0, reserved: 0 };

/**
 * What the entries of an account made before `beforeMs` come to: the last checkpoint before it, and what followed, which
 * is added up in pieces, between which `pause` lets others have their turn.
 */
export async function standingBefore(
  read: Reader,
  accountId: number,
  beforeMs: number,
  pause: () => Promise<void> | undefined,
): Promise<Standing> {
  let standing =
    read.get<Standing>(
      `SELECT entry_id AS entryId, created_at AS atMs, entries, funds, reserved FROM ledger_checkpoints
       WHERE account_id = ? AND created_at < ? ORDER BY created_at DESC, entry_id DESC LIMIT 1`,
      accountId,
      beforeMs,
    ) ?? NOTHING;
  for (;;) {
    const since = read.get<Standing>(
      `SELECT coalesce(max(id), 0) AS entryId, coalesce(max(created_at), 0) AS atMs, count(*) AS entries,
         coalesce(sum(${FUNDS_CHANGE}), 0) AS funds, coalesce(sum(${RESERVED_CHANGE}), 0) AS reserved
       FROM (SELECT id, created_at, amount, debit, credit FROM ledger
         WHERE account_id = ? AND (created_at, id) > (?, ?) AND created_at < ?
         ORDER BY created_at, id LIMIT ?)`,
      accountId,
      standing.atMs,
      standing.entryId,
      beforeMs,
      PIECE,
    );
    if (!since || since.entries === 0) return standing;
    standing = sum(standing, since);
    await pause();
  }
}

type Place = Pick<Standing, "entryId" | "atMs">;

/**
 * Makes the next checkpoint of an account, if it has enough entries after its last one; false otherwise, and that answer
 * costs next to nothing. Entries never change, so the writer need not be held while they are added up: that is done in
 * pieces, between which `pause` lets others have their turn.
 */
export async function makeCheckpoint(
  { read, write }: Pick<Store, "read" | "write">,
  accountId: number,
  pause: () => Promise<void> | undefined,
): Promise<boolean> {
  let standing =
    read.get<Standing>(
      `SELECT entry_id AS entryId, created_at AS atMs, entries, funds, reserved FROM ledger_checkpoints
       WHERE account_id = ? ORDER BY entry_id DESC LIMIT 1`,
      accountId,
    ) ?? NOTHING;
  if (!placeAfter(read, accountId, standing, ENTRIES_APART)) return false;
  for (let added = 0; added < ENTRIES_APART; added += PIECE) {
    const to = placeAfter(read, accountId, standing, PIECE);
    assert(to, `account ${accountId} has ${ENTRIES_APART} entries more`);
    standing = sum(standing, pieceOf(read, accountId, standing, to));
    await pause();
  }
  const { entryId, atMs, entries, funds, reserved } = standing;
  await write((tx) =>
    tx.run(
      `INSERT INTO ledger_checkpoints (account_id, entry_id, created_at, entries, funds, reserved)
       VALUES (?, ?, ?, ?, ?, ?)`,
      accountId,
      entryId,
      atMs,
      entries,
      funds,
      reserved,
    ),
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

/** What the account's entries after one place, up to and with another, come to. */
function pieceOf(read: Reader, accountId: number, from: Place, to: Place): Standing {
  const piece = read.get<Standing>(
    `SELECT max(id) AS entryId, max(created_at) AS atMs, count(*) AS entries,
       sum(${FUNDS_CHANGE}) AS funds, sum(${RESERVED_CHANGE}) AS reserved
     FROM ledger WHERE account_id = ? AND (created_at, id) > (?, ?) AND (created_at, id) <= (?, ?)`,
    accountId,
    from.atMs,
    from.entryId,
    to.atMs,
    to.entryId,
  );
  assert(piece, "sums have a row");
  return piece;
}

function sum(before: Standing, since: Standing): Standing {
  if (since.entries === 0) return before;
  return {
    entryId: since.entryId,
    atMs: since.atMs,
    entries: before.entries + since.entries,
    funds: before.funds + since.funds,
    reserved: before.reserved + since.reserved,
  };
}
