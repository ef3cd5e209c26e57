/** The row of a batch, as the facts of its messages move it: read once for a transaction, and written once. */
import { assert } from "../../core/assert.ts";
import type { Xof } from "../../core/money.ts";
import type { Reader } from "../../db/reader.ts";
import { rowWriter } from "../../db/row-writer.ts";
import type { Tx } from "../../db/writer.ts";
import { recordEvent } from "../events/outbox.ts";
import { fold } from "../ledger/reservations.ts";
import { advanceBatch, type BatchProgress, posted } from "./batch-status.ts";
import { reservedOf } from "./message-money.ts";
import type { Status } from "./message-status.ts";
import type { MessageState } from "./transitions.ts";

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
 * Writes what its messages did to a batch that stood as `before` says, and moves it to the status they lead to. When it ends, its remaining
 * movements are posted to the ledger, and its end is recorded for those who want to be told.
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

/** Posts what a batch has charged and released since its last posting to the ledger (docs/behaviour.md#folding). */
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

function writeBatch(
  tx: Tx,
  batchId: number,
  before: BatchProgress,
  after: BatchProgress,
  nowMs: number,
): void {
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

/** What the messages of one batch did to its figures in one transaction: added up one by one, and written once. */
export type BatchChanges = {
  readonly accountId: number;
  readonly reached: Record<Status, number>;
  finished: number;
  squared: number;
  /** Extra segments of messages that went on by another leg. */
  segments: number;
  charged: Xof;
  released: Xof;
};

export function createBatchChanges(accountId: number): BatchChanges {
  const reached = { QUEUED: 0, SUBMITTED: 0, SENT: 0, DELIVERED: 0, FAILED: 0, CANCELLED: 0 };
  return { accountId, reached, finished: 0, squared: 0, segments: 0, charged: 0, released: 0 };
}

/** Adds what a fact did to one message: where it was, where it is, and the states that it reached on the way. */
export function addBatchChange(
  moves: BatchChanges,
  before: MessageState,
  after: MessageState,
  reached: readonly Status[],
): void {
  for (const status of reached) moves.reached[status] += 1;
  if (after.isFinal && !before.isFinal) moves.finished += 1;
  moves.segments += after.segments - before.segments;
  moves.charged += after.amount - before.amount;
  if (after.isSquared && !before.isSquared) {
    moves.squared += 1;
    moves.released += reservedOf(after) - after.amount;
  }
}

/** The figures of a batch with its moves added in. */
function applyBatchChanges(life: BatchProgress, moves: BatchChanges): BatchProgress {
  const { SUBMITTED, SENT, DELIVERED, FAILED, CANCELLED } = moves.reached;
  return {
    ...life,
    submitted: life.submitted + SUBMITTED,
    sent: life.sent + SENT,
    delivered: life.delivered + DELIVERED,
    failed: life.failed + FAILED,
    cancelled: life.cancelled + CANCELLED,
    unfinished: life.unfinished - moves.finished,
    unsquared: life.unsquared - moves.squared,
    segments: life.segments + moves.segments,
    charged: life.charged + moves.charged,
    released: life.released + moves.released,
  };
}

// What batches have charged and released, on its way into the ledger: a few entries a batch, not one a message.

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
