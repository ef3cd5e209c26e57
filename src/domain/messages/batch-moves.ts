import type { Xof } from "../../core/money.ts";
import type { BatchProgress } from "./batch-status.ts";
import type { MessageState } from "./decide.ts";
import { reservedOf } from "./money-position.ts";
import type { Status } from "./status.ts";

/** What the messages of one batch did to its figures in one transaction: added up one by one, and written once. */
export type BatchChanges = {
  readonly accountId: number;
  readonly reached: Record<Status, number>;
  finished: number;
  squared: number;
  /** Of messages that went on by another way: how many more segments that has. */
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
export function applyBatchChanges(life: BatchProgress, moves: BatchChanges): BatchProgress {
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
