import { assert } from "../base/assert.ts";
import { accepted, type Outcome, refused } from "../base/failures.ts";
import type { Xof } from "../base/money.ts";
import type { Tx } from "../store/write.ts";
import { post } from "./postings.ts";
import { moveWallet, type Wallet, walletOf } from "./wallet.ts";

export type Reservation = {
  readonly accountId: number;
  readonly batchId: number;
  readonly batchUlid: string;
  readonly amount: Xof;
  readonly atMs: number;
};

/**
 * Whether a wallet can set `amount` aside (decisions.md section 5). Of a batch whose recipients are not all priced yet
 * it is what those come to that are: the refusal says so. Pure.
 */
export function mayReserve(wallet: Wallet, amount: Xof, priced: "all" | "so far" = "all"): Outcome<null> {
  const cost = `the batch costs ${priced === "all" ? "" : "at least "}${amount} XOF`;
  if (wallet.billingMode === "POSTPAID") {
    return wallet.funds + wallet.creditLimit >= amount
      ? accepted(null)
      : refused("CREDIT_LIMIT_EXCEEDED", `${cost}, more than the credit limit leaves`);
  }
  if (wallet.funds + wallet.reserved < 0) {
    return refused("WALLET_IN_DEBIT", "the wallet is in debit: top it up before sending");
  }
  return wallet.funds >= amount
    ? accepted(null)
    : refused("INSUFFICIENT_FUNDS", `${cost}, more than the wallet can spend`);
}

/**
 * Sets the price of a batch aside in the transaction that accepts the batch. The caller has asked `mayReserve` in
 * the same transaction, before it wrote anything. A batch that was paid for already is not paid for again.
 */
export function reserve(tx: Tx, reservation: Reservation): void {
  assert(
    mayReserve(walletOf(tx, reservation.accountId), reservation.amount).ok,
    "the wallet was asked first",
  );
  if (reservation.amount === 0) return;
  const isNew = post(tx, {
    accountId: reservation.accountId,
    kind: "RESERVE",
    debit: "FUNDS",
    credit: "RESERVED",
    amount: reservation.amount,
    cause: `batch:${reservation.batchUlid}:reserve`,
    batchId: reservation.batchId,
    note: null,
    atMs: reservation.atMs,
  });
  if (isNew) {
    moveWallet(tx, reservation.accountId, -reservation.amount, reservation.amount, reservation.atMs);
  }
}
