/**
 * Reserve, charge and release of a batch's money in the wallet. The wallet moves at once; a batch's ledger entries follow,
 * posted (docs/behaviour.md#folding).
 */
import { assert } from "../../core/assert.ts";
import type { Xof } from "../../core/money.ts";
import { accepted, type Outcome, type Refusal, toRefusal } from "../../core/refusals.ts";
import type { Tx } from "../../db/writer.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { moveWallet, post, type Wallet } from "./wallet.ts";

type Reservation = {
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
 * Whether a wallet can set `amount` aside (docs/behaviour.md#reservation). Of a batch whose recipients are not all priced yet, `amount`
 * covers those that are: the refusal says so. What can be spent is the account's own business, so the refusal names it apart. Pure.
 */
export function mayReserve(
  wallet: Wallet,
  amount: Xof,
  priced: "all" | "so far" = "all",
): Outcome<null, PaymentRefusalCode> {
  const cost = phrase(priced === "all" ? "message.batch.costs" : "message.batch.costs_at_least", { amount });
  const leaves = (left: Xof) => ({ cost, left: Math.max(0, left), needed: amount - left });
  if (wallet.billingMode === "POSTPAID") {
    const left = wallet.funds + wallet.creditLimit;
    return left >= amount
      ? accepted(null)
      : unpayable(
          toRefusal("CREDIT_LIMIT_EXCEEDED", { cost }),
          phrase("refusal.CREDIT_LIMIT_EXCEEDED.balance", leaves(left)),
        );
  }
  const balance = wallet.funds + wallet.reserved;
  if (balance < 0) {
    return unpayable(
      toRefusal("WALLET_IN_DEBIT", { cost }),
      phrase("refusal.WALLET_IN_DEBIT.balance", { ...leaves(wallet.funds), debt: -balance }),
    );
  }
  return wallet.funds >= amount
    ? accepted(null)
    : unpayable(
        toRefusal("INSUFFICIENT_FUNDS", { cost }),
        phrase("refusal.INSUFFICIENT_FUNDS.balance", leaves(wallet.funds)),
      );
}

function unpayable(
  refusal: Refusal<PaymentRefusalCode>,
  detailWithBalance: Phrase,
): Outcome<never, PaymentRefusalCode> {
  return { ok: false, refusal: { ...refusal, detailWithBalance } };
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

/**
 * Money that left a batch's reservation: `charged` is earned, `released` can be spent again. Moves the live
 * wallet in the transaction of the statuses that decided it; the ledger rows follow by `postBatchMovements`.
 */
export function settle(tx: Tx, accountId: number, charged: Xof, released: Xof, atMs: number): void {
  if (charged === 0 && released === 0) return;
  moveWallet(tx, accountId, released, -charged - released, atMs);
}

type UnpostedMovement = {
  readonly accountId: number;
  readonly batchId: number;
  readonly batchUlid: string;
  /** Moved since the last posting. */
  readonly charged: Xof;
  readonly released: Xof;
  /** How many postings the batch had before. */
  readonly postings: number;
  readonly atMs: number;
};

/** Posts what a batch moved since its last posting to the ledger: one charge and one release at most. */
export function postMovement(tx: Tx, part: UnpostedMovement): void {
  const number = part.postings + 1;
  const shared = { accountId: part.accountId, batchId: part.batchId, note: null, atMs: part.atMs };
  if (part.charged > 0) {
    const isNew = post(tx, {
      ...shared,
      kind: "CHARGE",
      debit: "RESERVED",
      credit: "EARNED",
      amount: part.charged,
      cause: `batch:${part.batchUlid}:charge:${number}`,
    });
    assert(isNew, `batch ${part.batchUlid} was not charged under number ${number} before`);
  }
  if (part.released > 0) {
    const isNew = post(tx, {
      ...shared,
      kind: "RELEASE",
      debit: "RESERVED",
      credit: "FUNDS",
      amount: part.released,
      cause: `batch:${part.batchUlid}:release:${number}`,
    });
    assert(isNew, `batch ${part.batchUlid} was not released under number ${number} before`);
  }
}
