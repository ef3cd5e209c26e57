import type { Cancel, Clock } from "../base/clock.ts";

/** Calls a session back when a time that it waits for has come. */
export type DeadlineTimer = {
  /** Calls back at this time at the latest; Infinity asks for nothing. */
  readonly by: (atMs: number) => void;
  readonly cancel: () => void;
};

/**
 * `nowMs` is the time that the deadlines are told in. A timer that comes early finds nothing due and is set again, so a
 * later deadline need not move it.
 */
export function deadlineTimer(clock: Clock, nowMs: () => number, due: () => void): DeadlineTimer {
  let setForMs = Number.POSITIVE_INFINITY;
  let cancel: Cancel = () => {};
  return {
    by: (atMs) => {
      if (atMs >= setForMs) return;
      cancel();
      setForMs = atMs;
      cancel = clock.after(Math.max(1, atMs - nowMs()), () => {
        setForMs = Number.POSITIVE_INFINITY;
        due();
      });
    },
    cancel: () => cancel(),
  };
}
