import type { Clock } from "../core/clock.ts";
import { errorFields, type Log } from "../core/log.ts";
import { createYielder } from "../core/slices.ts";
import type { Reader } from "../db/read.ts";
import { type QueuePlace, findNextQueuePlace, TOP_OF_QUEUE } from "../domain/messages/queue.ts";

/**
 * Visits every place of the queue, and lets others have their turn in between: tens of thousands may wait for an operator
 * that is away. The newest come first, because what is urgent is new.
 */
export async function scanQueue(
  read: Reader,
  clock: Clock,
  visit: (place: QueuePlace) => void,
  isStopping: () => boolean,
): Promise<void> {
  const pause = createYielder(clock);
  for (let place = findNextQueuePlace(read, TOP_OF_QUEUE); place; place = findNextQueuePlace(read, place)) {
    const turn = pause();
    if (turn !== undefined) await turn;
    if (isStopping()) return;
    visit(place);
  }
}

/** Visits of the whole queue, one at a time. */
export type QueueScans = {
  /** Begins one. Asked for while one is under way, there is one more afterwards. */
  readonly begin: () => void;
  /** Resolves when none is under way. */
  readonly idle: () => Promise<void>;
};

export function queueScans(deps: {
  readonly read: Reader;
  readonly clock: Clock;
  readonly log: Log;
  readonly visit: (place: QueuePlace) => void;
  readonly isStopping: () => boolean;
}): QueueScans {
  const { read, clock, log, visit, isStopping } = deps;
  let underWay: Promise<void> | null = null;
  let isAskedAgain = false;
  const begin = (): void => {
    if (isStopping()) return;
    isAskedAgain = underWay !== null;
    if (isAskedAgain) return;
    underWay = scanQueue(read, clock, visit, isStopping)
      .catch((error) => log.error("batches could not be offered", { ...errorFields(error) }))
      .finally(() => {
        underWay = null;
        if (isAskedAgain) begin();
      });
  };
  return {
    begin,
    idle: async () => {
      await underWay;
    },
  };
}
