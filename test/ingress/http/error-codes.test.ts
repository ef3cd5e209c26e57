import { describe, expect, test } from "vitest";
import { FAILURES } from "../../../src/ingress/http/error-codes.ts";

/** docs/public-api.md section 7, in its order, and what was added. */
const PROMISED = [
  ["VALIDATION_FAILED", 422],
  ["IDEMPOTENCY_KEY_REQUIRED", 422],
  ["BATCH_EMPTY", 422],
  ["BATCH_BODY_EMPTY", 422],
  ["SCHEDULE_INVALID", 422],
  ["SENDER_NOT_APPROVED", 422],
  // Of another Bendre, which says by how many appliances a message came.
  ["TOO_MANY_HOPS", 422],
  ["REQUEST_IN_PROGRESS", 409],
  ["IDEMPOTENCY_KEY_REUSED", 409],
  // Added by docs/behaviour.md#cancelling.
  ["BATCH_ENDED", 409],
  ["INSUFFICIENT_FUNDS", 402],
  ["CREDIT_LIMIT_EXCEEDED", 402],
  ["WALLET_IN_DEBIT", 402],
  ["UNAUTHORIZED", 401],
  ["INSUFFICIENT_SCOPE", 403],
  ["ACCOUNT_SUSPENDED", 403],
  ["NOT_FOUND", 404],
  ["UNSUPPORTED_VERSION", 400],
  ["RATE_LIMITED", 429],
  // Added by docs/behaviour.md#not-ready.
  ["SERVICE_UNAVAILABLE", 503],
  ["STORAGE_FULL", 503],
  ["RESTORING", 503],
  ["CONFIGURATION_ERROR", 500],
  ["INTERNAL_ERROR", 500],
];

describe("the catalogue of failures", () => {
  test("holds every promised code with its status, and no other", () => {
    const held = Object.entries(FAILURES).map(([code, { status }]) => [code, status]);
    expect(held.sort()).toEqual([...PROMISED].sort());
  });

  test("only what is the service's own fault is logged as an error", () => {
    for (const { status, level } of Object.values(FAILURES)) expect(level === "error").toBe(status === 500);
  });

  test("what a client must change first is never called worth a retry as it is", () => {
    const retryable = Object.entries(FAILURES).flatMap(([code, entry]) => (entry.retryable ? [code] : []));
    expect(retryable.sort()).toEqual([
      "CONFIGURATION_ERROR",
      "CREDIT_LIMIT_EXCEEDED",
      "INSUFFICIENT_FUNDS",
      "INTERNAL_ERROR",
      "RATE_LIMITED",
      "REQUEST_IN_PROGRESS",
      "RESTORING",
      "SERVICE_UNAVAILABLE",
      "STORAGE_FULL",
      "WALLET_IN_DEBIT",
    ]);
  });
});
