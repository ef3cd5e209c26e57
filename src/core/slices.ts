import type { Clock } from "./clock.ts";

/** How long one stretch of work may hold the event loop before everybody else gets a turn. */
const SLICE_MS = 4;

/**
 * Asked between items of a long computation: undefined while the stretch is short, else a promise that resolves after a
 * turn of the event loop.
 */
export function createYielder(clock: Clock): () => Promise<void> | undefined {
  let began = clock.steadyMs();
  return () => {
    if (clock.steadyMs() - began < SLICE_MS) return undefined;
    return new Promise((resolve) => {
      clock.soon(() => {
        began = clock.steadyMs();
        resolve();
      });
    });
  };
}

/**
 * Does work in steps of up to `most`, one after the other so that others get their turn in between, until a step does less.
 * How much was done.
 */
export async function runInBatches(most: number, step: () => Promise<number>): Promise<number> {
  for (let done = 0; ; ) {
    const now = await step();
    done += now;
    if (now < most) return done;
  }
}
