import type { Clock } from "../base/clock.ts";

/**
 * The time by which the other end of a link is judged, in milliseconds that never run backwards. While we do not read
 * the link, an answer may be here and not seen: then time passes ten times slower, so that nobody is taken for silent
 * because of us, and whatever waits still has an end.
 */
export type LinkTime = {
  readonly nowMs: () => number;
  readonly slow: () => void;
  readonly normal: () => void;
};

const SLOWER = 10;

export function linkTime(clock: Clock): LinkTime {
  /** What the slow stretches so far took away. */
  let lostMs = 0;
  let slowSinceMs: number | null = null;

  const lostNowMs = (): number =>
    slowSinceMs === null ? 0 : (clock.steadyMs() - slowSinceMs) * (1 - 1 / SLOWER);

  return {
    nowMs: () => clock.steadyMs() - lostMs - lostNowMs(),
    slow: () => {
      slowSinceMs ??= clock.steadyMs();
    },
    normal: () => {
      lostMs += lostNowMs();
      slowSinceMs = null;
    },
  };
}
