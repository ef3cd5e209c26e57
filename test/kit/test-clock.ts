import type { Cancel, Clock } from "../../src/core/clock.ts";

export type TestClock = Clock & {
  /** Moves time on, firing every timer that comes due in its order, and lets promises settle in between. */
  readonly advance: (ms: number) => Promise<void>;
  /** Sets the wall clock by this much, forward or back; the steady clock and the timers know nothing of it. */
  readonly setBy: (ms: number) => void;
  /** The machine sleeps: wall time and uptime go on, the steady clock and the timers do not. */
  readonly sleep: (ms: number) => void;
  /** How many timers wait. */
  readonly waiting: () => number;
};

/** A clock that stands still until told to move: 2026-03-02T09:00:00Z, a Monday, unless told otherwise. */
export function testClock(startMs = Date.UTC(2026, 2, 2, 9, 0, 0)): TestClock {
  let nowMs = startMs;
  let setMs = 0;
  let sleptMs = 0;
  let order = 0;
  const timers = new Map<number, { dueMs: number; callback: () => void }>();
  const add = (delayMs: number, callback: () => void): Cancel => {
    const key = ++order;
    timers.set(key, { dueMs: nowMs + Math.max(0, Math.ceil(delayMs)), callback });
    return () => timers.delete(key);
  };
  const settle = async () => {
    for (let turn = 0; turn < 8; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
  };
  return {
    nowMs: () => nowMs + setMs + sleptMs,
    steadyMs: () => nowMs - startMs,
    doubt: () => null,
    uptimeMs: () => nowMs - startMs + sleptMs,
    after: add,
    soon: (callback) => {
      setImmediate(callback);
    },
    waiting: () => timers.size,
    setBy: (ms) => {
      setMs += ms;
    },
    sleep: (ms) => {
      sleptMs += ms;
    },
    advance: async (ms) => {
      const endMs = nowMs + ms;
      await settle();
      for (;;) {
        let dueMs = Number.POSITIVE_INFINITY;
        for (const timer of timers.values()) dueMs = Math.min(dueMs, timer.dueMs);
        if (dueMs > endMs) break;
        nowMs = Math.max(nowMs, dueMs);
        // As in an event loop: what is due at one moment is fired in one turn, but for what another of them cancels.
        const due = [...timers.keys()].filter((key) => timers.get(key)?.dueMs === dueMs);
        for (const key of due) {
          const timer = timers.get(key);
          if (!timers.delete(key)) continue;
          timer?.callback();
          await null;
        }
        await settle();
      }
      nowMs = endMs;
      await settle();
    },
  };
}
