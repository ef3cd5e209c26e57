import { describe, expect, test } from "vitest";
import { isWithin, parseHours } from "../../src/core/calendar.ts";

const at = (hour: number, minute = 0) => hour * 60 + minute;

describe("parseHours", () => {
  test("reads a stretch of the day in minutes", () => {
    expect(parseHours("08:00-20:30")).toEqual({ fromMinute: at(8), toMinute: at(20, 30) });
    expect(parseHours("00:00-24:00")).toEqual({ fromMinute: 0, toMinute: 1440 });
    expect(parseHours("20:00-06:00")).toEqual({ fromMinute: at(20), toMinute: at(6) });
  });

  for (const text of [
    "8:00-20:00",
    "08:00",
    "08:60-20:00",
    "24:00-08:00",
    "08:00-24:01",
    "08:00-08:00",
    "20:00-00:00",
  ]) {
    test(`${text} is refused`, () => {
      expect(parseHours(text)).toBeNull();
    });
  }
});

describe("isWithin", () => {
  test("the first minute is inside and the last is out", () => {
    const day = { fromMinute: at(8), toMinute: at(20) };
    expect([at(7, 59), at(8), at(19, 59), at(20)].map((minute) => isWithin(day, minute))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  test("a stretch may run over midnight", () => {
    const night = { fromMinute: at(20), toMinute: at(6) };
    expect(
      [at(19, 59), at(20), at(23, 59), 0, at(5, 59), at(6)].map((minute) => isWithin(night, minute)),
    ).toEqual([false, true, true, true, true, false]);
  });

  test("00:00-24:00 is always", () => {
    const always = { fromMinute: 0, toMinute: 1440 };
    expect([0, 1439].every((minute) => isWithin(always, minute))).toBe(true);
  });
});
