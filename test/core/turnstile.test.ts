import { expect, test } from "vitest";
import { fairScheduler } from "../../src/core/concurrency.ts";
import { testClock } from "../kit/test-clock.ts";

test("one caller comes through in every turn, in the order they came", async () => {
  const turns: (() => void)[] = [];
  const turn = fairScheduler({ ...testClock(), soon: (callback) => turns.push(callback) });
  const through: string[] = [];
  const walk = async (name: string) => {
    for (let step = 1; step <= 2; step++) {
      await turn();
      through.push(`${name}${step}`);
    }
  };
  const walks = Promise.all([walk("a"), walk("b"), walk("c")]);
  const seen: number[] = [];
  while (through.length < 6) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(turns.length);
    for (const next of turns.splice(0)) next();
  }
  await walks;
  expect(Math.max(...seen)).toBe(1);
  expect(through).toEqual(["a1", "b1", "c1", "a2", "b2", "c2"]);
});

test("where many wait, each of them has a millisecond, and those that are left have turns again", async () => {
  const clock = testClock();
  const through: number[] = [];
  let turns = 0;
  const turn = fairScheduler({
    ...clock,
    soon: (callback) => {
      turns += 1;
      queueMicrotask(callback);
    },
  });
  const all = Promise.all(Array.from({ length: 30 }, (_, nth) => turn().then(() => through.push(nth))));
  await clock.advance(9);
  expect(through).toHaveLength(9);
  expect(turns).toBe(0);
  await clock.advance(1);
  await all;
  expect(through).toEqual(Array.from({ length: 30 }, (_, nth) => nth));
  expect(turns).toBe(20);
});
