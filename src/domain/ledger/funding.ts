import type { Xof } from "../../core/money.ts";
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import { post } from "./postings.ts";
import { moveWallet } from "./wallet.ts";

export type TopUp = {
  readonly accountId: number;
  readonly accountUlid: string;
  /** Above zero. */
  readonly amount: Xof;
  /** The payer's reference: the same one and the same amount again changes nothing. */
  readonly reference: string;
  readonly atMs: number;
};

/** What came of a top-up; `atMs` and `amount` are those of the one that the reference stood for already. */
export type TopUpResult =
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

export type Adjustment = {
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
