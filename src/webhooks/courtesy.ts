import type { Clock } from "../base/clock.ts";

/** Lets work that can wait give way to work that can't: sending comes before telling. */
export type Courtesy = {
  /** Calls back soon; later when the event loop is busy, in proportion to what the last call took. */
  readonly next: (work: () => void) => void;
};

/** An event loop that takes longer than this to come round has others to serve. */
const BUSY_MS = 2;
/** Between two calls on a busy event loop, as a multiple of what the last one took: a few hundredths of it, answers included. */
const REST = 60;

export function courtesy(clock: Clock): Courtesy {
  let tookMs = 0;
  return {
    next: (work) => {
      const askedMs = clock.steadyMs();
      const run = (): void => {
        const beganMs = clock.steadyMs();
        work();
        tookMs = clock.steadyMs() - beganMs;
      };
      clock.soon(() => {
        const lagMs = clock.steadyMs() - askedMs;
        if (lagMs <= BUSY_MS) run();
        else clock.after(tookMs * REST, run);
      });
    },
  };
}
