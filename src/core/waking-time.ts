import type { Clock } from "./clock.ts";

/** The steady clock, which stands still while the machine sleeps, with what it slept. */
export type WakingTime = {
  readonly steadyMs: () => number;
  /** Counts what the machine has slept since the last time, where it is more than `leastMs`. */
  readonly countSleep: (leastMs: number) => void;
};

export function wakingTime(clock: Clock): WakingTime {
  // How far the machine's uptime is ahead of the steady clock: by what it slept before.
  const apartMs = uptimeAheadMs(clock);
  let sleptMs = 0;
  return {
    steadyMs: () => clock.steadyMs() + sleptMs,
    countSleep: (leastMs) => {
      if (apartMs === null) return;
      const asleepMs = (uptimeAheadMs(clock) ?? apartMs) - apartMs;
      if (asleepMs - sleptMs > leastMs) sleptMs = asleepMs;
    },
  };
}

function uptimeAheadMs(clock: Clock): number | null {
  return clock.uptimeMs ? clock.uptimeMs() - clock.steadyMs() : null;
}
