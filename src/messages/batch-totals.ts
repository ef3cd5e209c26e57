import { assert } from "../base/assert.ts";
import type { Xof } from "../base/money.ts";
import { recordEvent } from "../events/outbox.ts";
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";
import { fold, settle } from "../wallet/settle.ts";
import { type BatchStatus, stateAfter } from "./batch-status.ts";
import type { MessageState } from "./decide.ts";
import type { Status } from "./status.ts";

/** What the messages of one batch did to its figures in one transaction. */
type Delta = {
  readonly accountId: number;
  readonly reached: Record<Status, number>;
  finished: number;
  squared: number;
  charged: Xof;
  released: Xof;
};

/** Gathers the moves of a transaction per batch, so that each batch and wallet is written once. */
export type BatchTotals = {
  readonly add: (
    of: { readonly batchId: number; readonly accountId: number },
    before: MessageState,
    after: MessageState,
    reached: readonly Status[],
  ) => void;
  /** Writes the figures, moves the money, and ends the batches whose last message has ended. */
  readonly save: (tx: Tx, nowMs: number) => void;
};

export function batchTotals(): BatchTotals {
  const deltas = new Map<number, Delta>();
  return {
    add: ({ batchId, accountId }, before, after, reached) => {
      let delta = deltas.get(batchId);
      if (!delta) {
        delta = {
          accountId,
          reached: { QUEUED: 0, SUBMITTED: 0, SENT: 0, DELIVERED: 0, FAILED: 0, CANCELLED: 0 },
          finished: 0,
          squared: 0,
          charged: 0,
          released: 0,
        };
        deltas.set(batchId, delta);
      }
      for (const status of reached) delta.reached[status] += 1;
      if (after.isFinal && !before.isFinal) delta.finished += 1;
      delta.charged += after.amount - before.amount;
      if (after.isSquared && !before.isSquared) {
        delta.squared += 1;
        delta.released += after.segments * after.price - after.amount;
      }
    },
    save: (tx, nowMs) => {
      for (const [batchId, delta] of deltas) saveBatch(tx, batchId, delta, nowMs);
      deltas.clear();
    },
  };
}

function saveBatch(tx: Tx, batchId: number, delta: Delta, nowMs: number): void {
  const { reached } = delta;
  tx.run(
    `UPDATE batches SET submitted = submitted + ?, sent = sent + ?, delivered = delivered + ?,
       failed = failed + ?, cancelled = cancelled + ?, unfinished = unfinished - ?, unsquared = unsquared - ?,
       charged_amount = charged_amount + ?, released_amount = released_amount + ?
     WHERE id = ?`,
    reached.SUBMITTED,
    reached.SENT,
    reached.DELIVERED,
    reached.FAILED,
    reached.CANCELLED,
    delta.finished,
    delta.squared,
    delta.charged,
    delta.released,
    batchId,
  );
  settle(tx, delta.accountId, delta.charged, delta.released, nowMs);
  advanceBatch(tx, batchId, reached.SUBMITTED > 0, nowMs);
}

type Figures = {
  accountId: number;
  status: BatchStatus;
  unfinished: number;
  unsquared: number;
  cancelReason: string | null;
  awaitingSince: number | null;
};

/** Moves a batch to where its messages have taken it; one that ends has its last movements folded into the ledger. */
export function advanceBatch(tx: Tx, batchId: number, claimed: boolean, nowMs: number): void {
  const figures = tx.get<Figures>(
    `SELECT account_id AS accountId, status, unfinished, unsquared, cancel_reason AS cancelReason,
       awaiting_since AS awaitingSince FROM batches WHERE id = ?`,
    batchId,
  );
  assert(figures, `batch ${batchId} exists`);
  const next = stateAfter(figures.status, {
    claimed,
    unfinished: figures.unfinished,
    unsquared: figures.unsquared,
    isCancelling: figures.cancelReason !== null,
  });
  const awaitingSince = awaitingFrom(figures, claimed, nowMs);
  if (next === "SENDING" || next === figures.status) {
    if (next === figures.status && awaitingSince === figures.awaitingSince) return;
    tx.run("UPDATE batches SET status = ?, awaiting_since = ? WHERE id = ?", next, awaitingSince, batchId);
    return;
  }
  foldBatch(tx, batchId, nowMs);
  tx.run(
    "UPDATE batches SET status = ?, ended_at = ?, awaiting_since = ? WHERE id = ?",
    next,
    nowMs,
    awaitingSince,
    batchId,
  );
  if (next === "SETTLED" || next === "CANCELLED") {
    recordEvent(tx, { type: `BATCH_${next}`, accountId: figures.accountId, batchId, atMs: nowMs });
  }
}

/** Since when messages of a batch may wait for receipts: from its first claim until all of them are final (overdue.ts). */
function awaitingFrom(
  { unfinished, awaitingSince }: Pick<Figures, "unfinished" | "awaitingSince">,
  claimed: boolean,
  nowMs: number,
): number | null {
  if (unfinished === 0) return null;
  return claimed ? (awaitingSince ?? nowMs) : awaitingSince;
}

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
