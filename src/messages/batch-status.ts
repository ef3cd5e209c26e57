import { assert } from "../base/assert.ts";
import { recordEvent } from "../events/outbox.ts";
import type { Tx } from "../store/write.ts";
import { foldBatch } from "./fold.ts";

/** The states of a batch (docs/behaviour.md#states-of-a-batch); STAGING is ours alone and never shown. */
export type BatchStatus =
  | "STAGING"
  | "VALIDATING"
  | "SCHEDULED"
  | "QUEUED"
  | "SENDING"
  | "SETTLED"
  | "REJECTED"
  | "FAILED"
  | "CANCELLED";

/**
 * Said of a batch of which nothing is accepted, in SQL: its rows, if there are any, were staged, and count only while a
 * stage works on them (stages.ts).
 */
export const IS_NOT_OPEN = "status IN ('STAGING', 'VALIDATING', 'FAILED')";

/** What a batch and its messages say about where it goes. */
export type BatchFigures = {
  /** Whether a message was claimed just now. */
  readonly claimed: boolean;
  /** Messages that are not final. */
  readonly unfinished: number;
  /** Messages whose money is neither charged nor released. */
  readonly unsquared: number;
  /** It was called off: what waits is cancelled, what left is waited for. */
  readonly isCancelling: boolean;
};

/**
 * Where the moves of its messages take a batch. A QUEUED batch whose messages all ended before any claim passes
 * through SENDING to SETTLED, so it is SETTLED at once here. A cancelled one ends as soon as every reservation is
 * charged or released; later receipts still move its messages.
 */
export function stateAfter(status: BatchStatus, figures: BatchFigures): BatchStatus {
  if (status !== "SCHEDULED" && status !== "QUEUED" && status !== "SENDING") return status;
  if (figures.isCancelling) return figures.unsquared === 0 ? "CANCELLED" : status;
  if (status === "SCHEDULED") return status;
  if (figures.unfinished === 0 && figures.unsquared === 0) return "SETTLED";
  return figures.claimed ? "SENDING" : status;
}

/** What of a batch's row decides where it goes. */
export type BatchLife = {
  readonly accountId: number;
  readonly status: BatchStatus;
  readonly unfinished: number;
  readonly unsquared: number;
  readonly cancelReason: string | null;
  readonly awaitingSince: number | null;
};

/** The columns of `BatchLife`. */
export const BATCH_LIFE = `account_id AS accountId, status, unfinished, unsquared, cancel_reason AS cancelReason,
  awaiting_since AS awaitingSince`;

/** `advanceBatch` for a batch of which no message moved just now. */
export function reviewBatch(tx: Tx, batchId: number, nowMs: number): void {
  const life = tx.get<BatchLife>(`SELECT ${BATCH_LIFE} FROM batches WHERE id = ?`, batchId);
  assert(life, `batch ${batchId} exists`);
  advanceBatch(tx, batchId, life, false, nowMs);
}

/**
 * Moves a batch to where its messages have taken it. Of one that ends, what it still moved is entered into the ledger, and
 * its end is noted for those who want to be told. `claimed`: a message of it was claimed just now.
 */
export function advanceBatch(
  tx: Tx,
  batchId: number,
  life: BatchLife,
  claimed: boolean,
  nowMs: number,
): void {
  const { status, unfinished, unsquared, accountId } = life;
  const next = stateAfter(status, {
    claimed,
    unfinished,
    unsquared,
    isCancelling: life.cancelReason !== null,
  });
  const awaitingSince = awaitingFrom(life, claimed, nowMs);
  if (next === "SENDING" || next === status) {
    if (next === status && awaitingSince === life.awaitingSince) return;
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
    recordEvent(tx, { type: `BATCH_${next}`, accountId, batchId, atMs: nowMs });
  }
}

/** Since when messages of a batch may wait for receipts: from its first claim until all of them are final (overdue.ts). */
function awaitingFrom(
  { unfinished, awaitingSince }: BatchLife,
  claimed: boolean,
  nowMs: number,
): number | null {
  if (unfinished === 0) return null;
  return claimed ? (awaitingSince ?? nowMs) : awaitingSince;
}
