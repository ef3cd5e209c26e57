import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import type { Settings } from "../config/in-force.ts";
import { calledOff } from "../messages/cancel.ts";
import type { Store } from "../store/store.ts";
import { type Backlog, backlog } from "./backlog.ts";
import { gateOf } from "./gate.ts";
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

/** The queue of one operator with the gate that holds for every channel: what it gives up ends here. */
export function lineQueue({ settings, store, clock, log, own, onReady, onOver }: LineQueueDeps): Backlog {
  return backlog({
    read: store.read,
    clock,
    gate: (batch, isFresh) =>
      gateOf({ read: store.read, policy: settings.now().policy }, batch, clock, isFresh),
    onGivenUp: (batch, { error }) => own(giveUpQueued({ store, clock, log }, batch, error)),
    isCalledOff: (batchId) => calledOff(store.read, batchId) !== null,
    onOver: ({ batchId }) => onOver(batchId),
    onReady,
  });
}
