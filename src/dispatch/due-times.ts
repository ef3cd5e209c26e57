/** When batches are to be looked at again: one timer for all of them, and a few at a time where many are due at once. */
import type { Cancel, Clock } from "../core/clock.ts";
import { heap } from "../core/heap.ts";
import type { QueuedBatch } from "../domain/messages/queue.ts";

export type DueTimes = {
  /** Has a batch looked at when the wall clock shows `dueMs`. The earliest of several times counts. */
  readonly set: (batch: QueuedBatch, dueMs: number) => void;
  /** The batch with this id, while its time is awaited. */
  readonly get: (batchId: number) => QueuedBatch | null;
  readonly remove: (batchId: number) => void;
  readonly clear: () => void;
};

/** The wall clock is read again this often: it may have been set, or the machine slept, since the timer was armed. */
const MAX_MS = 60_000;

/** Batches looked at in one turn of the event loop: all of a night's marketing is due at the same minute. */
const BATCHES_A_TURN = 100;

type DueTime = { readonly batch: QueuedBatch; readonly dueMs: number };

export function dueTimes(clock: Clock, onDue: (batch: QueuedBatch) => void): DueTimes {
  const awaited = new Map<number, DueTime>();
  // Holds times as well that were replaced or removed; `awaited` tells.
  const inOrder = heap<DueTime>(({ dueMs }) => dueMs);
  const wall = watchedWall(clock);
  let armedFor = Number.POSITIVE_INFINITY;
  let cancelTimer: Cancel = () => {};

  const arm = (): void => {
    const nextMs = inOrder.least()?.dueMs ?? Number.POSITIVE_INFINITY;
    if (nextMs === armedFor) return;
    cancelTimer();
    armedFor = nextMs;
    if (nextMs < Number.POSITIVE_INFINITY) {
      cancelTimer = clock.after(Math.min(nextMs - wall.read(), MAX_MS), ring);
    }
  };

  /** What a clock showed that was set back since says nothing of how long there is to wait: all is due. */
  const makeAllDue = (nowMs: number): void => {
    inOrder.clear();
    for (const [batchId, { batch }] of awaited) {
      const time = { batch, dueMs: nowMs };
      awaited.set(batchId, time);
      inOrder.push(time);
    }
  };

  const ring = (): void => {
    armedFor = Number.POSITIVE_INFINITY;
    const nowMs = wall.read();
    if (wall.takeSetBack()) makeAllDue(nowMs);
    for (let looked = 0; looked < BATCHES_A_TURN; looked++) {
      const next = inOrder.least();
      if (next === undefined || next.dueMs > nowMs) break;
      inOrder.pop();
      if (awaited.get(next.batch.batchId) !== next) continue;
      awaited.delete(next.batch.batchId);
      onDue(next.batch);
    }
    arm();
  };

  return {
    set: (batch, dueMs) => {
      const known = awaited.get(batch.batchId);
      if (known && known.dueMs <= dueMs) return;
      const time = { batch, dueMs };
      awaited.set(batch.batchId, time);
      inOrder.push(time);
      arm();
    },
    get: (batchId) => awaited.get(batchId)?.batch ?? null,
    remove: (batchId) => {
      awaited.delete(batchId);
    },
    clear: () => {
      awaited.clear();
      inOrder.clear();
      arm();
    },
  };
}

/** The wall clock, with whether it was set back from one reading to a later one. */
function watchedWall(clock: Clock) {
  let readMs = Number.NEGATIVE_INFINITY;
  let isSetBack = false;
  return {
    read: (): number => {
      const nowMs = clock.nowMs();
      isSetBack ||= nowMs < readMs;
      readMs = nowMs;
      return nowMs;
    },
    /** Whether it was since this was asked last. */
    takeSetBack: (): boolean => {
      const was = isSetBack;
      isSetBack = false;
      return was;
    },
  };
}
