/** A limit on how often something may happen in a moving span of time, counted by key. */
type SlidingWindow = {
  /** Takes one for a key at a steady time; null when there was one left, otherwise the milliseconds until there is one again. */
  readonly take: (key: number, steadyMs: number) => number | null;
  /** Whether the next one of a key would have to wait. */
  readonly isSpent: (key: number, steadyMs: number) => boolean;
};

/** At most `most` for each key within any stretch of `overMs`. Older ones are forgotten, so memory holds one stretch. */
export function slidingWindow(most: number, overMs: number): SlidingWindow {
  // In the order of their latest `take`.
  const taken = new Map<number, readonly number[]>();
  return {
    isSpent: (key, steadyMs) =>
      (taken.get(key) ?? []).filter((atMs) => atMs > steadyMs - overMs).length >= most,
    take: (key, steadyMs) => {
      const isOver = (atMs: number): boolean => atMs <= steadyMs - overMs;
      for (const [other, times] of taken) {
        if (!isOver(times.at(-1) ?? 0)) break;
        taken.delete(other);
      }
      const recent = (taken.get(key) ?? []).filter((atMs) => !isOver(atMs));
      const [oldest] = recent;
      if (oldest !== undefined && recent.length >= most) return oldest + overMs - steadyMs;
      taken.delete(key);
      taken.set(key, [...recent, steadyMs]);
      return null;
    },
  };
}
