import { describe, expect, test } from "vitest";
import { judge } from "../judge/judge.ts";
import type { Plan } from "../plan.ts";
import { drawPlan } from "../workload/draw-plan.ts";
import { BROAD_SEEDS, REACHED_TOGETHER } from "./broad-seeds.ts";
import { pastFailure, pastNames } from "./past.ts";

/** What a plan shows, in words; and what it reached. */
function shown(plan: Plan) {
  const { findings, reached } = judge(plan).judged;
  return { findings: findings.map(({ rule, what }) => `${rule}: ${what}`), reached };
}

describe("what a simulation found once is not found again", () => {
  test.each([...pastNames()])("%s", (name) => {
    expect(shown(pastFailure(name).plan).findings).toEqual([]);
  });
});

describe("a few runs of everything", () => {
  const reached = new Set<string>();

  test.each([...BROAD_SEEDS])("keep every promise: seed $seed, $messages messages", ({ seed, messages }) => {
    const run = shown(drawPlan(seed, { messages }));
    for (const [name, times] of Object.entries(run.reached)) if (times > 0) reached.add(name);
    expect(run.findings).toEqual([]);
  });

  test("reach together what they were chosen for", () => {
    expect(REACHED_TOGETHER.filter((name) => !reached.has(name))).toEqual([]);
  });
});
