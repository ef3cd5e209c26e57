import { expect, test } from "vitest";
import { turnstile } from "../../src/base/turnstile.ts";
import { testClock } from "../kit/test-clock.ts";

test("one caller comes through in every turn, in the order they came", async () => {
  const turns: (() => void)[] = [];
  const turn = turnstile({ ...testClock(), soon: (callback) => turns.push(callback) });
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
