import { describe, expect, test } from "vitest";
import {
  AHEAD_MS,
  assessReading,
  assessStart,
  BEHIND_MS,
  type ClockTrust,
  JUMP_MS,
  LASTING_MS,
} from "../../src/core/trusted-clock.ts";

const NOON = Date.UTC(2026, 2, 2, 12);
const DAY_MS = 86_400_000;
const believed: ClockTrust = { kind: "believed", offsetMs: NOON };
/** What is believed after readings of [milliseconds that passed, how far the wall clock is set]. */
const read = (...readings: readonly (readonly [number, number])[]): ClockTrust =>
  readings.reduce<ClockTrust>(
    (trust, [steadyMs, setMs]) => assessReading(trust, { wallMs: NOON + steadyMs + setMs, steadyMs }),
    believed,
  );

describe("a wall clock while the appliance runs", () => {
  // Keeps: behaviour 6.126
  test("is the time when it goes back, however far, and when it goes forward by no more than six hours", () => {
    for (const setMs of [-1000 * DAY_MS, -30_000, 30_000, JUMP_MS]) {
      expect(read([1000, setMs])).toEqual({ kind: "believed", offsetMs: NOON + setMs });
    }
  });

  // Keeps: behaviour 6.120
  test("is doubted when it goes forward by more, and what was believed before goes on", () => {
    const jumped = { kind: "jumped", offsetMs: NOON, claimedMs: NOON + JUMP_MS + 1, sinceMs: 1000 };
    expect(read([1000, JUMP_MS + 1])).toEqual(jumped);
    expect(read([1000, JUMP_MS + 1], [1000 + LASTING_MS - 1, JUMP_MS + 1])).toEqual(jumped);
  });

  // Keeps: behaviour 6.121
  test("is believed once it has lasted ten minutes, and at once when it comes back", () => {
    expect(read([1000, DAY_MS], [1000 + LASTING_MS, DAY_MS])).toEqual({
      kind: "believed",
      offsetMs: NOON + DAY_MS,
    });
    expect(read([1000, DAY_MS], [2000, 500])).toEqual({ kind: "believed", offsetMs: NOON + 500 });
    expect(read([1000, DAY_MS], [2000, -DAY_MS])).toEqual({ kind: "believed", offsetMs: NOON - DAY_MS });
  });

  test("has its ten minutes begin anew when it says another time again, but not when it is slewed", () => {
    const last = 1000 + LASTING_MS;
    expect(read([1000, DAY_MS], [2000, 9 * DAY_MS], [last, 9 * DAY_MS])).toMatchObject({ kind: "jumped" });
    expect(read([1000, DAY_MS], [2000, 9 * DAY_MS], [last + 1000, 9 * DAY_MS])).toMatchObject({
      kind: "believed",
    });
    expect(read([1000, DAY_MS], [2000, DAY_MS + 5000], [last, DAY_MS + 9000])).toMatchObject({
      kind: "believed",
    });
  });

  test("that creeps ahead in small steps is followed", () => {
    expect(read([1000, JUMP_MS], [2000, 2 * JUMP_MS], [3000, 3 * JUMP_MS])).toEqual({
      kind: "believed",
      offsetMs: NOON + 3 * JUMP_MS,
    });
  });
});

describe("a wall clock at the start", () => {
  const start = (aheadMs: number) => assessStart({ wallMs: NOON + aheadMs, steadyMs: 5 }, NOON);

  test("is believed where nothing is stored to compare it with, and near to what is", () => {
    expect(assessStart({ wallMs: 0, steadyMs: 5 }, null)).toEqual({ kind: "believed", offsetMs: -5 });
    for (const aheadMs of [-BEHIND_MS, 0, AHEAD_MS]) {
      expect(start(aheadMs)).toEqual({ kind: "believed", offsetMs: NOON + aheadMs - 5 });
    }
  });

  // Keeps: behaviour 6.123
  test("is not when it is more than five minutes behind, or more than 400 days ahead", () => {
    const doubt = { offsetMs: NOON - 5, newestMs: NOON, sinceMs: 5 };
    expect(start(-BEHIND_MS - 1)).toEqual({ kind: "behind", ...doubt });
    expect(start(AHEAD_MS + 1)).toEqual({ kind: "ahead", ...doubt });
  });

  // Keeps: behaviour 6.123
  test("is believed as soon as it agrees, and time alone makes it so where it was little behind", () => {
    const later = (trust: ClockTrust, wallMs: number) =>
      assessReading(trust, { wallMs, steadyMs: 20 * 60_000 });
    expect(later(start(-DAY_MS), NOON + 3000)).toMatchObject({ kind: "believed" });
    expect(later(start(-DAY_MS), NOON - DAY_MS + 20 * 60_000)).toMatchObject({ kind: "behind" });
    expect(later(start(-DAY_MS), NOON + 2 * AHEAD_MS)).toMatchObject({ kind: "ahead" });
    expect(later(start(-6 * 60_000), NOON - BEHIND_MS)).toMatchObject({ kind: "believed" });
  });
});
