/**
 * Ledger entries that put money into a wallet: top-ups, adjustments by hand, the daily credit of a sandbox. Each has a cause
 * that counts only once.
 */
import type { Xof } from "../../core/money.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { moveWallet, post, readWallet } from "./wallet.ts";

type TopUp = {
  readonly accountId: number;
  readonly accountUlid: string;
  /** Above zero. */
  readonly amount: Xof;
  /** The payer's reference: the same one and the same amount again changes nothing. */
  readonly reference: string;
  readonly atMs: number;
};

/** What came of a top-up; `atMs` and `amount` are those of the one that the reference stood for already. */
type TopUpResult =
  | { readonly kind: "posted" }
  | { readonly kind: "already"; readonly atMs: number }
  | { readonly kind: "conflict"; readonly atMs: number; readonly amount: Xof };

/** Pays money into a wallet (docs/behaviour.md#causes: a reference counts once). */
export function topUp(tx: Tx, { accountId, accountUlid, amount, reference, atMs }: TopUp): TopUpResult {
  const cause = topUpCause(accountUlid, reference);
  const known = entryOfCause(tx, cause);
  if (known)
    return known.amount === amount ? { kind: "already", atMs: known.atMs } : { kind: "conflict", ...known };
  post(tx, {
    accountId,
    kind: "TOPUP",
    debit: "CASH",
    credit: "FUNDS",
    amount,
    cause,
    batchId: null,
    note: reference,
    atMs,
  });
  moveWallet(tx, accountId, amount, 0, atMs);
  return { kind: "posted" };
}

/** The top-up of an account that a reference stands for; null where it is new. */
export function findEarlierTopUp(
  read: Reader,
  accountUlid: string,
  reference: string,
): { readonly amount: Xof; readonly atMs: number } | null {
  return entryOfCause(read, topUpCause(accountUlid, reference));
}

function topUpCause(accountUlid: string, reference: string): string {
  return `topup:${accountUlid}:${reference}`;
}

/** The newest top-up of all accounts; null before the first. */
export function lastTopUp(read: Reader): {
  readonly accountId: number;
  readonly amount: Xof;
  readonly reference: string | null;
  readonly atMs: number;
} | null {
  return read.get(
    `SELECT account_id AS accountId, amount, note AS reference, created_at AS atMs FROM ledger
     WHERE kind = 'TOPUP' ORDER BY id DESC LIMIT 1`,
  );
}

type Adjustment = {
  readonly accountId: number;
  /** Not zero; below zero takes money away, and may put a prepaid wallet in debit. */
  readonly amount: Xof;
  readonly reason: string;
  /** Every adjustment is one of its own: a new ULID, or what its form was given before it was sent. */
  readonly id: string;
  readonly atMs: number;
};

/** Corrects a wallet by hand, as a new entry; an `id` used already changes nothing. */
export function adjust(tx: Tx, adjustment: Adjustment): void {
  adjustOnce(tx, adjustment);
}

/** The same, and tells what its `id` stood for. */
export function adjustOnce(tx: Tx, { accountId, amount, reason, id, atMs }: Adjustment): TopUpResult {
  const known = entryOfCause(tx, `adjustment:${id}`);
  if (known) {
    return known.amount === amount ? { kind: "already", atMs: known.atMs } : { kind: "conflict", ...known };
  }
  const gives = amount > 0;
  post(tx, {
    accountId,
    kind: "ADJUSTMENT",
    debit: gives ? "CASH" : "FUNDS",
    credit: gives ? "FUNDS" : "CASH",
    amount: Math.abs(amount),
    cause: `adjustment:${id}`,
    batchId: null,
    note: reason,
    atMs,
  });
  moveWallet(tx, accountId, amount, 0, atMs);
  return { kind: "posted" };
}

/** The entry with a cause, its amount as it moved the wallet: below zero where it took money away. */
function entryOfCause(read: Reader, cause: string): { readonly amount: Xof; readonly atMs: number } | null {
  return read.get(
    `SELECT CASE debit WHEN 'FUNDS' THEN -amount ELSE amount END AS amount, created_at AS atMs
     FROM ledger WHERE cause = ?`,
    cause,
  );
}

// The money of sandboxes: what test keys spend is nobody's, and there is as much again every day (docs/behaviour.md#test-keys).

type Filling = {
  /** The sandbox's. */
  readonly accountId: number;
  /** Whole XOF that it is to have to spend. */
  readonly credit: Xof;
  /** The day of its account's timezone, such as 2026-03-01. */
  readonly day: string;
  /** A new ULID. */
  readonly id: string;
  readonly atMs: number;
};

/** The day for which a sandbox's wallet was filled last; null before the first time. */
export function readCreditedDay(read: Reader, accountId: number): string | null {
  return (
    read.known<{ day: string }>("SELECT day FROM sandbox_credits WHERE account_id = ?", accountId)?.day ??
    null
  );
}

/** Makes what a sandbox can spend the credit again, once for a day; false where that was done. */
export function creditSandbox(tx: Tx, { accountId, credit, day, id, atMs }: Filling): boolean {
  if (readCreditedDay(tx, accountId) === day) return false;
  tx.run(
    "INSERT INTO sandbox_credits (account_id, day) VALUES (?, ?) ON CONFLICT (account_id) DO UPDATE SET day = excluded.day",
    accountId,
    day,
  );
  const amount = credit - readWallet(tx, accountId).funds;
  if (amount !== 0) adjust(tx, { accountId, amount, reason: "credit of the sandbox", id, atMs });
  return true;
}
