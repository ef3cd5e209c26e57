import { describe, expect, test } from "vitest";
import type { Clock } from "../../src/core/clock.ts";
import { createYielder } from "../../src/core/concurrency.ts";

/** A clock whose steady time the test sets, and whose turns it takes. */
function handClock() {
  const turns: (() => void)[] = [];
  const hand = { steadyMs: 0 };
  const clock: Clock = {
    doubt: () => null,
    nowMs: () => 0,
    steadyMs: () => hand.steadyMs,
    after: () => () => {},
    soon: (callback) => {
      turns.push(callback);
    },
  };
  return { hand, turns, clock };
}

describe("a long computation in slices", () => {
  test("goes on without a pause while its stretch is short", () => {
    const { hand, turns, clock } = handClock();
    const pause = createYielder(clock);
    hand.steadyMs = 3.9;
    expect(pause()).toBeUndefined();
    expect(turns).toEqual([]);
  });

  test("lets one turn of the event loop pass when its stretch was long, and begins a new one after it", async () => {
    const { hand, turns, clock } = handClock();
    const pause = createYielder(clock);
    hand.steadyMs = 4;
    const paused = pause();
    expect(paused).toBeInstanceOf(Promise);
    hand.steadyMs = 50;
    turns[0]?.();
    await paused;
    expect(turns).toHaveLength(1);
    hand.steadyMs = 53;
    expect(pause()).toBeUndefined();
    hand.steadyMs = 54;
    expect(pause()).toBeInstanceOf(Promise);
  });
});
