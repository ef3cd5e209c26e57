import { expect, test } from "vitest";
import { GOALS } from "../../scripts/bench/goals/all.ts";
import { quantile } from "../../scripts/bench/kit/goal.ts";
import { linesOf, spreadOf, summaryOf } from "../../scripts/bench/kit/summary.ts";

test("rounds are told as their median, their least and their most", () => {
  expect(spreadOf([30, 10, 20])).toEqual({ median: 20, least: 10, most: 30 });
  expect(spreadOf([40, 10, 20, 30])).toEqual({ median: 25, least: 10, most: 40 });
});

test("a figure that no round gave is left out, and a few that did not are told by the others", () => {
  const goal = { letter: "A", what: "a bulk", size: 1, quick: 1, run: () => Promise.resolve({}) };
  const runs = [
    { rate: 3000, hold_ms: null },
    { rate: 1000, hold_ms: null, late_ms: 1.5 },
  ];
  const summary = summaryOf(goal, 50_000, runs);
  expect(Object.keys(summary.figures)).toEqual(["rate", "late_ms"]);
  expect(linesOf(summary)).toEqual([
    "A  a bulk; 50,000, 2 rounds",
    "   rate                         2,000  1,000 to 3,000",
    "   late_ms                        1.5  1.5 to 1.5",
  ]);
});

test("a quantile is one of the values, whatever their order", () => {
  expect(quantile([5, 1, 4, 2, 3], 0.5)).toBe(3);
  expect(quantile([5, 1, 4, 2, 3], 0.99)).toBe(5);
});

test("no two goals have a letter in common, and a quick look takes no more than a figure", () => {
  expect(new Set(GOALS.map(({ letter }) => letter)).size).toBe(GOALS.length);
  expect(GOALS.filter(({ size, quick }) => quick > size)).toEqual([]);
});
