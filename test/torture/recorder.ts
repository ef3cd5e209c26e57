import type { Clock } from "../../src/core/clock.ts";
import type { Observe, Seen } from "../sim/observation.ts";
import type { LineFile } from "./observation-lines.ts";

/** Dates what is seen by true time, writes it down, and tells those that wait for something to be seen. */
export type Recorder = {
  readonly observe: Observe;
  readonly atMs: () => number;
  /** Calls back with everything that is seen from now on, until what it returns is called. */
  readonly watch: (watcher: (seen: Seen) => void) => () => void;
  /** How often each kind was seen. */
  readonly counts: ReadonlyMap<Seen["kind"], number>;
};

export function recorder(clock: Clock, file: LineFile): Recorder {
  const beganMs = clock.steadyMs();
  const atMs = () => Math.round((clock.steadyMs() - beganMs) * 1000) / 1000;
  const watchers = new Set<(seen: Seen) => void>();
  const counts = new Map<Seen["kind"], number>();
  return {
    atMs,
    counts,
    observe: (seen) => {
      file.add({ ...seen, atMs: atMs() });
      counts.set(seen.kind, (counts.get(seen.kind) ?? 0) + 1);
      for (const watcher of watchers) watcher(seen);
    },
    watch: (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}
