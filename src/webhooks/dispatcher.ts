/**
 * Tells endpoints what happened. One lane for each enabled endpoint; lanes take turns, so that a slow or failing one
 * delays nobody else, and what came of the attempts is written a few times a second for all of them together.
 */
import type { Chance } from "../core/chance.ts";
import type { Clock } from "../core/clock.ts";
import { errorFields, type Log } from "../core/log.ts";
import { startLoop } from "../core/loop.ts";
import { orAfter } from "../core/stop-plan.ts";
import type { Seal } from "../db/seal.ts";
import type { Store } from "../db/store.ts";
import type { Post } from "../https/post.ts";
import { attemptTurns } from "./attempt-turns.ts";
import { endpointLook } from "./endpoint-look.ts";
import { flightRoom } from "./flight-room.ts";
import { openLanes } from "./open-lanes.ts";
import { outcomeWriter } from "./outcome-writer.ts";
import type { WriteOutcomes } from "./outcomes.ts";
import type { Delays } from "./schedule.ts";

export type DispatcherDeps = {
  readonly store: Pick<Store, "read" | "version">;
  readonly write: WriteOutcomes;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly seal: Seal;
  readonly delays: () => Delays;
  readonly post: Post;
};

export type Dispatcher = {
  /** Looks at once for what is new. */
  readonly wake: () => void;
  /** How it goes, since the start. */
  readonly figures: () => DispatchFigures;
  /** Begins no more attempts, waits up to `graceMs` for those under way, and writes what came of them. */
  readonly stop: (graceMs: number) => Promise<void>;
};

/** Counted since the start of the process, but for what is in flight at this moment. */
export type DispatchFigures = {
  /** Enabled endpoints that can be told something. */
  readonly endpoints: number;
  readonly inFlight: number;
  readonly delivered: number;
  readonly failed: number;
  readonly givenUp: number;
  /** Endpoints disabled after failures. */
  readonly disabled: number;
  /** All attempts together took this long. */
  readonly attemptsMs: number;
};

/** Between two looks for what is new or due, and between two writings of what came of it. */
const LOOK_MS = 100;
const WRITE_MS = 100;
/** What a disk does not take is tried again at least so often. */
const LONGEST_BACKOFF_MS = 5000;

export function startDispatcher(deps: DispatcherDeps): Dispatcher {
  const { store, write, clock, log } = deps;
  const room = flightRoom();
  const stopping = new AbortController();
  const counts = { delivered: 0, failed: 0, givenUp: 0, disabled: 0, attemptsMs: 0 };
  let onIdle: (() => void) | null = null;
  const lanes = openLanes({
    ...deps,
    read: store.read,
    stop: stopping.signal,
    counts,
    onEnd: ({ accountId }, isOpen) => {
      room.ended(accountId);
      if (room.inFlight() === 0) onIdle?.();
      // Of one that was dropped nothing is written down, so nothing else tells the others of the room it left.
      if (!isOpen) looks.again();
      turns.soon();
    },
    onDropped: () => looks.again(),
  });
  const turns = attemptTurns(lanes, room, clock, log);
  const looks = endpointLook(store, clock, deps.delays, lanes);
  const looking = startLoop({
    name: "look for webhook events",
    everyMs: LOOK_MS,
    clock,
    log,
    runOnce: async () => {
      if (await looks.look()) turns.soon();
      return false;
    },
  });
  const writeDown = outcomeWriter(write, lanes, () => turns.soon(), looks.again);
  const writing = startLoop({
    name: "write down webhook attempts",
    everyMs: WRITE_MS,
    longestBackoffMs: LONGEST_BACKOFF_MS,
    clock,
    log,
    runOnce: async () => {
      await writeDown();
      return false;
    },
  });
  return {
    wake: looking.wake,
    figures: () => ({ ...counts, endpoints: lanes.count(), inFlight: room.inFlight() }),
    stop: async (graceMs) => {
      turns.stop();
      looks.stop();
      await looking.stop();
      const idle = Promise.withResolvers<void>();
      onIdle = idle.resolve;
      if (room.inFlight() > 0) await orAfter(clock, graceMs, idle.promise);
      await writing.stop();
      lanes.leaveOff();
      // What is not written then is told again after the next start.
      await writeDown().catch((error: unknown) => {
        log.error("what webhooks came to could not be written", errorFields(error));
      });
      for (const lane of lanes.all()) lane.close();
      stopping.abort();
    },
  };
}
