import type { Cancel, Clock } from "../core/clock.ts";

/**
 * The time by which the other end of a session is judged, in milliseconds that never run backwards. While the socket is not read,
 * an answer may be here and not seen: then time passes ten times slower, so that nobody is taken for silent because of us, and
 * whatever waits still has an end.
 */
export type SessionTimer = {
  readonly nowMs: () => number;
  readonly slow: () => void;
  readonly normal: () => void;
  /** Calls `due` at this time at the latest; Infinity asks for nothing. */
  readonly wakeBy: (atMs: number) => void;
  /** Makes no more calls. */
  readonly stop: () => void;
};

const SLOWER = 10;

/** `due` may be called early: it finds nothing due, and asks again. So a later deadline need not move the timer. */
export function createSessionTimer(clock: Clock, due: () => void): SessionTimer {
  /** Time that the slow stretches so far took away. */
  let lostMs = 0;
  let slowSinceMs: number | null = null;
  let wakesAtMs = Number.POSITIVE_INFINITY;
  let cancel: Cancel = () => {};

  const lostNowMs = (): number =>
    slowSinceMs === null ? 0 : (clock.steadyMs() - slowSinceMs) * (1 - 1 / SLOWER);
  const nowMs = (): number => clock.steadyMs() - lostMs - lostNowMs();

  return {
    nowMs,
    slow: () => {
      slowSinceMs ??= clock.steadyMs();
    },
    normal: () => {
      lostMs += lostNowMs();
      slowSinceMs = null;
    },
    wakeBy: (atMs) => {
      if (atMs >= wakesAtMs) return;
      cancel();
      wakesAtMs = atMs;
      cancel = clock.after(Math.max(1, atMs - nowMs()), () => {
        wakesAtMs = Number.POSITIVE_INFINITY;
        due();
      });
    },
    stop: () => cancel(),
  };
}
