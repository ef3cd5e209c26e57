import type { Clock } from "../base/clock.ts";

/** Counts attempts by a name in windows of time, and refuses what is too many. */
export type Attempts = {
  /** Counts one; the whole seconds to wait where there were too many, else null. */
  readonly take: (name: string) => number | null;
  /** The last attempt succeeded, and does not count. */
  readonly giveBack: (name: string) => void;
  /** An attempt that succeeded: those before it no longer count. */
  readonly forget: (name: string) => void;
};

export type AttemptLimits = { readonly most: number; readonly windowMs: number; readonly mostNames: number };

/** A name's window begins with its first attempt. The oldest name makes room for a new one: memory is bounded. */
export function attempts(
  clock: Pick<Clock, "steadyMs">,
  { most, windowMs, mostNames }: AttemptLimits,
): Attempts {
  const windows = new Map<string, { count: number; readonly endsMs: number }>();
  return {
    take: (name) => {
      const nowMs = clock.steadyMs();
      let window = windows.get(name);
      if (!window || window.endsMs <= nowMs) {
        windows.delete(name);
        const [oldest] = windows.keys();
        if (windows.size >= mostNames && oldest !== undefined) windows.delete(oldest);
        window = { count: 0, endsMs: nowMs + windowMs };
        windows.set(name, window);
      }
      window.count += 1;
      return window.count > most ? Math.max(1, Math.ceil((window.endsMs - nowMs) / 1000)) : null;
    },
    giveBack: (name) => {
      const window = windows.get(name);
      if (window) window.count = Math.max(0, window.count - 1);
    },
    forget: (name) => {
      windows.delete(name);
    },
  };
}
