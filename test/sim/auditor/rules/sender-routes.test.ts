import { expect, test } from "vitest";
import { type Scene, SETTINGS } from "../scene.ts";
import { atRest, linkTo, oneText } from "../wire-scene.ts";
import { found } from "./found.ts";
import { senderRoutes } from "./sender-routes.ts";

const { orange } = SETTINGS.operators;
const ROUTED = {
  ...SETTINGS,
  operators: {
    ...SETTINGS.operators,
    orange: {
      ...orange,
      routes: { direct: { order: 1 }, agg: { order: 2 } },
      connections: [
        { host: "one.invalid", port: 2775, system_id: "b", route: "direct" },
        { host: "three.invalid", port: 2775, system_id: "b", route: "agg" },
      ],
    },
  },
};

/** A text leaves by a route two minutes after what was said of its sender. */
function left(
  centre: "one" | "three",
  ...does: readonly (readonly ["register" | "unregister", string])[]
): string {
  const run: Scene = oneText();
  run.see({ kind: "settings", document: ROUTED });
  run.wait(10_000);
  for (const [what, operator] of [["register", "orange"], ...does]) {
    run.command(`sender ${what}`, { ACCOUNT: "alpha", NAME: "BENDRE", operator }, { data: {} });
    run.wait(1000);
  }
  run.wait(120_000);
  const link = linkTo(run, centre, 1);
  link.bind();
  link.answer(link.submit(), 0, "A1");
  return found(atRest(run), senderRoutes);
}

const ALONE = [
  ["unregister", "orange"],
  ["register", "orange/agg"],
] as const;

test("a sender that is registered for one route leaves by that route, and by no other", () => {
  expect(left("three", ...ALONE)).toBe("");
  expect(left("one", ...ALONE)).toContain("sender-routes");
  expect(left("three", ...ALONE, ["register", "orange/direct"], ["unregister", "orange/agg"])).toContain(
    "sender-routes",
  );
});

test("one that is registered for all routes, or for the other too, leaves by any", () => {
  expect(left("one", ["register", "orange/agg"])).toBe("");
  expect(left("one", ...ALONE, ["register", "orange"])).toBe("");
  expect(left("one", ...ALONE, ["register", "orange/direct"])).toBe("");
});
