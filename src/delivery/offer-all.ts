import type { Clock } from "../base/clock.ts";
import { slicer } from "../base/slices.ts";
import { sendableBatches } from "../messages/queue.ts";
import type { Reader } from "../store/read.ts";

/** Batches looked up in one go. */
const PAGE = 500;

/**
 * Offers every batch that may be sent from, and lets others have their turn in between: tens of thousands may wait for
 * an operator that is away. The newest come first, because what is urgent is new.
 */
export async function offerAll(
  read: Reader,
  clock: Clock,
  offer: (batchId: number) => void,
  isStopping: () => boolean,
): Promise<void> {
  const pause = slicer(clock);
  for (let below = Number.MAX_SAFE_INTEGER; ; ) {
    const page = sendableBatches(read, below, PAGE);
    for (const batchId of page) {
      const turn = pause();
      if (turn !== undefined) await turn;
      if (isStopping()) return;
      offer(batchId);
    }
    const last = page.at(-1);
    if (last === undefined) return;
    below = last;
  }
}
