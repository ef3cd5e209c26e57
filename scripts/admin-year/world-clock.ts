import { shiftedClock } from "../rehearse/shifted-clock.ts";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** What time it is in the year that is played: for the machines, for whoever types there, and for the operators. */
export type WorldClock = {
  /** What stands before a command so that it lives in that time. */
  readonly prefix: readonly string[];
  readonly now: () => Date;
  readonly set: (at: Date) => void;
};

/** Begins with this machine's time. `file` is where programs read how far theirs is from it. */
export function worldClock(library: string, file: string): WorldClock {
  const { prefix, shiftBy } = shiftedClock(library, file);
  let aheadMs = 0;
  return {
    prefix,
    now: () => new Date(Date.now() + aheadMs),
    set: (at) => {
      aheadMs = Math.round((at.getTime() - Date.now()) / 1000) * 1000;
      shiftBy(aheadMs / 1000);
    },
  };
}
