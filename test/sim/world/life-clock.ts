import type { Chance } from "../../../src/core/chance.ts";
import type { Clock } from "../../../src/core/clock.ts";
import type { Scheduler } from "./scheduler.ts";

/** The machine's wall clock: it outlives processes, and may be set wrong. */
export type WallClock = { readonly startMs: number; setByMs: number };

/** Asking for the time takes a little of it, and now and then the process is held up. */
const ASKING_MS = 0.002;

/** How often a process is held up that asks for the time, and for how long. */
const HELD_UP = {
  never: { share: 0.0005, forMs: 6 },
  /** On a machine that others keep busy: work piles up behind whatever is held up, and one transaction ends in the middle of it. */
  often: { share: 0.02, forMs: 6 },
  /** While a plan says so: for long enough that much comes in meanwhile. */
  now: { share: 0.4, forMs: 25 },
} as const;

export type Busy = keyof typeof HELD_UP;

/**
 * The clock of one process: what it waits for ends with it. `uptimeMs` goes on over processes, as a machine's does.
 * `isAlive`: whether the process still is.
 */
export function lifeClock(
  time: Scheduler,
  { wall, isBusy }: { readonly wall: WallClock; readonly isBusy: () => Busy },
  chance: Chance,
  isAlive: () => boolean,
): Clock {
  const beganMs = time.nowMs();
  const heldUpMs = (): number => {
    const { share, forMs } = HELD_UP[isBusy()];
    return chance.fraction() < share ? forMs : ASKING_MS;
  };
  const whileAlive = (callback: () => void) => () => {
    if (isAlive()) callback();
  };
  return {
    nowMs: () => Math.floor(wall.startMs + time.nowMs() + wall.setByMs),
    steadyMs: () => {
      time.spend(heldUpMs());
      return time.nowMs() - beganMs;
    },
    doubt: () => null,
    uptimeMs: () => Math.floor((time.nowMs() + 600_000) / 10) * 10,
    // As the runtime's timers: whole milliseconds, and never sooner than asked.
    after: (delayMs, callback) => time.after(Math.max(1, Math.ceil(delayMs)), whileAlive(callback)),
    soon: (callback) => time.soon(whileAlive(callback)),
  };
}
