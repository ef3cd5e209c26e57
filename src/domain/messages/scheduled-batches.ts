/** Finds scheduled batches whose time has come, and cancels those that are too late (docs/behaviour.md#schedule). */
import type { Tx } from "../../db/writer.ts";
import { reconsiderBatch } from "./batch-totals.ts";
import { requestCancellation } from "./cancellation.ts";
import { NOT_HELD } from "./restore-holds.ts";

/** How late a scheduled batch may leave; later, it is cancelled and released (docs/public-api.md section 8). */
const MAX_LATE_MS = 30 * 60_000;

/** Batches looked at in one transaction. */
const STEP = 500;

/** How long a batch of an account that is held is passed over before it is looked at again. */
const PASSED_OVER_MS = 60_000;

type DuePlace = { readonly id: number; readonly scheduledAt: number };
const FIRST: DuePlace = { id: 0, scheduledAt: 0 };

/** What one step came to, as ids of batches. */
type DueBatches = {
  readonly started: readonly number[];
  /** Too late to leave: their messages are to be cancelled. */
  readonly calledOff: readonly number[];
  readonly hasMore: boolean;
};

export type DueStarter = {
  /**
   * Starts scheduled batches whose time has come, and calls off those that would leave more than 30 minutes late, because the appliance was
   * off at the time or the account was held. `isHeld` says whether messages of an account may not leave now: its batches wait, and the 30
   * minutes run on. They are passed over for a minute, so that however many wait, a step costs what has become due since the one before.
   */
  readonly step: (tx: Tx, now: DueLook, isHeld: (accountId: number) => boolean) => DueBatches;
  /** Has what was passed over looked at again, because an account may have been released. */
  readonly again: () => void;
  /** There was no look while there should have been: how late a batch is, is measured by wall time alone. */
  readonly missed: () => void;
};

/** When it was looked for what is due, by both clocks. */
type DueLook = { readonly wallMs: number; readonly steadyMs: number };

/**
 * How late a batch is. What was not due at the last look has waited no longer than since then, even where a clock that was
 * put forward makes it seem so: it could not have left sooner.
 */
function lateBy(scheduledAt: number, now: DueLook, last: DueLook | null): number {
  const lateMs = now.wallMs - scheduledAt;
  return last !== null && scheduledAt > last.wallMs ? Math.min(lateMs, now.steadyMs - last.steadyMs) : lateMs;
}

export function dueStarter(): DueStarter {
  let after = FIRST;
  let lookedMs = Number.NEGATIVE_INFINITY;
  let lastLook: DueLook | null = null;
  const again = (): void => {
    after = FIRST;
  };
  return {
    again,
    missed: () => {
      lastLook = null;
    },
    step: (tx, now, isHeld) => {
      const nowMs = now.wallMs;
      if (Math.abs(nowMs - lookedMs) >= PASSED_OVER_MS) again();
      if (after === FIRST) lookedMs = nowMs;
      const due = dueAfter(tx, after, nowMs);
      const started: number[] = [];
      const calledOff: number[] = [];
      const held = new Map<number, boolean>();
      for (const { id, accountId, scheduledAt } of due) {
        if (lateBy(scheduledAt, now, lastLook) > MAX_LATE_MS) {
          requestCancellation(tx, id, "SCHEDULE_TOO_LATE", null, nowMs);
          calledOff.push(id);
          continue;
        }
        const isWaiting = held.get(accountId) ?? isHeld(accountId);
        held.set(accountId, isWaiting);
        if (isWaiting) continue;
        tx.run("UPDATE batches SET status = 'QUEUED' WHERE id = ? AND status = 'SCHEDULED'", id);
        // Every message of it may have been given up while it waited, with an operator that was retired.
        reconsiderBatch(tx, id, nowMs);
        started.push(id);
      }
      const last = due.at(-1);
      const hasMore = due.length === STEP;
      tx.afterCommit(() => {
        after = last ?? after;
        if (!hasMore) lastLook = now;
      });
      return { started, calledOff, hasMore };
    },
  };
}

function dueAfter(tx: Tx, after: DuePlace, nowMs: number): (DuePlace & { readonly accountId: number })[] {
  return tx.all(
    `SELECT id, account_id AS accountId, scheduled_at AS scheduledAt FROM batches
     WHERE status = 'SCHEDULED' AND cancel_reason IS NULL AND (scheduled_at, id) > (?, ?) AND scheduled_at <= ?
       AND ${NOT_HELD}
     ORDER BY scheduled_at, id LIMIT ?`,
    after.scheduledAt,
    after.id,
    nowMs,
    STEP,
  );
}
