/** What is left of the first start: an outage is none of it. */
import { expect, test } from "vitest";
import { isSetUp, listOnboardingSteps } from "../../src/console/ui/state/onboarding-steps.ts";

type Operators = Parameters<typeof listOnboardingSteps>[0];

const orange = { code: "orange", name: "Orange Burkina", prefixes: ["22607"], receipts: true };
const link = (state: "BOUND" | "WAITING", wasBound: boolean) =>
  ({ operator: "orange", state, was_bound: wasBound }) as Operators["connections"][number];
const now = (...connections: Operators["connections"]): Operators => ({ operators: [orange], connections });

test("an operator that was never reached is still to be connected", () => {
  const steps = listOnboardingSteps(now(link("WAITING", false)), 1, false);
  expect(steps).toMatchObject({ reached: [], unreached: ["Orange Burkina"], code: "orange" });
});

test("one that was bound stays connected while it is out of reach, and that is said to be an outage", () => {
  const steps = listOnboardingSteps(now(link("WAITING", true)), 1, false);
  expect(steps).toMatchObject({ reached: ["Orange Burkina"], away: ["Orange Burkina"], unreached: [] });
});

test("after a restart in an outage nothing is to be set up again where texts were sent before", () => {
  const steps = listOnboardingSteps(now(link("WAITING", false)), 1, true);
  expect([steps.reached, isSetUp(steps)]).toEqual([["Orange Burkina"], true]);
});

test("of two operators the one that was never reached is not said to be, whatever was sent by the other", () => {
  const moov = { code: "moov", name: "Moov Africa", prefixes: ["22601"], receipts: true };
  const away = { ...link("WAITING", false), operator: "moov" };
  const both = { operators: [orange, moov], connections: [link("BOUND", true), away] };
  expect(listOnboardingSteps(both, 1, true)).toMatchObject({
    reached: ["Orange Burkina"],
    unreached: ["Moov Africa"],
  });
});

test("all is set up once an operator, an account and a text are there", () => {
  expect(isSetUp(listOnboardingSteps(now(link("BOUND", true)), 1, true))).toBe(true);
  expect(isSetUp(listOnboardingSteps(now(link("BOUND", true)), 0, false))).toBe(false);
  expect(isSetUp(listOnboardingSteps({ operators: [], connections: [] }, 1, true))).toBe(false);
});
