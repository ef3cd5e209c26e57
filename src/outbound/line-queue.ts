import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Settings } from "../config/in-force.ts";
import { calledOff } from "../messages/cancel.ts";
import type { UnwrittenBatch } from "../messages/queue.ts";
import type { Reader } from "../store/read.ts";
import type { Store } from "../store/store.ts";
import { type Backlog, backlog } from "./backlog.ts";
import { freshGateOf, gateOf } from "./gate.ts";
import { giveUpQueued } from "./give-up.ts";
import type { LineTools } from "./line.ts";
import type { OwnedWork } from "./owned-work.ts";

export type LineQueueDeps = Pick<LineTools, "onOver"> & {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly own: OwnedWork["own"];
  /** Told that there may be something to take. */
  readonly onReady: () => void;
};

export type LineQueue = Backlog & {
  /** Whether messages of a batch that is being accepted need not wait: it may be sent from, and is the next. */
  readonly isFree: (read: Reader, batch: UnwrittenBatch) => boolean;
};

/** The queue of one operator with the gate that holds for every channel: what it gives up ends here. */
export function lineQueue({ settings, store, clock, log, own, onReady, onOver }: LineQueueDeps): LineQueue {
  const queue = backlog({
    read: store.read,
    clock,
    gate: (batch, isFresh) =>
      gateOf({ read: store.read, policy: settings.now().policy }, batch, clock, isFresh),
    onGivenUp: (batch, { error }) => own(giveUpQueued({ store, clock, log }, batch, error)),
    isCalledOff: (batchId) => calledOff(store.read, batchId) !== null,
    onOver: ({ batchId }) => onOver(batchId),
    onReady,
  });
  return {
    ...queue,
    isFree: (read, batch) =>
      queue.isNext(batch.messageClass) &&
      freshGateOf({ read, policy: settings.now().policy }, batch, clock).kind === "open",
  };
}
