import { describe, expect, test } from "vitest";
import type { Observation, Seen } from "../sim/observation.ts";
import { isOfWaiting, listedAtRest } from "./judge.ts";
import { lineOf, observationOf } from "./observation-lines.ts";

const BATCH = "01M81ND458XBGBJV8BV0MDX8X8";
const MESSAGE = "01M81ND460KVDM1PS3HD7PSKG5";

const seen = (...all: Seen[]): Observation[] => all.map((one, atMs) => ({ ...one, atMs }));
const unanswered = (until: string | null) =>
  [
    { kind: "command", id: 1, name: "operator unanswered", args: {} },
    { kind: "outcome", id: 1, ok: true, data: { messages: [{ message_id: MESSAGE, until }] } },
  ] as const;
const feed: Seen = {
  kind: "answer",
  id: 1,
  status: 200,
  headers: {},
  body: `{"data":{"messages":[{"message_id":"${MESSAGE}","batch_id":"${BATCH}"}]}}`,
};

describe("what is listed as in doubt at the end", () => {
  const listed = listedAtRest(seen({ kind: "rest" }, ...unanswered("2026-01-01T00:00:00Z"), feed));

  test("has not ended, nor has its batch, and that is no finding", () => {
    expect(isOfWaiting({ rule: "lost-batch", about: [BATCH] }, listed)).toBe(true);
    expect(isOfWaiting({ rule: "stated-truth", about: [MESSAGE, BATCH] }, listed)).toBe(true);
  });

  test("is judged by every other promise, and so is what was not listed", () => {
    expect(isOfWaiting({ rule: "never-twice", about: [MESSAGE] }, listed)).toBe(false);
    expect(isOfWaiting({ rule: "lost-batch", about: ["01M81ND458XBGBJV8BV0MDX8X9"] }, listed)).toBe(false);
  });

  test("counts only when it was listed after the rest, with a time until which it waits", () => {
    const early = listedAtRest(seen(...unanswered("2026-01-01T00:00:00Z"), { kind: "rest" }, feed));
    const resent = listedAtRest(seen({ kind: "rest" }, ...unanswered(null), feed));
    expect([early.messages.size, resent.messages.size]).toEqual([0, 0]);
  });
});

test("an observation is the same after it was a line", () => {
  const pdu: Observation = {
    ...{ kind: "pdu", centre: "a", link: 1, from: "centre", at: "centre", atMs: 1.5 },
    octets: Uint8Array.of(0, 1, 255),
  };
  expect(observationOf(lineOf(pdu))).toEqual(pdu);
  expect(observationOf(lineOf({ kind: "rest", atMs: 2 }))).toEqual({ kind: "rest", atMs: 2 });
});
