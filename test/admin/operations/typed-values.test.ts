import { describe, expect, test } from "vitest";
import { readTime } from "../../../src/admin/operations/parameters.ts";
import { codeOf, granted } from "./fixture.ts";

describe("times as typed", () => {
  test.each([
    ["2026-03-01T09:30:00Z", "2026-03-01T09:30:00.000Z"],
    ["2026-03-01T09:30:00+02:00", "2026-03-01T07:30:00.000Z"],
    ["2026-03-01T00:30:00-0130", "2026-03-01T02:00:00.000Z"],
    ["2026-03-01 09:30", "2026-03-01T09:30:00.000Z"],
    ["2026-03-01T09:30:00.1234567Z", "2026-03-01T09:30:00.123Z"],
    ["2026-03-01t09:30:00,5z", "2026-03-01T09:30:00.500Z"],
    ["2026-03-01T09:30+02", "2026-03-01T07:30:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
  ])("%s is %s", (text, iso) => {
    expect(new Date(granted(readTime(text)).beginMs).toISOString()).toBe(iso);
  });

  test("a date alone is the whole day, a time an instant", () => {
    const length = (text: string) => granted(readTime(text)).endMs - granted(readTime(text)).beginMs;
    expect(length("2026-03-01")).toBe(86_400_000);
    expect(length("2026-03-01T00:00:00Z")).toBe(1);
  });

  test.each([
    "",
    "tomorrow",
    "2026-02-29",
    "2026-13-01",
    "2026-03-01T24:00:00Z",
    "2026-03-01T10:60:00Z",
    "2026-03-01T10:00:00+24:00",
    "2026-03-01Z",
    "1772355600000",
  ])("%j is no time", (text) => {
    expect(codeOf(readTime(text))).toBe("INVALID_TIME");
  });
});
