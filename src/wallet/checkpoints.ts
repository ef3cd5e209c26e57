import type { Xof } from "../base/money.ts";
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";

/** What entries do to the two books that are the account's own, in SQL. */
export const FUNDS_CHANGE = "amount * ((credit = 'FUNDS') - (debit = 'FUNDS'))";
export const RESERVED_CHANGE = "amount * ((credit = 'RESERVED') - (debit = 'RESERVED'))";

/** Entries of an account from one checkpoint to the next. */
const ENTRIES_APART = 10_000;

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

/** What the entries of an account made before `beforeMs` come to: the last checkpoint before it, and what followed. */
export function standingBefore(read: Reader, accountId: number, beforeMs: number): Standing {
  const from =
    read.get<Standing>(
      `SELECT entry_id AS entryId, created_at AS atMs, entries, funds, reserved FROM ledger_checkpoints
       WHERE account_id = ? AND created_at < ? ORDER BY created_at DESC, entry_id DESC LIMIT 1`,
      accountId,
      beforeMs,
    ) ?? NOTHING;
  const since = read.get<Standing>(
    `SELECT coalesce(max(id), 0) AS entryId, coalesce(max(created_at), 0) AS atMs, count(*) AS entries,
       coalesce(sum(${FUNDS_CHANGE}), 0) AS funds, coalesce(sum(${RESERVED_CHANGE}), 0) AS reserved
     FROM ledger WHERE account_id = ? AND created_at >= ? AND created_at < ? AND id > ?`,
    accountId,
    from.atMs,
    beforeMs,
    from.entryId,
  );
  return since ? sum(from, since) : from;
}

/**
 * Makes the next checkpoint of an account, if it has enough entries after its last one; whether there may be another.
 */
export function makeCheckpoint(tx: Tx, accountId: number): boolean {
  const from =
    tx.get<Standing>(
      `SELECT entry_id AS entryId, created_at AS atMs, entries, funds, reserved FROM ledger_checkpoints
       WHERE account_id = ? ORDER BY entry_id DESC LIMIT 1`,
      accountId,
    ) ?? NOTHING;
  const since = tx.get<Standing>(
    `SELECT max(id) AS entryId, max(created_at) AS atMs, count(*) AS entries,
       sum(${FUNDS_CHANGE}) AS funds, sum(${RESERVED_CHANGE}) AS reserved
     FROM (SELECT * FROM ledger WHERE account_id = ? AND created_at >= ? AND id > ?
           ORDER BY created_at, id LIMIT ?)`,
    accountId,
    from.atMs,
    from.entryId,
    ENTRIES_APART,
  );
  if (!since || since.entries < ENTRIES_APART) return false;
  const next = sum(from, since);
  tx.run(
    `INSERT INTO ledger_checkpoints (account_id, entry_id, created_at, entries, funds, reserved)
     VALUES (?, ?, ?, ?, ?, ?)`,
    accountId,
    next.entryId,
    next.atMs,
    next.entries,
    next.funds,
    next.reserved,
  );
  return true;
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
