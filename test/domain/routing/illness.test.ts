import { describe, expect, test } from "vitest";
import { findIllness, type RouteOutcome, usualShare } from "../../../src/domain/routing/illness.ts";
import { countIllness, findCandidates, isAble, mayCarry } from "../../../src/domain/routing/routing.ts";

const NOW_MS = 10_000_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const LIMITS = { points: 30, messages: 50 };

/** Outcomes a second apart, the last of them now: those delivered first. */
const outcomes = (
  delivered: number,
  failed: number,
  oldestAgoMs = (delivered + failed) * 1000,
): RouteOutcome[] =>
  Array.from({ length: delivered + failed }, (_, place) => ({
    isDelivered: place < delivered,
    atMs: NOW_MS - (place === 0 ? oldestAgoMs : 1000),
  }));
const judge = (
  last: readonly RouteOutcome[],
  usual: number | null = 90,
  takeOversMs: readonly number[] = [],
) => findIllness({ outcomes: last, usual, takeOversMs }, LIMITS, NOW_MS);

describe("what is usual", () => {
  test("is the median of hourly shares, not the share of all", () => {
    const large = { delivered: 100, failed: 900 };
    const small = Array.from({ length: 3 }, () => ({ delivered: 9, failed: 1 }));
    expect(usualShare([large, ...small])).toBe(90);
    expect(
      usualShare([
        { delivered: 80, failed: 20 },
        { delivered: 60, failed: 40 },
      ]),
    ).toBe(70);
  });

  test("is not known of fewer than 200 receipts, and hours without any are none", () => {
    const hours = (failed: number) => [
      { delivered: 99, failed: 0 },
      { delivered: 0, failed: 0 },
      { delivered: 0, failed },
    ];
    expect(usualShare(hours(100))).toBeNull();
    expect(usualShare(hours(101))).toBe(50);
    expect(usualShare([])).toBeNull();
  });
});

describe("a route is ill", () => {
  test("once its last messages are as many points below what is usual", () => {
    expect(judge(outcomes(31, 19))).toBeNull();
    expect(judge(outcomes(30, 20))).toEqual({ kind: "deliveries", share: 60, usual: 90, messages: 50 });
    expect(judge(outcomes(0, 50), 29)).toBeNull();
  });

  test("by its last messages alone, and only once there are as many", () => {
    expect(judge([...outcomes(0, 100), ...outcomes(50, 0)])).toBeNull();
    expect(judge([...outcomes(100, 0), ...outcomes(0, 50)])).not.toBeNull();
    expect(judge(outcomes(0, 49))).toBeNull();
  });

  test("by no messages whose receipts came longer than an hour ago", () => {
    expect(judge(outcomes(0, 50, HOUR_MS))).not.toBeNull();
    expect(judge(outcomes(0, 50, HOUR_MS + 1))).toBeNull();
  });

  test("never by what is not known to be unusual, nor where it is switched off", () => {
    expect(judge(outcomes(0, 50), null)).toBeNull();
    const off = { points: 0, messages: 50 };
    expect(findIllness({ outcomes: outcomes(0, 50), usual: 100, takeOversMs: [] }, off, NOW_MS)).toBeNull();
  });

  test("once others took over from it three times in five minutes", () => {
    const agoMs = (...minutes: number[]) => minutes.map((ago) => NOW_MS - ago * MINUTE_MS);
    expect(judge([], null, agoMs(4.99, 2, 0))).toEqual({ kind: "take_overs", times: 3 });
    expect(judge([], null, agoMs(5, 2, 0))).toBeNull();
    expect(judge([], null, agoMs(2, 0))).toBeNull();
  });
});

describe("an ill route", () => {
  const route = (name: string, order: number, changes: object = {}) => ({
    name,
    order,
    classes: ["OTP", "TRANSACTIONAL", "MARKETING"] as const,
    share: 100,
    yieldMs: { OTP: 2000, TRANSACTIONAL: 30_000, MARKETING: 600_000 },
    isPaused: false,
    awaySinceMs: null,
    illSinceMs: null,
    ...changes,
  });
  const illFor = (ms: number) => ({ illSinceMs: NOW_MS - ms });
  const carrying = (routes: readonly ReturnType<typeof route>[]) =>
    routes
      .filter((one) => mayCarry(one, findCandidates(routes, "OTP"), "OTP", NOW_MS))
      .map(({ name }) => name);

  test("is away since it is ill, and goes on until another has taken over", () => {
    expect(isAble(route("direct", 1, illFor(0)))).toBe(false);
    expect(carrying([route("direct", 1, illFor(1999)), route("agg", 2)])).toEqual(["direct"]);
    expect(carrying([route("direct", 1, illFor(2000)), route("agg", 2)])).toEqual(["agg"]);
  });

  test("that was away before it became ill has been away since then", () => {
    const direct = route("direct", 1, { ...illFor(0), awaySinceMs: NOW_MS - 2000 });
    expect(carrying([direct, route("agg", 2)])).toEqual(["agg"]);
  });

  test("is as well as the others where every one that could carry is ill", () => {
    const routes = [route("direct", 1, illFor(9000)), route("agg", 2, illFor(9000))];
    expect(countIllness(routes).map(isAble)).toEqual([true, true]);
    expect(carrying(routes)).toEqual(["direct"]);
    expect(carrying([...routes, route("third", 3, { classes: ["MARKETING"] })])).toEqual(["direct"]);
    expect(carrying([route("direct", 1, { ...illFor(9000), isPaused: true }), routes[1]!])).toEqual(["agg"]);
  });
});
