import type { Clock } from "../core/clock.ts";

/**
 * When the event loop last had time: what is read now may have waited in the socket since then, so a busy machine
 * must not look like a client that is too fast. Steady milliseconds.
 */
export type Heartbeat = { readonly lastMs: () => number; readonly stop: () => void };

const BEAT_MS = 10;

/** Beats from the first time that it is asked, so that nobody pays for it who does not ask. */
export function heartbeat(clock: Clock): Heartbeat {
  let lastMs: number | null = null;
  let cancel = (): void => {};
  const beat = (): void => {
    lastMs = clock.steadyMs();
    cancel = clock.after(BEAT_MS, beat);
  };
  return {
    lastMs: () => {
      if (lastMs === null) beat();
      return lastMs ?? clock.steadyMs();
    },
    stop: () => cancel(),
  };
}
