import type { Clock } from "../base/clock.ts";
import { errorFields, type Log } from "../base/log.ts";
import { type CalledOff, cancelWaiting } from "../messages/cancel.ts";
import type { Store } from "../store/store.ts";

/** Messages cancelled in one transaction, so that nobody waits for a large batch. */
const STEP = 250;

export type CallOffDeps = { readonly store: Store; readonly clock: Clock; readonly log: Log };

/** Cancels and releases what waits of batches that were called off. */
export type CallOffs = {
  /** Begins with a batch, unless it is under way. What can't be written is found in the queue again. */
  readonly begin: (batch: CalledOff) => void;
  /** Resolves when none is under way. */
  readonly idle: () => Promise<void>;
};

export function callOffs(deps: CallOffDeps): CallOffs {
  const underWay = new Map<number, Promise<void>>();
  return {
    begin: (batch) => {
      if (underWay.has(batch.id)) return;
      underWay.set(
        batch.id,
        cancelQueued(deps, batch).finally(() => underWay.delete(batch.id)),
      );
    },
    idle: async () => {
      await Promise.all(underWay.values());
    },
  };
}

async function cancelQueued({ store, clock, log }: CallOffDeps, batch: CalledOff): Promise<void> {
  try {
    let cancelled = STEP;
    while (cancelled === STEP) {
      cancelled = await store.write((tx) => cancelWaiting(tx, batch, clock.nowMs(), STEP));
    }
  } catch (failure) {
    log.error("messages could not be cancelled", { batch: batch.id, ...errorFields(failure) });
  }
}
