import { describe, expect, test } from "vitest";
import { type AcceptedPart, deriveStanding } from "../../../src/domain/messages/transitions.ts";

const part = (number: number, state: AcceptedPart["state"], remoteKey = `K${number}`): AcceptedPart => ({
  part: number,
  state,
  remoteKey,
  errorCode: state === "FAILED" ? `ERROR ${remoteKey}` : null,
  operatorCode: null,
});

describe("where the segments of a message stand together", () => {
  test.each([
    ["nothing accepted yet", 2, [], 0, "waiting"],
    ["one of two accepted", 2, [part(1, "SENT")], 1, "waiting"],
    ["one of two delivered, the other not accepted", 2, [part(1, "DELIVERED")], 1, "waiting"],
    ["one delivered, one on its way", 2, [part(1, "DELIVERED"), part(2, "SENT")], 2, "waiting"],
    ["all delivered", 2, [part(1, "DELIVERED"), part(2, "DELIVERED")], 2, "delivered"],
    ["one lost", 3, [part(1, "DELIVERED"), part(2, "FAILED"), part(3, "SENT")], 3, "failed"],
    [
      "a resend's two ids count as one segment",
      2,
      [part(1, "SENT", "A"), part(1, "SENT", "B")],
      1,
      "waiting",
    ],
    [
      "lost under one id, on its way under another",
      1,
      [part(1, "FAILED", "A"), part(1, "SENT", "B")],
      1,
      "waiting",
    ],
    [
      "lost under one id, delivered under another",
      1,
      [part(1, "FAILED", "A"), part(1, "DELIVERED", "B")],
      1,
      "delivered",
    ],
    ["delivered twice", 1, [part(1, "DELIVERED", "A"), part(1, "DELIVERED", "B")], 1, "delivered"],
    ["lost under every id", 1, [part(1, "FAILED", "A"), part(1, "FAILED", "B")], 1, "failed"],
  ] as const)("%s", (_, segments, parts, accepted, verdict) => {
    for (const order of [[...parts], [...parts].reverse()]) {
      expect(deriveStanding(order, segments)).toMatchObject({ accepted, verdict });
    }
  });

  test("the part that made it fail is named", () => {
    expect(deriveStanding([part(1, "SENT"), part(2, "FAILED")], 2).failed?.errorCode).toBe("ERROR K2");
    expect(deriveStanding([part(1, "FAILED", "A"), part(1, "DELIVERED", "B")], 1).failed).toBeNull();
  });
});
