import type { Clock } from "../../core/clock.ts";

/** Counts attempts by a name in windows of time, and refuses what is too many. */
export type Attempts = {
  /** Counts one; the whole seconds to wait where there were too many, else null. */
  readonly take: (name: string) => number | null;
  /** The last attempt succeeded, and does not count. */
  readonly giveBack: (name: string) => void;
  /** An attempt that succeeded: those before it no longer count. */
  readonly forget: (name: string) => void;
};

export type AttemptLimits = {
  /** Asked at each attempt. */
  readonly most: () => number;
  readonly windowMs: number;
  readonly mostNames: number;
};

type Window = { count: number; readonly endsMs: number };

/**
 * A name's window begins with its first attempt. Memory is bounded: the name with the fewest attempts makes room for a new one, the oldest
 * of those, so that nobody clears the window of a name that has many by inventing others.
 */
export function attempts(
  clock: Pick<Clock, "steadyMs">,
  { most, windowMs, mostNames }: AttemptLimits,
): Attempts {
  /** In the order of their ends: all windows are as long. */
  const windows = new Map<string, Window>();
  /** Names by how many attempts they had, in the order in which they came to as many. */
  const tiers = new Map<number, Set<string>>();
  const drop = (name: string): void => {
    const window = windows.get(name);
    if (!window) return;
    leaveTier(name, window.count);
    windows.delete(name);
  };
  const leaveTier = (name: string, count: number): void => {
    const tier = tiers.get(count);
    tier?.delete(name);
    if (tier?.size === 0) tiers.delete(count);
  };
  const setCount = (name: string, window: Window, count: number): void => {
    leaveTier(name, window.count);
    window.count = count;
    const tier = tiers.get(count);
    if (tier) tier.add(name);
    else tiers.set(count, new Set([name]));
  };
  const makeRoom = (nowMs: number): void => {
    for (const [name, { endsMs }] of windows) {
      if (endsMs > nowMs) break;
      drop(name);
    }
    if (windows.size < mostNames) return;
    const [name] = tiers.get(Math.min(...tiers.keys())) ?? [];
    if (name !== undefined) drop(name);
  };
  return {
    take: (name) => {
      const nowMs = clock.steadyMs();
      const limit = most();
      const known = windows.get(name);
      if (known && known.endsMs > nowMs) {
        // Counted no further than it takes to refuse: there are no more tiers than that.
        setCount(name, known, Math.min(known.count + 1, limit + 1));
        return known.count > limit ? Math.max(1, Math.ceil((known.endsMs - nowMs) / 1000)) : null;
      }
      drop(name);
      if (windows.size >= mostNames) makeRoom(nowMs);
      const window = { count: 0, endsMs: nowMs + windowMs };
      windows.set(name, window);
      setCount(name, window, 1);
      return null;
    },
    giveBack: (name) => {
      const window = windows.get(name);
      if (window && window.count > 0) setCount(name, window, window.count - 1);
    },
    forget: drop,
  };
}
