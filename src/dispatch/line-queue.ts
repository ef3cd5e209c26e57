import type { Settings } from "../config/in-force.ts";
import type { Clock } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import type { Reader } from "../db/read.ts";
import type { Store } from "../db/store.ts";
import { calledOff } from "../domain/messages/cancel.ts";
import type { QueuedBatch, UnwrittenBatch } from "../domain/messages/queue.ts";
import { type Backlog, backlog } from "./backlog.ts";
import { freshGateOf, gateOf, type SendingGate } from "./gate.ts";
import { giveUpQueued } from "./give-up.ts";
import type { LineTools } from "./line.ts";
import type { OwnedWork } from "./owned-work.ts";

export type LineQueueDeps = Pick<LineTools, "onOver"> & {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly own: OwnedWork["own"];
  /** What the channel itself says of a batch that may leave otherwise; absent: it may. */
  readonly channelGate?: (batch: QueuedBatch) => SendingGate;
  /** Told that there may be something to take. */
  readonly onReady: () => void;
};

export type LineQueue = Backlog & {
  /** Whether messages of a batch that is being accepted need not wait: it may be sent from, and is the next. */
  readonly isFree: (read: Reader, batch: UnwrittenBatch) => boolean;
};

/** The queue of one operator with the gate that holds for every channel: what it gives up ends here. */
export function lineQueue(deps: LineQueueDeps): LineQueue {
  const { settings, store, clock, log, own, onReady, onOver, channelGate } = deps;
  const queue = backlog({
    read: store.read,
    clock,
    gate: (batch, isFresh) => {
      const verdict = gateOf({ read: store.read, policy: settings.now().policy }, batch, clock, isFresh);
      return verdict.kind === "open" && channelGate ? soonest(verdict, channelGate(batch)) : verdict;
    },
    // What is given up here may go on by another line.
    onGivenUp: (batch, { error }) =>
      own(giveUpQueued({ store, clock, log }, batch, error).then(() => onOver(batch.batchId))),
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

/** What the channel says, no longer than the other gate is open. */
function soonest(open: Extract<SendingGate, { kind: "open" }>, channel: SendingGate): SendingGate {
  return channel.kind === "open" && channel.untilMs > open.untilMs ? open : channel;
}
