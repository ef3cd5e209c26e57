/** What batches have charged and released, on its way into the ledger: a few entries a batch, not one a message. */
import { assert } from "../base/assert.ts";
import type { Xof } from "../base/money.ts";
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";
import { fold } from "../wallet/settle.ts";

type FoldRow = {
  accountId: number;
  ulid: string;
  charged: number;
  released: number;
  postings: number;
};

/** Folds what a batch has charged and released since its last posting into the ledger (docs/behaviour.md#folding). */
export function foldBatch(tx: Tx, batchId: number, nowMs: number): void {
  const row = tx.get<FoldRow>(
    `SELECT account_id AS accountId, ulid, charged_amount - posted_charged AS charged,
       released_amount - posted_released AS released, postings FROM batches WHERE id = ?`,
    batchId,
  );
  assert(row, `batch ${batchId} exists`);
  if (row.charged === 0 && row.released === 0) return;
  fold(tx, {
    accountId: row.accountId,
    batchId,
    batchUlid: row.ulid,
    charged: row.charged,
    released: row.released,
    folds: row.postings,
    atMs: nowMs,
  });
  tx.run(
    `UPDATE batches SET posted_charged = charged_amount, posted_released = released_amount,
       postings = postings + 1 WHERE id = ?`,
    batchId,
  );
}

/** Batches with movements the ledger does not hold yet, the oldest first. */
export function unfoldedBatches(read: Reader, limit: number): number[] {
  return read
    .all<{ id: number }>(
      `SELECT id FROM batches WHERE charged_amount <> posted_charged OR released_amount <> posted_released
       ORDER BY id LIMIT ?`,
      limit,
    )
    .map((row) => row.id);
}

/** What the batches of an account have charged and released that the ledger does not hold yet. */
export function unfoldedOf(
  read: Reader,
  accountId: number,
): { readonly charged: Xof; readonly released: Xof } {
  const row = read.get<{ charged: number; released: number }>(
    `SELECT coalesce(sum(charged_amount - posted_charged), 0) AS charged,
       coalesce(sum(released_amount - posted_released), 0) AS released
     FROM batches INDEXED BY batches_unfolded
     WHERE account_id = ? AND (charged_amount <> posted_charged OR released_amount <> posted_released)`,
    accountId,
  );
  return row ?? { charged: 0, released: 0 };
}
