import { expect, test } from "vitest";
import type { LiveConnection } from "../../src/console/server/live/live-view.ts";
import { operatorLamps } from "../../src/console/ui/state/operator-lamps.ts";

type Link = Pick<LiveConnection, "operator" | "state" | "paused" | "refusing">;
const link = (changes: Partial<Link> = {}): Link => ({
  operator: "orange",
  state: "BOUND",
  paused: null,
  refusing: null,
  ...changes,
});
const down = link({ state: "WAITING" });
const refusing = link({ refusing: { code: "ESME_RSYSERR", answer: "an error", answers: 9 } });
const stateOf = (...links: readonly Link[]) => operatorLamps(links).map(({ state }) => state);

test("each operator has one lamp, whatever the number of its connections", () => {
  const lamps = operatorLamps([link(), link({ operator: "moov", state: "WAITING" }), link()]);
  expect(lamps).toEqual([
    { operator: "orange", state: "UP" },
    { operator: "moov", state: "DOWN" },
  ]);
  expect(operatorLamps([])).toEqual([]);
});

test("an operator is up only where every connection takes messages", () => {
  expect(stateOf(link(), link())).toEqual(["UP"]);
  for (const other of [down, refusing, link({ paused: "incident" })]) {
    expect(stateOf(link(), other)).toEqual(["PART"]);
  }
});

test("an operator that takes nothing is told from one that is away, paused or switched off", () => {
  expect(stateOf(refusing)).toEqual(["REFUSING"]);
  expect(stateOf(refusing, down)).toEqual(["REFUSING"]);
  expect(stateOf(down, down)).toEqual(["DOWN"]);
  expect(stateOf(link({ state: "STOPPED" }))).toEqual(["DOWN"]);
  expect(stateOf(link({ paused: "incident" }), link({ paused: "incident", state: "WAITING" }))).toEqual([
    "PAUSED",
  ]);
  expect(stateOf(link({ paused: "incident" }), down)).toEqual(["DOWN"]);
  expect(stateOf(link({ state: "BINDING" }), down)).toEqual(["CONNECTING"]);
  expect(stateOf(link({ state: "DISABLED" }))).toEqual(["OFF"]);
  expect(stateOf(link({ state: "DISABLED" }), link())).toEqual(["UP"]);
});
