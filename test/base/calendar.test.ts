import { describe, expect, test } from "vitest";
import { dayOf, firstInstant, isoWeekOf, minuteOfDay } from "../../src/base/calendar.ts";

const HOUR_MS = 3_600_000;
const OUAGADOUGOU = "Africa/Ouagadougou";
const PARIS = "Europe/Paris";

describe("a calendar day", () => {
  test("of Ouagadougou is a day of UTC", () => {
    const noon = Date.UTC(2026, 2, 4, 12);
    expect(dayOf(noon, OUAGADOUGOU)).toEqual({ startMs: Date.UTC(2026, 2, 4), endMs: Date.UTC(2026, 2, 5) });
  });

  test("begins with its first moment and ends before the next day's", () => {
    const start = Date.UTC(2026, 2, 4);
    expect(dayOf(start, OUAGADOUGOU).startMs).toBe(start);
    expect(dayOf(start - 1, OUAGADOUGOU).endMs).toBe(start);
  });

  test("has 23 hours when clocks are put forward and 25 when they are put back", () => {
    const spring = dayOf(Date.UTC(2026, 2, 29, 12), PARIS);
    expect((spring.endMs - spring.startMs) / HOUR_MS).toBe(23);
    const autumn = dayOf(Date.UTC(2026, 9, 25, 12), PARIS);
    expect((autumn.endMs - autumn.startMs) / HOUR_MS).toBe(25);
  });

  test("that has no midnight begins with its first moment", () => {
    // In Beirut the clocks go from 24:00 on 28 March 2026 to 01:00.
    const day = dayOf(Date.UTC(2026, 2, 29, 12), "Asia/Beirut");
    expect(day.startMs).toBe(Date.UTC(2026, 2, 28, 22));
    expect(day.endMs - day.startMs).toBe(23 * HOUR_MS);
  });
});

describe("an ISO week", () => {
  test("runs from Monday to Sunday", () => {
    const week = { startMs: Date.UTC(2026, 2, 2), endMs: Date.UTC(2026, 2, 9) };
    for (const day of [2, 4, 8]) expect(isoWeekOf(Date.UTC(2026, 2, day, 9), OUAGADOUGOU)).toEqual(week);
    expect(isoWeekOf(Date.UTC(2026, 2, 9), OUAGADOUGOU).startMs).toBe(week.endMs);
  });

  test("is that of the zone's own clocks", () => {
    const mondayInParis = Date.UTC(2026, 2, 1, 23, 30);
    expect(isoWeekOf(mondayInParis, PARIS).startMs).toBe(Date.UTC(2026, 2, 1, 23));
    expect(isoWeekOf(mondayInParis, OUAGADOUGOU).endMs).toBe(Date.UTC(2026, 2, 2));
  });
});

test("the minute of the day is what the clocks of the zone show", () => {
  const instant = Date.UTC(2026, 6, 1, 6, 5);
  expect(minuteOfDay(instant, OUAGADOUGOU)).toBe(6 * 60 + 5);
  expect(minuteOfDay(instant, PARIS)).toBe(8 * 60 + 5);
  expect(minuteOfDay(instant, "Asia/Kathmandu")).toBe(11 * 60 + 50);
});

test("a wall time that clocks are put forward over is its first moment after", () => {
  expect(firstInstant(Date.UTC(2026, 2, 29, 2, 30), PARIS)).toBe(Date.UTC(2026, 2, 29, 1));
});
