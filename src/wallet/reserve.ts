import { assert } from "../base/assert.ts";
import { accepted, type Outcome } from "../base/failures.ts";
import type { Xof } from "../base/money.ts";
import { said } from "../i18n/phrase.ts";
import type { Tx } from "../store/write.ts";
import { post } from "./postings.ts";
import { moveWallet, type Wallet } from "./wallet.ts";

export type Reservation = {
  readonly accountId: number;
  /** As it stands in this transaction. */
  readonly wallet: Wallet;
  readonly batchId: number;
  readonly batchUlid: string;
  readonly amount: Xof;
  readonly atMs: number;
};

/** Why a wallet does not pay (docs/public-api.md section 7). */
export const PAYMENT_REFUSALS = ["INSUFFICIENT_FUNDS", "CREDIT_LIMIT_EXCEEDED", "WALLET_IN_DEBIT"] as const;

export type PaymentRefusalCode = (typeof PAYMENT_REFUSALS)[number];

/**
 * Whether a wallet can set `amount` aside (docs/behaviour.md#reservation). Of a batch whose recipients are not all
 * priced yet it is what those come to that are: the refusal says so. What can be spent is the account's own business,
 * so the refusal names it apart. Pure.
 */
export function mayReserve(
  wallet: Wallet,
  amount: Xof,
  priced: "all" | "so far" = "all",
): Outcome<null, PaymentRefusalCode> {
  const cost =
    priced === "all"
      ? `the batch costs ${amount} XOF`
      : `the batch costs at least ${amount} XOF (a quote tells all of it)`;
  if (wallet.billingMode === "POSTPAID") {
    const left = wallet.funds + wallet.creditLimit;
    return left >= amount
      ? accepted(null)
      : unpayable("CREDIT_LIMIT_EXCEEDED", `${cost}, more than the credit limit leaves`, left, amount);
  }
  const balance = wallet.funds + wallet.reserved;
  if (balance < 0) {
    const inDebt = `${cost} and the wallet is in debit`;
    return unpayable(
      "WALLET_IN_DEBIT",
      `${inDebt}: top it up before sending`,
      wallet.funds,
      amount,
      `${inDebt} by ${-balance} XOF`,
    );
  }
  return wallet.funds >= amount
    ? accepted(null)
    : unpayable("INSUFFICIENT_FUNDS", `${cost}, more than the wallet can spend`, wallet.funds, amount);
}

function unpayable(
  code: PaymentRefusalCode,
  detail: string,
  left: Xof,
  amount: Xof,
  known: string = detail,
): Outcome<never, PaymentRefusalCode> {
  const figures = `${Math.max(0, left)} XOF can be spent, ${amount - left} XOF more is needed`;
  const detailWithBalance = `${known}: ${figures}`;
  return { ok: false, refusal: { code, detail: said(detail), detailWithBalance: said(detailWithBalance) } };
}

/**
 * Sets the price of a batch aside in the transaction that accepts the batch. The caller has asked `mayReserve` in
 * the same transaction, before it wrote anything. A batch that was paid for already is not paid for again.
 */
export function reserve(tx: Tx, reservation: Reservation): void {
  assert(mayReserve(reservation.wallet, reservation.amount).ok, "the wallet was asked first");
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
