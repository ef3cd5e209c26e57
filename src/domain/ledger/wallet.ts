/**
 * Money: a double-entry ledger that only grows, in whole XOF.
 *
 * `reserve` sets money aside for a batch, and funding.ts takes top-ups and adjustments: they are posted at once. `settle` charges and
 * releases with a message's status (reservations.ts): it moves the wallet, and `postMovement` posts what a batch moved later, in one entry.
 * Each posting has a cause under a unique index: the second time changes nothing.
 * books-check.ts and checkpoints.ts prove the balances. When money moves is decided in `domain/messages/`; this room only moves it, in the
 * caller's transaction.
 */
import { assert } from "../../core/assert.ts";
import { isoUtc } from "../../core/clock.ts";
import { CURRENCY, type Xof } from "../../core/money.ts";
import { isSandbox } from "../../core/sandbox.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { walletTerms } from "../accounts/accounts.ts";
import { recordEvent } from "../events/outbox.ts";

/** What an account may spend and what is set aside, at this moment. */
export type Wallet = {
  readonly billingMode: "PREPAID" | "POSTPAID";
  readonly creditLimit: Xof;
  readonly funds: Xof;
  readonly reserved: Xof;
};

/** The balance object of the public API (docs/behaviour.md#balance). */
type Balance = {
  readonly billing_mode: "PREPAID" | "POSTPAID";
  readonly currency: string;
  readonly balance: Xof;
  readonly reserved: Xof;
  readonly credit_limit: Xof;
  readonly spendable: Xof;
  readonly as_of: string;
  readonly is_sandbox: boolean;
};

/** Gives a new account its empty wallet. */
export function openWallet(tx: Tx, accountId: number): void {
  tx.run("INSERT INTO wallets (account_id) VALUES (?)", accountId);
}

/** The wallet of an account that exists. */
export function readWallet(read: Reader, accountId: number): Wallet {
  const row = read.get<Wallet>(
    `SELECT a.billing_mode AS billingMode, a.credit_limit AS creditLimit, w.funds, w.reserved
     FROM wallets w JOIN accounts a ON a.id = w.account_id WHERE w.account_id = ?`,
    accountId,
  );
  assert(row, `account ${accountId} has a wallet`);
  return row;
}

/** The balance as clients see it: `spendable = balance + credit_limit − reserved`, never shown below zero. */
export function readBalance(read: Reader, accountId: number, nowMs: number): Balance {
  const wallet = readWallet(read, accountId);
  return {
    billing_mode: wallet.billingMode,
    currency: CURRENCY,
    balance: wallet.funds + wallet.reserved,
    reserved: wallet.reserved,
    credit_limit: wallet.creditLimit,
    spendable: Math.max(0, wallet.funds + wallet.creditLimit),
    as_of: isoUtc(nowMs),
    is_sandbox: isSandbox(accountId),
  };
}

type WatchedWallet = { readonly funds: number; readonly reserved: number; readonly isLow: number };

/** Moves the live figures of a wallet; the ledger row, posted now or later, is the caller's. */
export function moveWallet(
  tx: Tx,
  accountId: number,
  fundsDelta: Xof,
  reservedDelta: Xof,
  atMs: number,
): void {
  if (fundsDelta === 0) {
    // What may be spent stays as it was.
    const changed = tx.run(
      "UPDATE wallets SET reserved = reserved + ? WHERE account_id = ?",
      reservedDelta,
      accountId,
    );
    assert(changed === 1, `account ${accountId} has a wallet`);
    return;
  }
  const moved = tx.get<WatchedWallet>(
    `UPDATE wallets SET funds = funds + ?, reserved = reserved + ? WHERE account_id = ?
     RETURNING funds, reserved, is_low AS isLow`,
    fundsDelta,
    reservedDelta,
    accountId,
  );
  assert(moved, `account ${accountId} has a wallet`);
  watchLevel(tx, accountId, moved, atMs);
}

/** Looks at the level of a wallet again after a setting that it depends on was changed. */
export function reviewLevel(tx: Tx, accountId: number, atMs: number): void {
  const wallet = tx.get<WatchedWallet>(
    "SELECT funds, reserved, is_low AS isLow FROM wallets WHERE account_id = ?",
    accountId,
  );
  assert(wallet, `account ${accountId} has a wallet`);
  watchLevel(tx, accountId, wallet, atMs);
}

/**
 * Watches how much an account has left to spend, in the transaction that changed it: WALLET_LOW is noted when that
 * falls below the account's low balance, once until it was at least that much again.
 */
export function watchLevel(tx: Tx, accountId: number, wallet: WatchedWallet, atMs: number): void {
  const { lowBalance, creditLimit } = walletTerms(tx, accountId);
  const spendable = wallet.funds + creditLimit;
  const isLow = lowBalance !== null && spendable < lowBalance;
  if (isLow === (wallet.isLow === 1)) return;
  tx.run("UPDATE wallets SET is_low = ? WHERE account_id = ?", isLow ? 1 : 0, accountId);
  if (!isLow) return;
  const figures = {
    low_balance: lowBalance,
    spendable: Math.max(0, spendable),
    balance: wallet.funds + wallet.reserved,
    reserved: wallet.reserved,
    credit_limit: creditLimit,
    currency: CURRENCY,
    as_of: isoUtc(atMs),
  };
  recordEvent(tx, { type: "WALLET_LOW", accountId, atMs, figures });
}

/** An account whose wallet is low, and what it may still spend. */
type LowAccount = { readonly accountId: number; readonly spendable: number };

/** The first wallets that are below their account's low balance, sandboxes apart: an index holds them and nothing else. */
export function lowWallets(read: Reader, limit: number): LowAccount[] {
  const rows = read.all<{ accountId: number; funds: number }>(
    "SELECT account_id AS accountId, funds FROM wallets WHERE is_low = 1 AND account_id > 0 ORDER BY account_id LIMIT ?",
    limit,
  );
  return rows.map(({ accountId, funds }) => ({
    accountId,
    spendable: Math.max(0, funds + walletTerms(read, accountId).creditLimit),
  }));
}

/** The books of an account; the schema says what each holds. */
export type Book = "CASH" | "FUNDS" | "RESERVED" | "EARNED";

export type PostingKind = "TOPUP" | "ADJUSTMENT" | "RESERVE" | "CHARGE" | "RELEASE";

type Posting = {
  readonly accountId: number;
  readonly kind: PostingKind;
  readonly debit: Book;
  readonly credit: Book;
  /** Above zero. */
  readonly amount: Xof;
  /** What made it: unique for ever, so that a repeat is a no-op. */
  readonly cause: string;
  readonly batchId: number | null;
  readonly note: string | null;
  readonly atMs: number;
};

/**
 * Writes one posting; false when its cause is in the books already, and then nothing was written. It bears the time that
 * it is given, whatever the entries before it bear: what was posted under a clock that ran ahead dates itself alone.
 */
export function post(tx: Tx, posting: Posting): boolean {
  return (
    tx.run(
      `INSERT INTO ledger (account_id, kind, debit, credit, amount, cause, batch_id, note, created_at)
       VALUES ($accountId, $kind, $debit, $credit, $amount, $cause, $batchId, $note, $atMs)
       ON CONFLICT (cause) DO NOTHING`,
      posting,
    ) === 1
  );
}
