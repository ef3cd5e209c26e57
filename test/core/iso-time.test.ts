import { describe, expect, test } from "vitest";
import { readIsoTime } from "../../src/core/calendar.ts";

const HOUR_MS = 3_600_000;

describe("a time in ISO 8601", () => {
  const NOON = Date.UTC(2026, 2, 1, 12);

  test.each([
    ["2026-03-01T12:00:00Z", 0, 0],
    ["2026-03-01t12:00:00z", 0, 0],
    ["2026-03-01 12:00Z", 0, 0],
    [" 2026-03-01T12:00Z ", 0, 0],
    ["2026-03-01T12:00:00", 0, null],
    ["2026-03-01T12:00:00.5", 500_000, null],
    ["2026-03-01T12:00:00,1234569+02:00", 123_456, 2 * HOUR_MS],
    ["2026-03-01T12:00:00-0330", 0, -3.5 * HOUR_MS],
    ["2026-03-01T12:00+02", 0, 2 * HOUR_MS],
    ["2026-03-01T12:00:00-00:00", 0, 0],
    ["2026-03-01T12:00:00+23:59", 0, 24 * HOUR_MS - 60_000],
  ])("%j is noon with its fraction and its offset", (text, micros, offsetMs) => {
    const time = readIsoTime(text);
    expect(time).toMatchObject({ wallMs: NOON, micros, isDate: false });
    expect(time!.offsetMs === null ? null : time!.offsetMs + 0).toBe(offsetMs);
  });

  test("may be a date alone, in any year of four digits", () => {
    expect(readIsoTime("2024-02-29")).toEqual({
      wallMs: Date.UTC(2024, 1, 29),
      micros: 0,
      offsetMs: null,
      isDate: true,
    });
    expect(new Date(readIsoTime("0001-01-01T00:00:00Z")!.wallMs).toISOString()).toBe(
      "0001-01-01T00:00:00.000Z",
    );
  });

  test.each([
    "",
    "tomorrow",
    "1772355600000",
    "20260301T120000Z",
    "2026-W09-7",
    "2026-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-03-01Z",
    "2026-03-01T12Z",
    "2026-03-01T24:00:00Z",
    "2026-03-01T10:60:00Z",
    "2026-03-01T10:00:60Z",
    "2026-03-01T10:00:00.Z",
    "2026-03-01T10:00:00.1234567890Z",
    "2026-03-01T10:00:00+24:00",
    "2026-03-01T10:00:00+01:60",
    "2026-03-01T10:00:00 02:00",
    "2026-03-01T10:00:00Z and more",
  ])("%j is none", (text) => {
    expect(readIsoTime(text)).toBeNull();
  });
});
