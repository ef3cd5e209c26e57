import { expect, test } from "vitest";
import { judge } from "../torture/judge.ts";
import { runTorture } from "../torture/run-torture.ts";
import { stories } from "../torture/summary.ts";
import { EXECUTABLE } from "./executable.ts";

test("the executable loses nothing and sends nothing twice while it is killed under load", async () => {
  const plan = { executable: EXECUTABLE, seed: 1, kills: 5, messages: 1000, progress: () => {} };
  const { place, story } = await runTorture(plan);
  const verdict = judge(place.observations);
  place.close(false);
  expect(stories(story.mishaps, verdict)).toEqual([]);
  expect(verdict.figures.messages).toBeGreaterThan(900);
  expect(Object.values(story.kills).reduce((sum, times) => sum + times, 0)).toBeGreaterThanOrEqual(5);
});
