import { expect, test } from "vitest";
import { seededChance } from "../kit/test-chance.ts";
import { choose } from "./chosen.ts";

const states = (count: number) => Array.from({ length: count }, (_, index) => ({ isDrawn: index % 4 !== 0 }));

test("everything is tried while there is time for it", () => {
  const { all, tried, started } = choose(states(40), 100, 3, seededChance(1));
  expect([all, tried.size, started.size]).toEqual([40, 40, 3]);
});

test("what is always tried goes before what was drawn, and as many are tried as were asked for", () => {
  const { tried } = choose(states(40), 15, 1, seededChance(1));
  expect(tried.size).toBe(15);
  expect([...tried].filter((number) => number % 4 === 0).length).toBe(10);
});

test("where even those are too many, they are spread over the whole log", () => {
  const { tried, started } = choose(states(400), 10, 2, seededChance(1));
  expect([...tried]).toEqual([36, 76, 116, 156, 196, 236, 276, 316, 356, 396]);
  expect([...started]).toEqual([196, 396]);
});
