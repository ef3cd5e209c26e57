import { describe, expect, test } from "vitest";
import { beginAttempt, endSubmit, type SubmitEnd } from "../../src/dispatch/attempt.ts";

const REFUSED: SubmitEnd = {
  kind: "refused",
  error: { code: "OPERATOR_REJECTED", operatorCode: "0x45" },
};
const RETRY: SubmitEnd = { kind: "retry", keepsPlace: false, operatorCode: "0x08" };
const ACCEPTED: SubmitEnd = { kind: "accepted" };
const UNANSWERED: SubmitEnd = { kind: "unanswered" };
const NOT_WRITTEN: SubmitEnd = { kind: "not_written" };

function attemptOf(parts: number) {
  return beginAttempt(
    {
      batch: {
        batchId: 1,
        accountId: 1,
        operator: "orange",
        messageClass: "OTP",
        sender: "ACME",
        body: "",
        createdAt: 0,
        expiresAt: 0,
      },
      message: {
        id: 1,
        msisdn: "",
        segments: parts,
        text: null,
        attempts: 4,
        resends: 0,
        operatorCode: null,
      },
    },
    parts,
  );
}

/** The kinds that the attempt said after each end. */
function play(...ends: SubmitEnd[]) {
  const attempt = attemptOf(ends.length);
  return ends.map((end) => endSubmit(attempt, end)?.kind ?? null);
}

describe("an attempt", () => {
  test("has the number after those before it", () => {
    expect(attemptOf(1).number).toBe(5);
  });

  test("ends with its last submit and not before", () => {
    expect(play(ACCEPTED, ACCEPTED, ACCEPTED)).toEqual([null, null, "accepted"]);
  });

  test("ends the way of the worst, in whatever order", () => {
    expect(play(REFUSED, UNANSWERED, RETRY).at(-1)).toBe("refused");
    expect(play(ACCEPTED, RETRY, UNANSWERED).at(-1)).toBe("unanswered");
    expect(play(UNANSWERED, NOT_WRITTEN, RETRY).at(-1)).toBe("unanswered");
    expect(play(RETRY, NOT_WRITTEN, ACCEPTED).at(-1)).toBe("retry");
    expect(play(NOT_WRITTEN, ACCEPTED).at(-1)).toBe("not_written");
  });

  test("keeps the first refusal", () => {
    const attempt = attemptOf(2);
    endSubmit(attempt, REFUSED);
    expect(
      endSubmit(attempt, {
        kind: "refused",
        error: { code: "INVALID_DESTINATION", operatorCode: "0x0B" },
      }),
    ).toEqual(REFUSED);
  });

  test("keeps its place in the queue only where no part of it was the reason to wait", () => {
    const throttled: SubmitEnd = { kind: "retry", keepsPlace: true, operatorCode: "0x58" };
    const ended = (...ends: SubmitEnd[]) => {
      const attempt = attemptOf(ends.length);
      return ends.map((end) => endSubmit(attempt, end)).at(-1);
    };
    expect(ended(throttled, throttled)).toEqual(throttled);
    expect(ended(throttled, RETRY)).toMatchObject({ keepsPlace: false });
    expect(ended(RETRY, throttled)).toMatchObject({ keepsPlace: false });
  });

  test("can't end twice", () => {
    const attempt = attemptOf(1);
    endSubmit(attempt, ACCEPTED);
    expect(() => endSubmit(attempt, ACCEPTED)).toThrow("ends once");
  });
});
