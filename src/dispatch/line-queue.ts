import type { Settings } from "../config/in-force.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Reader } from "../db/read.ts";
import type { Store } from "../db/store.ts";
import { calledOff } from "../domain/messages/cancel.ts";
import type { QueuedBatch, PendingBatch } from "../domain/messages/queue.ts";
import { type BatchQueue, batchQueue } from "./backlog.ts";
import { checkNewBatchGate, checkGate, type SendingGate } from "./gate.ts";
import { giveUpQueued } from "./give-up.ts";
import type { WorkerTools } from "./line.ts";
import type { TaskTracker } from "./owned-work.ts";

export type OperatorQueueDeps = Pick<WorkerTools, "onOver"> & {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly own: TaskTracker["own"];
  /** What the channel itself says of a batch that may leave otherwise; absent: it may. */
  readonly channelGate?: (batch: QueuedBatch) => SendingGate;
  /** Told that there may be something to take. */
  readonly onReady: () => void;
};

export type OperatorQueue = BatchQueue & {
  /** Whether messages of a batch that is being accepted need not wait: it may be sent from, and is the next. */
  readonly isFree: (read: Reader, batch: PendingBatch) => boolean;
};

/** The queue of one operator with the gate that holds for every channel: what it gives up ends here. */
export function operatorQueue(deps: OperatorQueueDeps): OperatorQueue {
  const { settings, store, clock, log, own, onReady, onOver, channelGate } = deps;
  const queue = batchQueue({
    read: store.read,
    clock,
    gate: (batch, isFresh) => {
      const verdict = checkGate({ read: store.read, policy: settings.now().policy }, batch, clock, isFresh);
      return verdict.kind === "open" && channelGate ? soonest(verdict, channelGate(batch)) : verdict;
    },
    // What is given up here may go on by another line.
    onGivenUp: (batch, { error }) =>
      own(giveUpQueued({ store, clock, log }, batch, error).then(() => onOver(batch.batchId))),
    isBatchCancelled: (batchId) => calledOff(store.read, batchId) !== null,
    onOver: ({ batchId }) => onOver(batchId),
    onReady,
  });
  return {
    ...queue,
    isFree: (read, batch) =>
      queue.isNext(batch.messageClass) &&
      checkNewBatchGate({ read, policy: settings.now().policy }, batch, clock).kind === "open",
  };
}

/** What the channel says, no longer than the other gate is open. */
function soonest(open: Extract<SendingGate, { kind: "open" }>, channel: SendingGate): SendingGate {
  return channel.kind === "open" && channel.untilMs > open.untilMs ? open : channel;
}
