import { describe, expect, test } from "vitest";
import { readSchedule } from "../../../src/domain/submission/schedule.ts";

const NOW = Date.UTC(2026, 2, 2, 9, 0, 0);

function read(scheduledAt: string | null, timezone: string | null = null, nowMs = NOW) {
  return readSchedule(scheduledAt, timezone, "Africa/Ouagadougou", nowMs);
}

/** The instant that was read, as ISO 8601 in UTC, or the code of the refusal. */
function instant(scheduledAt: string, timezone: string | null = null, nowMs = NOW): string {
  const outcome = read(scheduledAt, timezone, nowMs);
  if (!outcome.ok) return outcome.refusal.code;
  return outcome.value.atMs === null ? "now" : new Date(outcome.value.atMs).toISOString();
}

describe("when a batch leaves", () => {
  test("without a time it is at once, in the account's zone unless it names another", () => {
    expect(read(null)).toEqual({ ok: true, value: { atMs: null, timezone: "Africa/Ouagadougou" } });
    expect(read(null, "Europe/Paris")).toEqual({ ok: true, value: { atMs: null, timezone: "Europe/Paris" } });
  });

  // Keeps: behaviour 4.57
  test.each([
    ["2026-03-02T12:00:00Z", "2026-03-02T12:00:00.000Z"],
    ["2026-03-02T12:00:00+01:00", "2026-03-02T11:00:00.000Z"],
    ["2026-03-02T12:00:00-0330", "2026-03-02T15:30:00.000Z"],
    ["2026-03-02T12:00+02", "2026-03-02T10:00:00.000Z"],
    ["2026-03-02t12:00:00.25z", "2026-03-02T12:00:00.250Z"],
    ["2026-03-02 12:00:00,123456Z", "2026-03-02T12:00:00.123Z"],
  ])("%s is the instant %s, whatever the zone", (text, expected) => {
    expect(instant(text)).toBe(expected);
    expect(instant(text, "Asia/Tokyo")).toBe(expected);
  });

  // Keeps: behaviour 4.58
  test("without an offset it is local time in the zone that is named, else the account's", () => {
    expect(instant("2026-07-01T12:00:00")).toBe("2026-07-01T12:00:00.000Z");
    expect(instant("2026-07-01T12:00:00", "Europe/Paris")).toBe("2026-07-01T10:00:00.000Z");
    expect(instant("2026-12-01T12:00:00", "Europe/Paris")).toBe("2026-12-01T11:00:00.000Z");
  });

  // Keeps: behaviour 4.59
  test("a local time over which the clocks are put forward is refused, the minutes beside it are not", () => {
    expect(instant("2026-03-29T01:59:59", "Europe/Paris")).toBe("2026-03-29T00:59:59.000Z");
    expect(instant("2026-03-29T02:00:00", "Europe/Paris")).toBe("SCHEDULE_INVALID");
    expect(instant("2026-03-29T02:30:00", "Europe/Paris")).toBe("SCHEDULE_INVALID");
    expect(instant("2026-03-29T03:00:00", "Europe/Paris")).toBe("2026-03-29T01:00:00.000Z");
  });

  test("of a local time that comes twice it is the first", () => {
    expect(instant("2026-10-25T02:30:00", "Europe/Paris")).toBe("2026-10-25T00:30:00.000Z");
  });

  test("it must be in the future", () => {
    expect(instant("2026-03-02T09:00:00.001Z")).toBe("2026-03-02T09:00:00.001Z");
    expect(instant("2026-03-02T09:00:00Z")).toBe("SCHEDULE_INVALID");
    expect(instant("0000-03-03T10:00:00Z")).toBe("SCHEDULE_INVALID");
    expect(instant("2026-03-02T09:30:00+01:00")).toBe("SCHEDULE_INVALID");
  });

  // Keeps: behaviour 4.60
  test("it may be 365 days ahead and no more", () => {
    expect(instant("2027-03-02T09:00:00Z")).toBe("2027-03-02T09:00:00.000Z");
    expect(instant("2027-03-02T09:00:00.001Z")).toBe("SCHEDULE_INVALID");
  });

  test("29 February is a day in leap years only", () => {
    expect(instant("2028-02-29T12:00:00Z", null, Date.UTC(2028, 0, 1))).toBe("2028-02-29T12:00:00.000Z");
    expect(instant("2027-02-29T12:00:00Z", null, Date.UTC(2027, 0, 1))).toBe("VALIDATION_FAILED");
  });

  test.each([
    "tomorrow",
    "",
    "2026-03-03",
    "1772614800",
    "2026-13-01T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-03-03T24:00:00Z",
    "2026-03-03T10:60:00Z",
    "2026-03-03T10:00:60Z",
    "2026-03-03T10:00:00-99:99",
    "2026-03-03T10:00:00-24:00",
    "2026-03-03T10:00:00-05:60",
    "2026-03-03T10:00:00Z and more",
  ])("%j is no time", (text) => {
    expect(instant(text)).toBe("VALIDATION_FAILED");
  });

  test.each(["Mars/Olympus", "+01:00", "", "Europe/Paris; DROP"])("%j is no zone", (zone) => {
    expect(instant("2026-03-03T10:00:00Z", zone)).toBe("SCHEDULE_INVALID");
    expect(read(null, zone).ok).toBe(false);
  });
});
