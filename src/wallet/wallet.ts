import { assert } from "../base/assert.ts";
import { isoUtc } from "../base/clock.ts";
import { CURRENCY, type Xof } from "../base/money.ts";
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";

/** What an account may spend and what is set aside, at this moment. */
export type Wallet = {
  readonly billingMode: "PREPAID" | "POSTPAID";
  readonly creditLimit: Xof;
  readonly funds: Xof;
  readonly reserved: Xof;
};

/** The balance object of the public API (decisions.md section 5). */
export type Balance = {
  readonly billing_mode: "PREPAID" | "POSTPAID";
  readonly currency: string;
  readonly balance: Xof;
  readonly reserved: Xof;
  readonly credit_limit: Xof;
  readonly spendable: Xof;
  readonly as_of: string;
};

/** Gives a new account its empty wallet. */
export function openWallet(tx: Tx, accountId: number): void {
  tx.run("INSERT INTO wallets (account_id) VALUES (?)", accountId);
}

/** The wallet of an account that exists. */
export function walletOf(read: Reader, accountId: number): Wallet {
  const row = read.get<Wallet>(
    `SELECT a.billing_mode AS billingMode, a.credit_limit AS creditLimit, w.funds, w.reserved
     FROM wallets w JOIN accounts a ON a.id = w.account_id WHERE w.account_id = ?`,
    accountId,
  );
  assert(row, `account ${accountId} has a wallet`);
  return row;
}

/** The balance as clients see it: `spendable = balance + credit_limit − reserved`, never shown below zero. */
export function balanceOf(read: Reader, accountId: number, nowMs: number): Balance {
  const wallet = walletOf(read, accountId);
  return {
    billing_mode: wallet.billingMode,
    currency: CURRENCY,
    balance: wallet.funds + wallet.reserved,
    reserved: wallet.reserved,
    credit_limit: wallet.creditLimit,
    spendable: Math.max(0, wallet.funds + wallet.creditLimit),
    as_of: isoUtc(nowMs),
  };
}

/** Moves the live figures of a wallet; the ledger row, now or folded later, is the caller's. */
export function moveWallet(tx: Tx, accountId: number, fundsDelta: Xof, reservedDelta: Xof): void {
  const changed = tx.run(
    "UPDATE wallets SET funds = funds + ?, reserved = reserved + ? WHERE account_id = ?",
    fundsDelta,
    reservedDelta,
    accountId,
  );
  assert(changed === 1, `account ${accountId} has a wallet`);
}
