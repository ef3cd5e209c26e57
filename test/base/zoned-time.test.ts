import { describe, expect, test } from "vitest";
import {
  instantOfWall,
  isoInZone,
  isTimezone,
  offsetMsInZone,
  wallMsInZone,
} from "../../src/base/zoned-time.ts";

const HOUR_MS = 3_600_000;
const utc = (iso: string) => Date.parse(`${iso}Z`);
const instant = (wall: string, zone: string) => {
  const found = instantOfWall(utc(wall), zone);
  return found === null ? null : new Date(found).toISOString();
};

describe("the wall clock of a zone", () => {
  test("Ouagadougou is at UTC all year", () => {
    for (const at of ["2026-01-15T12:00:00", "2026-07-15T12:00:00"]) {
      expect(offsetMsInZone(utc(at), "Africa/Ouagadougou")).toBe(0);
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
      const back = instantOfWall(wallMsInZone(at, "Europe/Paris"), "Europe/Paris");
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
