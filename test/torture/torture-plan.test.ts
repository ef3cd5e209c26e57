import { expect, test } from "vitest";
import { drawTorture } from "./torture-plan.ts";

const wanted = { seed: 7, kills: 60, messages: 20_000, hasSmallDisk: true };

test("a plan has more kills than were asked for, and enough messages", () => {
  const { lives } = drawTorture(wanted);
  const submitted = lives.flatMap(({ steps }) =>
    steps.flatMap((step) => (step.kind === "submit" ? step.request.recipients : [])),
  );
  expect(lives.filter(({ end }) => end.kind === "kill").length).toBeGreaterThan(60);
  expect(submitted.length).toBeGreaterThanOrEqual(20_000);
});

test("a seed draws the same plan again, and another one another", () => {
  expect(drawTorture(wanted)).toEqual(drawTorture(wanted));
  expect(drawTorture({ ...wanted, seed: 8 })).not.toEqual(drawTorture(wanted));
});

test("a disk that cannot be filled is never filled", () => {
  const kinds = drawTorture({ ...wanted, hasSmallDisk: false }).lives.flatMap(({ troubles }) =>
    troubles.map(({ kind }) => kind),
  );
  expect(kinds).toContain("operator killed");
  expect(kinds).not.toContain("disk filled");
});

test("no two steps of a plan have one number", () => {
  const indices = drawTorture(wanted).lives.flatMap(({ steps }) => steps.map(({ index }) => index));
  expect(new Set(indices).size).toBe(indices.length);
});
