/** The row of a batch, as the facts of its messages move it: read once for a transaction, and written once. */
import { assert } from "../../core/assert.ts";
import { rowWriter } from "../../db/row-writer.ts";
import type { Tx } from "../../db/write.ts";
import { recordEvent } from "../events/outbox.ts";
import { fold } from "../ledger/settle.ts";
import { type BatchChanges, applyBatchChanges } from "./batch-moves.ts";
import { type BatchProgress, advanceBatch, posted } from "./batch-status.ts";

/** Where a batch's life stands in its row. */
const COLUMNS: Readonly<Record<keyof BatchProgress, string>> = {
  accountId: "account_id",
  ulid: "ulid",
  messageClass: "message_class",
  channel: "channel",
  chargeOn: "charge_on",
  status: "status",
  unfinished: "unfinished",
  unsquared: "unsquared",
  cancelReason: "cancel_reason",
  awaitingSince: "awaiting_since",
  endedAt: "ended_at",
  submitted: "submitted",
  sent: "sent",
  delivered: "delivered",
  failed: "failed",
  cancelled: "cancelled",
  segments: "total_segments",
  charged: "charged_amount",
  released: "released_amount",
  postedCharged: "posted_charged",
  postedReleased: "posted_released",
  postings: "postings",
};

const READ_BATCH = `SELECT ${Object.entries(COLUMNS)
  .map(([field, column]) => `${column} AS ${field}`)
  .join(", ")} FROM batches WHERE id = ?`;

const update = rowWriter<BatchProgress>({
  head: "UPDATE batches SET",
  always: [],
  columns: COLUMNS,
  where: "WHERE id = ? AND unfinished = ? AND charged_amount = ? AND postings = ? AND cancel_reason IS ?",
});

/**
 * Writes what its messages did to a batch that stood as `before` says, and moves it to where they have taken it. Of one that ends, what it still moved
 * is entered into the ledger, and its end is noted for those who want to be told.
 */
export function writeBatchChanges(
  tx: Tx,
  batchId: number,
  before: BatchProgress,
  moves: BatchChanges,
  nowMs: number,
): void {
  const after = advanceBatch(applyBatchChanges(before, moves), moves.reached.SUBMITTED > 0, nowMs);
  writeBatch(tx, batchId, before, after, nowMs);
}

/** Moves a batch of which no message moved just now to where it belongs: something else of it was changed. */
export function reconsiderBatch(tx: Tx, batchId: number, nowMs: number): void {
  const before = readBatchProgress(tx, batchId);
  writeBatch(tx, batchId, before, advanceBatch(before, false, nowMs), nowMs);
}

/** Folds what a batch has charged and released since its last posting into the ledger (docs/behaviour.md#folding). */
export function postBatchMovements(tx: Tx, batchId: number, nowMs: number): void {
  const before = readBatchProgress(tx, batchId);
  writeBatch(tx, batchId, before, posted(before), nowMs);
}

/** The batch with this id, which exists, as it stands in the transaction under way. */
export function readBatchProgress(tx: Tx, batchId: number): BatchProgress {
  const life = tx.get<BatchProgress>(READ_BATCH, batchId);
  assert(life, `batch ${batchId} exists`);
  return life;
}

function writeBatch(tx: Tx, batchId: number, before: BatchProgress, after: BatchProgress, nowMs: number): void {
  if (after.postings > before.postings) {
    fold(tx, {
      accountId: after.accountId,
      batchId,
      batchUlid: after.ulid,
      charged: after.postedCharged - before.postedCharged,
      released: after.postedReleased - before.postedReleased,
      folds: before.postings,
      atMs: nowMs,
    });
  }
  const { unfinished, charged, postings, cancelReason } = before;
  const changed = update(tx, before, after, [], [batchId, unfinished, charged, postings, cancelReason]);
  assert(changed !== 0, `batch ${batchId} was still as it was read`);
  const { status, accountId } = after;
  if (status !== before.status && (status === "SETTLED" || status === "CANCELLED"))
    recordEvent(tx, { type: `BATCH_${status}`, accountId, batchId, atMs: nowMs });
}
