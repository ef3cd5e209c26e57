import type { Chance } from "../../../src/base/chance.ts";
import type { Clock } from "../../../src/base/clock.ts";
import type { Scheduler } from "./scheduler.ts";

/** The machine's wall clock: it outlives processes, and may be set wrong. */
export type WallClock = { readonly startMs: number; setByMs: number };

/** Asking for the time takes a little of it, and now and then the process is held up. */
const ASKING_MS = 0.002;
const HELD_UP = 0.0005;
/** On a machine that others keep busy: work piles up behind whatever is held up, and one transaction ends in the middle of it. */
const HELD_UP_OFTEN = 0.02;
const HELD_UP_MS = 6;

/**
 * The clock of one process: what it waits for ends with it. `uptimeMs` goes on over processes, as a machine's does.
 * `isAlive`: whether the process still is.
 */
export function lifeClock(
  time: Scheduler,
  { wall, isBusy }: { readonly wall: WallClock; readonly isBusy: boolean },
  chance: Chance,
  isAlive: () => boolean,
): Clock {
  const heldUp = isBusy ? HELD_UP_OFTEN : HELD_UP;
  const beganMs = time.nowMs();
  const whileAlive = (callback: () => void) => () => {
    if (isAlive()) callback();
  };
  return {
    nowMs: () => Math.floor(wall.startMs + time.nowMs() + wall.setByMs),
    steadyMs: () => {
      time.spend(chance.fraction() < heldUp ? HELD_UP_MS : ASKING_MS);
      return time.nowMs() - beganMs;
    },
    doubt: () => null,
    uptimeMs: () => Math.floor((time.nowMs() + 600_000) / 10) * 10,
    // As the runtime's timers: whole milliseconds, and never sooner than asked.
    after: (delayMs, callback) => time.after(Math.max(1, Math.ceil(delayMs)), whileAlive(callback)),
    soon: (callback) => time.soon(whileAlive(callback)),
  };
}
