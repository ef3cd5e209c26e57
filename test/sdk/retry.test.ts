import { describe, expect, test } from "vitest";
import { noAnswerError, refusalError } from "../../scripts/sdk/errors.ts";
import { retryAfterOf, waitBefore } from "../../scripts/sdk/retry.ts";

const refused = (status: number, code: string, isRetryable: boolean) =>
  refusalError(status, { code, is_retryable: isRetryable, detail: "", request_id: "R" });

describe("whether a call of the client is repeated", () => {
  test.each([
    ["an error that a change must mend", refused(422, "VALIDATION_FAILED", false), null],
    ["a payment that is due", refused(402, "INSUFFICIENT_FUNDS", true), null],
    ["a channel that is not set up", refused(500, "CONFIGURATION_ERROR", false), null],
    ["a limit", refused(429, "RATE_LIMITED", true), 1000],
    ["a service that starts", refused(503, "SERVICE_UNAVAILABLE", true), 1000],
    ["the first request under way", refused(409, "REQUEST_IN_PROGRESS", true), 1000],
    ["a key with another body", refused(409, "IDEMPOTENCY_KEY_REUSED", false), null],
    ["a failure", refused(500, "INTERNAL_ERROR", true), 1000],
    ["no answer", noAnswerError(new Error("reset")), 1000],
    ["a page of a proxy", refusalError(502, null), 1000],
    ["a page of a proxy that refuses", refusalError(403, null), null],
  ])("after %s", (_, error, wait) => {
    expect(waitBefore(error, "always", 0, null, 0.5)).toBe(wait);
  });

  test("what could happen twice is repeated only where nothing happened", () => {
    const again = (error: Parameters<typeof waitBefore>[0]) =>
      waitBefore(error, "refused", 0, null, 0.5) !== null;
    expect(again(noAnswerError(null))).toBe(false);
    expect(again(refused(500, "INTERNAL_ERROR", true))).toBe(false);
    expect(again(refused(429, "RATE_LIMITED", true))).toBe(true);
    expect(again(refused(503, "SERVICE_UNAVAILABLE", true))).toBe(true);
  });

  test("waits double up to a minute, a quarter more or less by chance, and Retry-After comes first", () => {
    const error = refused(503, "SERVICE_UNAVAILABLE", true);
    expect([0, 1, 2, 9].map((attempt) => waitBefore(error, "always", attempt, null, 0.5))).toEqual([
      1000, 2000, 4000, 60_000,
    ]);
    expect([0, 1].map((chance) => waitBefore(error, "always", 0, null, chance))).toEqual([750, 1250]);
    expect(waitBefore(error, "always", 9, retryAfterOf("7"), 1)).toBe(7000);
    expect(["", "soon", "-1", null].map(retryAfterOf)).toEqual([null, null, null, null]);
  });
});
