import { describe, expect, test } from "vitest";
import { isDay, lastMonths, PERIODS, spanOfPeriod } from "../../src/console/ui/state/period.ts";

describe("a period that is picked by its name", () => {
  test.each([
    ["today", "2026-03-01", null],
    ["yesterday", "2026-02-28", "2026-02-28"],
    ["7d", "2026-02-23", null],
    ["30d", "2026-01-31", null],
    ["month", "2026-03-01", null],
    ["last-month", "2026-02-01", "2026-02-28"],
  ] as const)("%s has its first and its last day", (period, from, to) => {
    expect(spanOfPeriod(period, "2026-03-01")).toEqual({ from, to });
  });

  test("goes over the turn of a year, and has real days whatever the day", () => {
    expect(spanOfPeriod("last-month", "2026-01-31")).toEqual({ from: "2025-12-01", to: "2025-12-31" });
    expect(spanOfPeriod("yesterday", "2026-01-01")).toEqual({ from: "2025-12-31", to: "2025-12-31" });
    for (const today of ["2024-02-29", "2026-12-31", "2026-03-31"])
      for (const period of PERIODS) {
        const { from, to } = spanOfPeriod(period, today);
        expect([today, period, isDay(from), to === null || (isDay(to) && from <= to)]).toEqual([
          today,
          period,
          true,
          true,
        ]);
      }
  });
});

test("months are offered from the present one back", () => {
  expect(lastMonths("2026-02-15", 4)).toEqual(["2026-02", "2026-01", "2025-12", "2025-11"]);
});

test("what is no day of the calendar is none", () => {
  expect(["2026-03-01", "7d", "2026-13-01", "2026-03-01T08:00", ""].map(isDay)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});
