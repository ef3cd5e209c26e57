import { describe, expect, test } from "vitest";
import { seeded, seeds } from "./seeds.ts";

describe("the seeds of a test", () => {
  test("are the first ones, or those that are asked for", () => {
    expect(seeds(3, "")).toEqual([1, 2, 3]);
    expect(seeds(3, undefined)).toEqual(process.env.SEED ? seeds(3) : [1, 2, 3]);
    expect(seeds(3, "7")).toEqual([7]);
    expect(seeds(3, "9-12")).toEqual([9, 10, 11, 12]);
  });

  test("draw the same each time", async () => {
    const drawn: number[] = [];
    const draw = seeded((chance) => {
      drawn.push(chance.fraction());
    });
    for (const seed of [5, 5, 6]) await draw(seed);
    expect(drawn[0]).toBe(drawn[1]);
    expect(drawn[0]).not.toBe(drawn[2]);
  });

  test("are told with how to run one alone when it fails, and the error stays what it was", async () => {
    const told: string[] = [];
    const body = (_: unknown, seed: number) => expect(seed).toBeLessThan(3);
    const failing = seeded(body, (words) => told.push(words));
    await failing(2);
    expect(told).toEqual([]);
    await expect(failing(3)).rejects.toThrow("toBeLessThan");
    expect(told).toEqual(['seed 3 fails; alone: SEED=3 bun run test test/kit/seeds.test.ts -t "(seed 3)"\n']);
  });
});
