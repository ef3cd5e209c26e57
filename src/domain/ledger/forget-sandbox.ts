import type { Tx } from "../../db/write.ts";
import { FUNDS_CHANGE, RESERVED_CHANGE } from "./checkpoints.ts";
import { post } from "./postings.ts";

type Forgotten = { readonly id: number; readonly atMs: number; readonly change: number };

/**
 * Takes up to `limit` of the oldest entries of a sandbox away that were made before an instant; how many went. One entry stands for
 * what they came to, so that balances stay what they were.
 */
export function compactSandboxEntries(
  tx: Tx,
  { accountId, beforeMs, id }: { readonly accountId: number; readonly beforeMs: number; readonly id: string },
  limit: number,
): number {
  const old = tx.all<Forgotten>(
    `SELECT id, created_at AS atMs, ${FUNDS_CHANGE} + ${RESERVED_CHANGE} AS change FROM ledger
     WHERE account_id = ? AND account_id < 0 AND id < (SELECT max(id) FROM ledger) AND created_at < ? ORDER BY created_at, id LIMIT ?`,
    accountId,
    beforeMs,
    limit,
  );
  const last = old.at(-1);
  // One that stands for others alone stays as it is.
  if (!last || old.length === 1) return 0;
  for (const entry of old) tx.run("DELETE FROM ledger WHERE id = ?", entry.id);
  const change = old.reduce((sum, entry) => sum + entry.change, 0);
  const gives = change > 0;
  if (change !== 0)
    post(tx, {
      accountId,
      kind: "ADJUSTMENT",
      amount: Math.abs(change),
      cause: `adjustment:${id}`,
      batchId: null,
      debit: gives ? "CASH" : "FUNDS",
      credit: gives ? "FUNDS" : "CASH",
      note: "carried over",
      atMs: last.atMs,
    });
  return old.length;
}
