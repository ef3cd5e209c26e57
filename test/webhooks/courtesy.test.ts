import { describe, expect, test } from "vitest";
import type { Clock } from "../../src/base/clock.ts";
import { courtesy } from "../../src/webhooks/courtesy.ts";

/** A clock whose event loop comes round when told to, after a time that is told too. */
function loopClock() {
  let nowMs = 0;
  let turns: (() => void)[] = [];
  const delays: number[] = [];
  const clock: Clock = {
    doubt: () => null,
    nowMs: () => nowMs,
    steadyMs: () => nowMs,
    soon: (callback) => {
      turns.push(callback);
    },
    after: (delayMs, callback) => {
      delays.push(delayMs);
      turns.push(callback);
      return () => {};
    },
  };
  return {
    clock,
    delays,
    work: (ms: number) => {
      nowMs += ms;
    },
    turn: (ms: number) => {
      nowMs += ms;
      for (const callback of turns.splice(0)) callback();
      turns = [...turns];
    },
  };
}

describe("work that can wait", () => {
  test("goes on at once while the event loop is quick", () => {
    const loop = loopClock();
    const pace = courtesy(loop.clock);
    let runs = 0;
    for (let round = 0; round < 5; round++) {
      pace.next(() => {
        runs += 1;
        loop.work(1);
      });
      loop.turn(0.5);
    }
    expect([runs, loop.delays]).toEqual([5, []]);
  });

  test("rests in proportion to what it took while the event loop is slow, and then goes on all the same", () => {
    const loop = loopClock();
    const pace = courtesy(loop.clock);
    let runs = 0;
    const work = () => {
      runs += 1;
      loop.work(2);
    };
    pace.next(work);
    loop.turn(0);
    pace.next(work);
    loop.turn(5);
    expect([runs, loop.delays]).toEqual([1, [120]]);
    loop.turn(120);
    expect(runs).toBe(2);
  });
});
