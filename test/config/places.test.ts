import { describe, expect, test } from "vitest";
import { isRegion } from "../../src/config/schema.ts";
import { isTimezone } from "../../src/core/calendar.ts";

describe("places", () => {
  test("a region is two capital letters that telephone numbers are known for", () => {
    expect(["BF", "FR", "CI"].every(isRegion)).toBe(true);
    expect(["bf", "XX", "BFA", "", "constructor"].some(isRegion)).toBe(false);
  });

  test("a timezone is an IANA name, never an offset", () => {
    expect(["Africa/Ouagadougou", "Europe/Paris", "UTC"].every(isTimezone)).toBe(true);
    expect(["+01:00", "Mars/Base", "", " ", `A${"a".repeat(64)}`].some(isTimezone)).toBe(false);
  });
});
