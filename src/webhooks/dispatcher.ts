/**
 * Tells endpoints what happened. One lane for each enabled endpoint; lanes take turns, so that a slow or failing one
 * delays nobody else, and what came of the attempts is written a few times a second for all of them together.
 */
import type { Chance } from "../base/chance.ts";
import type { Clock } from "../base/clock.ts";
import { errorFields, type Log } from "../base/log.ts";
import { startLoop } from "../base/loop.ts";
import type { Post } from "../https/post.ts";
import type { Store } from "../store/store.ts";
import { attemptTurns } from "./attempt-turns.ts";
import { endpointLook } from "./endpoint-look.ts";
import { flightRoom } from "./flight-room.ts";
import { type OpenLanes, openLanes } from "./open-lanes.ts";
import { writeOutcome } from "./outcomes.ts";
import type { Delays } from "./schedule.ts";
import type { Seal } from "./sealing.ts";

export type DispatcherDeps = {
  readonly store: Pick<Store, "read" | "write" | "version">;
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

export function startDispatcher(deps: DispatcherDeps): Dispatcher {
  const { store, clock, log } = deps;
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
  const writing = startLoop({
    name: "write down webhook attempts",
    everyMs: WRITE_MS,
    clock,
    log,
    runOnce: async () => {
      await writeDown(deps, lanes);
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
      if (room.inFlight() > 0) {
        await new Promise<void>((resolve) => {
          const cancel = clock.after(graceMs, resolve);
          onIdle = () => {
            cancel();
            resolve();
          };
        });
      }
      await writing.stop();
      await writeDown(deps, lanes);
      for (const lane of lanes.all()) lane.close();
      stopping.abort();
    },
  };
}

/** Writes what the attempts came to since the last time, of all lanes in one transaction. Never rejects. */
async function writeDown(
  { store, clock, log }: Pick<DispatcherDeps, "store" | "clock" | "log">,
  { touched, drop }: OpenLanes,
): Promise<void> {
  const pages = [...touched].flatMap((lane) => {
    const outcome = lane.takeOutcome();
    return outcome ? [{ lane, outcome }] : [];
  });
  touched.clear();
  if (pages.length === 0) return;
  try {
    const kept = await store.write((tx) =>
      pages.map(({ outcome }) => writeOutcome(tx, outcome, clock.nowMs())),
    );
    for (const [index, { lane, outcome }] of pages.entries()) {
      if (kept[index] === true && !outcome.isOver) lane.settled(outcome);
      else drop(lane);
    }
  } catch (error) {
    // What was not written is attempted again under the same id, from where the cursors stand.
    log.error("what webhooks came to could not be written", { ...errorFields(error) });
    for (const { lane } of pages) drop(lane);
  }
}
