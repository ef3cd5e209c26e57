import { expect, test } from "vitest";
import { drawPlan } from "../workload/draw-plan.ts";
import { run } from "./run.ts";

test("a plan is carried out twice to the letter, over several lives", () => {
  const once = run(drawPlan(6, { messages: 60 }));
  expect(once.troubles).toEqual([]);
  expect(once.figures.lives).toBeGreaterThan(1);
  expect(run(drawPlan(6, { messages: 60 }))).toEqual(once);
});
