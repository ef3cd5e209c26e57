import type { Clock } from "../base/clock.ts";
import { slicer } from "../base/slices.ts";
import { type QueuePlace, queuedBelow, TOP_OF_QUEUE } from "../messages/queue.ts";
import type { Reader } from "../store/read.ts";

/**
 * Visits every place of the queue, and lets others have their turn in between: tens of thousands may wait for an operator
 * that is away. The newest come first, because what is urgent is new.
 */
export async function visitQueue(
  read: Reader,
  clock: Clock,
  visit: (place: QueuePlace) => void,
  isStopping: () => boolean,
): Promise<void> {
  const pause = slicer(clock);
  for (let place = queuedBelow(read, TOP_OF_QUEUE); place; place = queuedBelow(read, place)) {
    const turn = pause();
    if (turn !== undefined) await turn;
    if (isStopping()) return;
    visit(place);
  }
}
