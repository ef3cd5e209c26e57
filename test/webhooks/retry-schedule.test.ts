import { describe, expect, test } from "vitest";
import {
  deriveMaxInFlight,
  deriveNextAttempt,
  type EndpointHealth,
  FAILURES_TO_DISABLE,
  healthAfter,
  type PostVerdict,
  readRetryAfter,
} from "../../src/webhooks/retry-schedule.ts";

const NOW = 1_000_000_000;
const delays = { retry_seconds: [5, 300, 1800], probe_seconds: [10, 30, 60] };
/** A chance that always draws `fraction`: 0 is −20 %, 0.5 the middle, almost 1 is +20 %. */
const drawing = (fraction: number) => ({ fraction: () => fraction, bytes: () => new Uint8Array() });
const failed = (changes: Partial<Extract<PostVerdict, { kind: "failed" }>> = {}) => ({
  kind: "failed" as const,
  status: 500 as number | null,
  retryAfterMs: null as number | null,
  ...changes,
});
const healthy: EndpointHealth = { consecutiveFailures: 0, round: 0, notBeforeMs: 0, askedUntilMs: 0 };
const delaysOf = (attempts: number, end = failed(), fraction = 0.5) => {
  const at = deriveNextAttempt(attempts, end, NOW, delays, drawing(fraction));
  return at === null ? null : (at - NOW) / 1000;
};

describe("the next attempt of an event", () => {
  // Keeps: behaviour 8.23
  test("follows the list of delays, and after the last one the event is given up", () => {
    expect([1, 2, 3, 4].map((attempts) => delaysOf(attempts))).toEqual([5, 300, 1800, null]);
  });

  // Keeps: behaviour 8.23
  test("is moved by up to a fifth either way", () => {
    expect(delaysOf(2, failed(), 0)).toBe(240);
    expect(delaysOf(2, failed(), 0.999_999)).toBeCloseTo(360, 1);
  });

  // Keeps: behaviour 8.20
  test("never comes when the receiver answers 410", () => {
    expect(delaysOf(1, failed({ status: 410 }))).toBeNull();
  });

  // Keeps: behaviour 8.21
  test("waits for Retry-After, up to an hour, and never less than the list says", () => {
    expect(delaysOf(1, failed({ status: 503, retryAfterMs: 120_000 }))).toBe(120);
    expect(delaysOf(1, failed({ status: 503, retryAfterMs: 86_400_000 }))).toBe(3600);
    expect(delaysOf(2, failed({ status: 503, retryAfterMs: 1000 }))).toBe(300);
    expect(delaysOf(1, failed({ status: null, retryAfterMs: -5 }))).toBe(5);
  });
});

describe("Retry-After", () => {
  test.each([
    ["120", 120_000],
    [" 0 ", 0],
    ["Mon, 12 Jan 1970 13:47:40 GMT", 60_000],
    ["Mon, 12 Jan 1970 13:00:00 GMT", 0],
    ["soon", null],
    ["1.5", null],
    ["-1", null],
    ["2026-01-01", null],
    ["", null],
    [null, null],
  ])("%j is %j", (text, milliseconds) => {
    expect(readRetryAfter(text, NOW)).toBe(milliseconds);
  });
});

/** Fails again and again, each attempt begun after the one before. */
function failTimes(count: number, from: EndpointHealth = healthy) {
  let health = from;
  let isOver = false;
  const rests: number[] = [];
  for (let time = 0; time < count; time++) {
    const after = healthAfter(health, health.round, failed(), NOW, delays);
    ({ health, isOver } = after);
    rests.push(health.notBeforeMs === 0 ? 0 : (health.notBeforeMs - NOW) / 1000);
  }
  return { health, isOver, rests };
}

describe("an endpoint's failures", () => {
  test("are counted, and a success forgets them", () => {
    const { health } = failTimes(7);
    expect(health.consecutiveFailures).toBe(7);
    const after = healthAfter(health, health.round, { kind: "delivered" }, NOW, delays);
    expect(after.health).toMatchObject({ consecutiveFailures: 0, notBeforeMs: 0 });
    expect(after.isBack).toBe(true);
  });

  test("make it rest from the third on, by the list, whose last delay repeats", () => {
    expect(failTimes(7).rests).toEqual([0, 0, 10, 30, 60, 60, 60]);
  });

  // Keeps: behaviour 8.28
  test("end it at exactly the twentieth", () => {
    expect(failTimes(FAILURES_TO_DISABLE - 1).isOver).toBe(false);
    expect(failTimes(FAILURES_TO_DISABLE)).toMatchObject({
      isOver: true,
      health: { consecutiveFailures: 20 },
    });
  });

  // Keeps: behaviour 8.26
  test("of attempts that were in flight when the first was counted count with it as one", () => {
    let health = healthy;
    for (let attempt = 0; attempt < 32; attempt++) {
      ({ health } = healthAfter(health, 0, failed(), NOW, delays));
    }
    expect(health.consecutiveFailures).toBe(1);
    ({ health } = healthAfter(health, health.round, failed(), NOW, delays));
    expect(health.consecutiveFailures).toBe(2);
  });

  test("of such an attempt do not undo a success in between", () => {
    const first = healthAfter(healthy, 0, failed(), NOW, delays).health;
    const well = healthAfter(first, 0, { kind: "delivered" }, NOW, delays).health;
    expect(healthAfter(well, 0, failed(), NOW, delays).health.consecutiveFailures).toBe(0);
    expect(healthAfter(well, well.round, failed(), NOW, delays).health.consecutiveFailures).toBe(1);
  });

  test("with 429 or 503 and Retry-After make the whole endpoint rest, with others only the event", () => {
    const rest = (status: number) =>
      healthAfter(healthy, 0, failed({ status, retryAfterMs: 90_000 }), NOW, delays).health.notBeforeMs;
    expect([429, 503, 500, 410].map(rest)).toEqual([NOW + 90_000, NOW + 90_000, 0, 0]);
  });

  test("are over with a success that was in flight, and the wait that the receiver asked for is not", () => {
    const asked = healthAfter(healthy, 0, failed({ status: 429, retryAfterMs: 90_000 }), NOW, delays).health;
    const { health } = healthAfter(asked, 0, { kind: "delivered" }, NOW + 1000, delays);
    expect(health).toMatchObject({ consecutiveFailures: 0, notBeforeMs: NOW + 90_000 });
    expect(deriveMaxInFlight(health, 32, NOW + 89_999)).toBe(0);
    expect(deriveMaxInFlight(health, 32, NOW + 90_000)).toBe(32);
  });

  test("that end with a success after fewer than three are no return", () => {
    const { health } = failTimes(2);
    expect(healthAfter(health, health.round, { kind: "delivered" }, NOW, delays).isBack).toBe(false);
  });
});

describe("attempts at once", () => {
  test("are as many as it may have while it is well, one since its first failure, none while it rests", () => {
    expect(deriveMaxInFlight(healthy, 32, NOW)).toBe(32);
    expect(deriveMaxInFlight(failTimes(1).health, 32, NOW)).toBe(1);
    expect(deriveMaxInFlight(failTimes(3).health, 32, NOW)).toBe(0);
    expect(deriveMaxInFlight(failTimes(3).health, 32, NOW + 9999)).toBe(0);
    expect(deriveMaxInFlight(failTimes(3).health, 32, NOW + 10_000)).toBe(1);
  });
});
