import { expect, test } from "vitest";
import type { Observation } from "../sim/observation.ts";
import { lineOf, observationOf } from "./observation-lines.ts";

test("an observation is the same after it was a line", () => {
  const pdu: Observation = {
    kind: "pdu",
    centre: "a",
    link: 1,
    from: "centre",
    at: "centre",
    atMs: 1.5,
    octets: Uint8Array.of(0, 1, 255),
  };
  expect(observationOf(lineOf(pdu))).toEqual(pdu);
  expect(observationOf(lineOf({ kind: "rest", atMs: 2 }))).toEqual({ kind: "rest", atMs: 2 });
});
