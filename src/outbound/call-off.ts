import type { Clock } from "../base/clock.ts";
import { errorFields, type Log } from "../base/log.ts";
import { type CalledOff, cancelWaiting } from "../messages/cancel.ts";
import type { Store } from "../store/store.ts";

/** Messages cancelled in one transaction, so that nobody waits for a large batch. */
const STEP = 250;

/** Cancels and releases what waits of a batch that was called off. What can't be written is found in the queue again. */
export async function cancelQueued(
  { store, clock, log }: { readonly store: Store; readonly clock: Clock; readonly log: Log },
  batch: CalledOff,
): Promise<void> {
  try {
    let cancelled = STEP;
    while (cancelled === STEP) {
      cancelled = await store.write((tx) => cancelWaiting(tx, batch, clock.nowMs(), STEP));
    }
  } catch (failure) {
    log.error("messages could not be cancelled", { batch: batch.id, ...errorFields(failure) });
  }
}
