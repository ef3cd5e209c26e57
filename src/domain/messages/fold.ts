/** What batches have charged and released, on its way into the ledger: a few entries a batch, not one a message. */
import type { Xof } from "../../core/money.ts";
import type { Reader } from "../../db/read.ts";

/** Batches with movements the ledger does not hold yet, the oldest first. */
export function findUnpostedBatches(read: Reader, limit: number): number[] {
  return read
    .all<{ id: number }>(
      `SELECT id FROM batches WHERE charged_amount <> posted_charged OR released_amount <> posted_released
       ORDER BY id LIMIT ?`,
      limit,
    )
    .map((row) => row.id);
}

/** What the batches of an account have charged and released that the ledger does not hold yet. */
export function sumUnposted(
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
