import type { Clock } from "../../src/core/clock.ts";
import type { ActorEdges } from "./actors.ts";
import { forked } from "./chance.ts";
import type { Observation, Seen } from "./observation.ts";

/** A clock that stands still until told to move, and moves at once: nothing of the machine decides what comes first. */
export type StillClock = Clock & {
  /** Moves on by `ms`, calling back what comes due in its order. */
  readonly pass: (ms: number) => void;
  /** The same; promises settle between the calls back. */
  readonly passSettling: (ms: number) => Promise<void>;
};

export function stillClock(startMs = Date.UTC(2026, 2, 2, 9, 0, 0)): StillClock {
  let nowMs = startMs;
  let order = 0;
  const timers = new Map<number, { readonly dueMs: number; readonly callback: () => void }>();
  const after = (delayMs: number, callback: () => void) => {
    const key = ++order;
    timers.set(key, { dueMs: nowMs + Math.max(0, delayMs), callback });
    return () => timers.delete(key);
  };
  const next = (endMs: number): boolean => {
    let first: { key: number; dueMs: number; callback: () => void } | null = null;
    for (const [key, timer] of timers) {
      if (timer.dueMs <= endMs && (first === null || timer.dueMs < first.dueMs)) first = { key, ...timer };
    }
    if (first === null) return false;
    timers.delete(first.key);
    nowMs = Math.max(nowMs, first.dueMs);
    first.callback();
    return true;
  };
  return {
    nowMs: () => nowMs,
    steadyMs: () => nowMs - startMs,
    doubt: () => null,
    after,
    soon: (callback) => {
      after(0, callback);
    },
    pass: (ms) => {
      const endMs = nowMs + ms;
      while (next(endMs));
      nowMs = endMs;
    },
    passSettling: async (ms) => {
      const endMs = nowMs + ms;
      await settled();
      while (next(endMs)) await settled();
      nowMs = endMs;
    },
  };
}

/** Lets promises that are kept already be heard. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

export type StillEdges = ActorEdges & { readonly clock: StillClock; readonly seen: Observation[] };

/** What an actor lives in, for a test; `seen` is what was written down. */
export function stillEdges(seed = 1): StillEdges {
  const clock = stillClock();
  const seen: Observation[] = [];
  return {
    clock,
    chance: forked(seed, "actor"),
    seen,
    observe: (what: Seen) => {
      seen.push({ ...what, atMs: clock.steadyMs() });
    },
  };
}
