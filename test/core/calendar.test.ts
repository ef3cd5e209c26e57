import { describe, expect, test } from "vitest";
import {
  isoInZone,
  isTimezone,
  minuteOfDay,
  toInstant,
  toIsoWeek,
  toLocalDay,
} from "../../src/core/calendar.ts";

const HOUR_MS = 3_600_000;
const OUAGADOUGOU = "Africa/Ouagadougou";
const PARIS = "Europe/Paris";
const utc = (iso: string) => Date.parse(`${iso}Z`);
/** What the clocks of a zone show, as if it were UTC. */
const wallMsInZone = (epochMs: number, zone: string) => utc(isoInZone(epochMs, zone).slice(0, 19));
const instant = (wall: string, zone: string) => {
  const found = toInstant(utc(wall), zone);
  return found === null ? null : new Date(found).toISOString();
};

describe("the wall clock of a zone", () => {
  test("Ouagadougou is at UTC all year", () => {
    for (const at of ["2026-01-15T12:00:00", "2026-07-15T12:00:00"]) {
      expect(instant(at, "Africa/Ouagadougou")).toBe(`${at}.000Z`);
      expect(isoInZone(utc(at), "Africa/Ouagadougou")).toBe(`${at}+00:00`);
    }
  });

  test("Paris is ahead by one hour in winter and two in summer, from the very second", () => {
    expect(isoInZone(utc("2026-03-29T00:59:59"), "Europe/Paris")).toBe("2026-03-29T01:59:59+01:00");
    expect(isoInZone(utc("2026-03-29T01:00:00"), "Europe/Paris")).toBe("2026-03-29T03:00:00+02:00");
    expect(isoInZone(utc("2026-10-25T00:59:59"), "Europe/Paris")).toBe("2026-10-25T02:59:59+02:00");
    expect(isoInZone(utc("2026-10-25T01:00:00"), "Europe/Paris")).toBe("2026-10-25T02:00:00+01:00");
  });

  test.each([
    ["America/St_Johns", "2026-01-15T08:30:00-03:30"],
    ["Asia/Kathmandu", "2026-01-15T17:45:00+05:45"],
    ["Pacific/Kiritimati", "2026-01-16T02:00:00+14:00"],
  ])("%s shows noon of UTC as %s", (zone, shown) => {
    expect(isoInZone(utc("2026-01-15T12:00:00"), zone)).toBe(shown);
  });

  test("it is read to the second, also before 1970 and with a rest of milliseconds", () => {
    expect(wallMsInZone(utc("2026-07-15T12:00:00") + 999, "Europe/Paris")).toBe(utc("2026-07-15T14:00:00"));
    expect(wallMsInZone(-1, "Africa/Ouagadougou")).toBe(-1000);
  });
});

describe("the day of a zone", () => {
  test("is another from the very moment that it begins, whatever was asked before", () => {
    const [last, first] = [utc("2026-03-28T23:00:00") - 1, utc("2026-03-28T23:00:00")];
    for (const zone of [PARIS, OUAGADOUGOU, PARIS]) {
      const days = [last, first, last, first].map((atMs) => toLocalDay(atMs, zone));
      expect(
        days.every(
          ({ startMs, endMs }, at) => startMs <= [last, first][at % 2]! && [last, first][at % 2]! < endMs,
        ),
      ).toBe(true);
    }
    expect(toLocalDay(last, PARIS).endMs).toBe(first);
    expect(toLocalDay(first, PARIS)).toEqual({ startMs: first, endMs: first + 23 * HOUR_MS });
    expect(toLocalDay(first, OUAGADOUGOU).endMs).toBe(first + HOUR_MS);
  });
});

describe("the instant of a wall time", () => {
  test("a time that the clocks were put forward over does not exist, to the minute", () => {
    expect(instant("2026-03-29T01:59:59", "Europe/Paris")).toBe("2026-03-29T00:59:59.000Z");
    expect(instant("2026-03-29T02:00:00", "Europe/Paris")).toBeNull();
    expect(instant("2026-03-29T02:30:00", "Europe/Paris")).toBeNull();
    expect(instant("2026-03-29T02:59:59", "Europe/Paris")).toBeNull();
    expect(instant("2026-03-29T03:00:00", "Europe/Paris")).toBe("2026-03-29T01:00:00.000Z");
  });

  test("of a time that comes twice, it is the first", () => {
    expect(instant("2026-10-25T02:30:00", "Europe/Paris")).toBe("2026-10-25T00:30:00.000Z");
    expect(instant("2026-10-25T03:00:00", "Europe/Paris")).toBe("2026-10-25T02:00:00.000Z");
    expect(instant("2026-11-01T01:30:00", "America/New_York")).toBe("2026-11-01T05:30:00.000Z");
  });

  test("a half hour put forward is half an hour missing", () => {
    expect(instant("2026-10-04T02:15:00", "Australia/Lord_Howe")).toBeNull();
    expect(instant("2026-10-04T02:30:00", "Australia/Lord_Howe")).toBe("2026-10-03T15:30:00.000Z");
  });

  test("every hour of a year of Paris comes back from its wall time, or from the first one like it", () => {
    const start = utc("2026-01-01T00:00:00");
    let twice = 0;
    for (let hour = 0; hour < 365 * 24; hour++) {
      const at = start + hour * HOUR_MS;
      const back = toInstant(wallMsInZone(at, "Europe/Paris"), "Europe/Paris");
      if (back !== at) {
        twice += 1;
        expect(back).toBe(at - HOUR_MS);
      }
    }
    expect(twice).toBe(1);
  });
});

describe("names of zones", () => {
  test.each([
    ["Africa/Ouagadougou", true],
    ["Europe/Paris", true],
    ["UTC", true],
    ["Africa/Bobo", false],
    ["+01:00", false],
    ["", false],
    ["Europe/Paris ", false],
    [`Europe/${"x".repeat(64)}`, false],
  ])("%j is one: %p", (name, is) => {
    expect(isTimezone(name)).toBe(is);
  });
});

describe("a calendar day", () => {
  test("of Ouagadougou is a day of UTC", () => {
    const noon = Date.UTC(2026, 2, 4, 12);
    expect(toLocalDay(noon, OUAGADOUGOU)).toEqual({
      startMs: Date.UTC(2026, 2, 4),
      endMs: Date.UTC(2026, 2, 5),
    });
  });

  test("begins with its first moment and ends before the next day's", () => {
    const start = Date.UTC(2026, 2, 4);
    expect(toLocalDay(start, OUAGADOUGOU).startMs).toBe(start);
    expect(toLocalDay(start - 1, OUAGADOUGOU).endMs).toBe(start);
  });

  test("has 23 hours when clocks are put forward and 25 when they are put back", () => {
    const spring = toLocalDay(Date.UTC(2026, 2, 29, 12), PARIS);
    expect((spring.endMs - spring.startMs) / HOUR_MS).toBe(23);
    const autumn = toLocalDay(Date.UTC(2026, 9, 25, 12), PARIS);
    expect((autumn.endMs - autumn.startMs) / HOUR_MS).toBe(25);
  });

  test("that has no midnight begins with its first moment", () => {
    // In Beirut the clocks go from 24:00 on 28 March 2026 to 01:00.
    const day = toLocalDay(Date.UTC(2026, 2, 29, 12), "Asia/Beirut");
    expect(day.startMs).toBe(Date.UTC(2026, 2, 28, 22));
    expect(day.endMs - day.startMs).toBe(23 * HOUR_MS);
  });
});

describe("an ISO week", () => {
  test("whose Monday has no midnight begins with its first moment", () => {
    // In Tehran the clocks went from 24:00 on Sunday, 21 March 2021 to 01:00.
    const week = toIsoWeek(Date.UTC(2021, 2, 24, 12), "Asia/Tehran");
    expect(week.startMs).toBe(Date.UTC(2021, 2, 21, 20, 30));
    expect(toIsoWeek(week.startMs - 1, "Asia/Tehran").endMs).toBe(week.startMs);
  });

  test("runs from Monday to Sunday", () => {
    const week = { startMs: Date.UTC(2026, 2, 2), endMs: Date.UTC(2026, 2, 9) };
    for (const day of [2, 4, 8]) expect(toIsoWeek(Date.UTC(2026, 2, day, 9), OUAGADOUGOU)).toEqual(week);
    expect(toIsoWeek(Date.UTC(2026, 2, 9), OUAGADOUGOU).startMs).toBe(week.endMs);
  });

  test("is that of the zone's own clocks", () => {
    const mondayInParis = Date.UTC(2026, 2, 1, 23, 30);
    expect(toIsoWeek(mondayInParis, PARIS).startMs).toBe(Date.UTC(2026, 2, 1, 23));
    expect(toIsoWeek(mondayInParis, OUAGADOUGOU).endMs).toBe(Date.UTC(2026, 2, 2));
  });
});

test("the minute of the day is what the clocks of the zone show", () => {
  const instant = Date.UTC(2026, 6, 1, 6, 5);
  expect(minuteOfDay(instant, OUAGADOUGOU)).toBe(6 * 60 + 5);
  expect(minuteOfDay(instant, PARIS)).toBe(8 * 60 + 5);
  expect(minuteOfDay(instant, "Asia/Kathmandu")).toBe(11 * 60 + 50);
});
