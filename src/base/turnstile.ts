import type { Clock } from "./clock.ts";

/**
 * Lets one caller through in every turn of the event loop, in the order they came: however many long jobs there are, a
 * turn holds one piece of one of them.
 */
export function turnstile(clock: Clock): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => new Promise((resolve) => clock.soon(resolve)));
    return last;
  };
}
