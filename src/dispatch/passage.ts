/** Messages that need not wait in the queue: the transaction that accepts them claims them as well, and they leave behind it. */

import type { Tx } from "../db/write.ts";
import type { QueuedMessage, TakeFastPathSlot, PendingBatch } from "../domain/messages/queue.ts";
import type { Holds } from "./holds.ts";
import type { Candidate } from "./lanes.ts";
import type { OperatorQueue } from "./line-queue.ts";

/** Room on one of a line's connections that a message has taken. */
export type ReservedSlot = {
  readonly message: QueuedMessage;
  /** It is claimed, and that is durable: it leaves. Gives the room back in the same turn. */
  readonly leave: (candidate: Candidate) => void;
  /** Gives the room back: it was not claimed. */
  readonly free: () => void;
};

export type FastPathDeps = {
  readonly queue: Pick<OperatorQueue, "isFree">;
  readonly holds: Holds;
  /** Nothing may be claimed for now. */
  readonly isHeld: () => boolean;
  /** Nothing is claimed any more. */
  readonly isStopping: () => boolean;
  /** The highest number that a parked receipt has by now. */
  readonly parkedBefore: () => number;
  /** Takes room for messages of a batch, in order, as far as there is any, and notes what their claim needs noted. */
  readonly seat: (tx: Tx, batch: PendingBatch, messages: readonly QueuedMessage[]) => readonly ReservedSlot[];
};

/** Room for messages that are being accepted, where nothing goes before them: as much as there is at this moment. */
export function createFastPath({
  queue,
  holds,
  isHeld,
  isStopping,
  parkedBefore,
  seat,
}: FastPathDeps): TakeFastPathSlot {
  return (tx, batch, messages) => {
    if (isStopping() || isHeld() || !queue.isFree(tx, batch)) return null;
    let taken = seat(tx, batch, messages);
    if (taken.length === 0) return null;
    for (const { message } of taken) holds.hold(message.id);
    const over = (): readonly ReservedSlot[] => {
      const seats = taken;
      taken = [];
      return seats;
    };
    return {
      count: taken.length,
      parkedBefore: parkedBefore(),
      leave: (batchId) => {
        for (const { message, leave } of over()) leave({ batch: { ...batch, batchId }, message });
      },
      end: () => {
        for (const { message, free } of over()) {
          holds.release(message.id);
          free();
        }
      },
    };
  };
}
