import type { Scheduler } from "./scheduler.ts";

/** Lets simulated time pass. */
export type Passing = {
  /** Until it is over, or the time has come; whether it is over. */
  readonly until: (untilMs: number, isOver: () => boolean) => boolean;
  /** Until the promise is kept; what kept it from that is told. */
  readonly keeping: (what: string, promise: Promise<unknown>) => void;
};

/** People that still try what they began, and questions that are asked. */
const PATIENCE_MS = 3_600_000;
/** Many more events than a run has. */
const MAX_STEPS = 20_000_000;

/** `trouble` hears of promises that are broken, or not kept in time. @throws when there is no end of events. */
export function passing(time: Scheduler, trouble: (words: string) => void): Passing {
  let steps = 0;
  const until: Passing["until"] = (untilMs, isOver) => {
    while (!isOver()) {
      if (time.nextMs() > untilMs) return false;
      steps += 1;
      if (steps > MAX_STEPS) throw new Error("the run does not end");
      time.step();
    }
    return true;
  };
  return {
    until,
    keeping: (what, promise) => {
      let isOver = false;
      promise.then(
        () => {
          isOver = true;
        },
        (error) => {
          isOver = true;
          trouble(`${what} failed: ${String(error instanceof Error ? error.stack : error)}`);
        },
      );
      time.settle();
      if (!until(time.nowMs() + PATIENCE_MS, () => isOver)) trouble(`${what} did not end`);
    },
  };
}
