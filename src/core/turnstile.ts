import type { Clock } from "./clock.ts";

/** Above so many that wait, each has a millisecond instead of a turn: what they make is garbage that must be collected meanwhile. */
const MAX_AT_FULL_SPEED = 20;

/**
 * Lets one caller through in every turn of the event loop, in the order they came: however many long jobs there are, a
 * turn holds one piece of one of them.
 */
export function fairScheduler(clock: Clock): () => Promise<void> {
  let last = Promise.resolve();
  let waiting = 0;
  const next = (): Promise<void> =>
    new Promise((resolve) => {
      if (waiting > MAX_AT_FULL_SPEED) clock.after(1, resolve);
      else clock.soon(resolve);
    });
  return async () => {
    waiting += 1;
    last = last.then(next);
    await last;
    waiting -= 1;
  };
}
