import { expect, test } from "vitest";
import { seededChance } from "../kit/test-chance.ts";
import { choose } from "./chosen.ts";

const states = (count: number) => Array.from({ length: count }, (_, index) => ({ isDrawn: index % 4 !== 0 }));

test("everything is tried while there is time for it", () => {
  const { all, tried, started } = choose(states(40), 100, 3, seededChance(1));
  expect([all, tried.size, started.size]).toEqual([40, 40, 3]);
});

test("half of what is tried was drawn, and as many are tried as were asked for", () => {
  const { tried } = choose(states(40), 15, 1, seededChance(1));
  expect(tried.size).toBe(15);
  expect([...tried].filter((number) => number % 4 === 0).length).toBe(8);
});

test("where there are few of one kind, there are more of the other", () => {
  const { tried } = choose(states(40), 35, 1, seededChance(1));
  expect([...tried].filter((number) => number % 4 === 0).length).toBe(10);
  expect(tried.size).toBe(35);
});

test("what is always tried is spread over the whole log, and so is what it starts on", () => {
  const { tried, started } = choose(states(400), 10, 2, seededChance(1));
  const always = [...tried].filter((number) => number % 4 === 0);
  expect(always).toEqual([76, 156, 236, 316, 396]);
  expect(Math.max(...started)).toBe(Math.max(...tried));
});
