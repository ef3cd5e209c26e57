import { assert } from "../../core/assert.ts";
import type { Xof } from "../../core/money.ts";
import type { Tx } from "../../db/write.ts";
import { post } from "./postings.ts";
import { moveWallet } from "./wallet.ts";

/**
 * Money that left a batch's reservation: `charged` is earned, `released` can be spent again. Moves the live
 * wallet in the transaction of the statuses that decided it; the ledger rows follow by `postBatchMovements`.
 */
export function settle(tx: Tx, accountId: number, charged: Xof, released: Xof, atMs: number): void {
  if (charged === 0 && released === 0) return;
  moveWallet(tx, accountId, released, -charged - released, atMs);
}

export type UnpostedMovement = {
  readonly accountId: number;
  readonly batchId: number;
  readonly batchUlid: string;
  /** Moved since the last fold. */
  readonly charged: Xof;
  readonly released: Xof;
  /** How many folds the batch had before. */
  readonly folds: number;
  readonly atMs: number;
};

/** Writes what a batch moved since its last fold into the ledger: one charge and one release at most. */
export function fold(tx: Tx, part: UnpostedMovement): void {
  const number = part.folds + 1;
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
