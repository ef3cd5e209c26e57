import { describe, expect, test } from "vitest";
import { generalText, numberFormat } from "../../../src/domain/imports/number-format.ts";

/** 1 December 2026. */
const DAY = 46_357;
const show = (code: string | null, number: number) => numberFormat(code).show(number, false);

describe("what a cell shows is what is sent", () => {
  test.each([
    ["leading zeros", "0000", 42, "0042"],
    ["leading zeros among spaces, as of a phone number", "00\\ 00\\ 00\\ 00", 5_112_233, "05112233"],
    ["per cent", "0%", 0.1, "10%"],
    ["per cent with decimals and a space", '0.0" "%', 0.1234, "12.3 %"],
    ["decimals that are always shown", "0.00", 3.3, "3.30"],
    ["half of the last decimal, counted up as people do", "0.00", 2.675, "2.68"],
    ["decimals that are shown where there are any", "0.##", 5.1, "5.1"],
    ["no decimals", "0", 24_999.6, "25000"],
    ["a duration beyond a day", "[h]:mm", 26.5 / 24, "26:30"],
    ["a duration with seconds", "[h]:mm:ss", 1.75, "42:00:00"],
    ["minutes beyond an hour", "[mm]:ss", 0.0625, "90:00"],
    ["a time of the day of what is longer than a day", "h:mm", 1.1, "02:24"],
    ["a time of twelve hours", "h:mm AM/PM", 0.854166666666667, "20:30"],
    ["a date without its time", "dd/mm/yyyy", DAY + 0.5, "01/12/2026"],
    ["a date with its time", "m/d/yy h:mm", DAY + 0.354166666664, "01/12/2026 08:30"],
    ["a date in words", "[$-40C]dddd d mmmm yyyy", DAY, "01/12/2026"],
    ["a day and a month", "dd/mm", DAY, "01/12"],
    ["a year", "yyyy", DAY, "2026"],
    ["a negative number by its own section", "0;[Red]-0", -5, "-5"],
    ["nothing said", "General", 3.3000000000000003, "3.3"],
    ["the format Text", "@", 70_123_456, "70123456"],
  ])("%s", (_, code, number, text) => {
    expect(show(code, number)).toEqual({ text, isFollowed: true });
  });

  test("15 digits are what a workbook keeps", () => {
    expect([0.1 + 0.2, 1e15, 22_670_123_456, -0.5, 1e-7].map(generalText)).toEqual([
      ...["0.3", "1000000000000000", "22670123456", "-0.5", "0.0000001"],
    ]);
  });
});

describe("what a cell shows otherwise is told", () => {
  test.each([
    ["groups of three digits", "#,##0", 25_000, "25000"],
    ["a currency", '0" FCFA"', 25_000, "25000"],
    ["a month and a year, which is no day", "mmm-yy", DAY, "12/2026"],
    ["a day with the name of its month", "d-mmm", DAY, "01/12"],
    ["a day of the week", "dddd", DAY, "01/12/2026"],
    ["a duration in words", '[h]"h"mm', 26.5 / 24, "26:30"],
    ["a fraction", "# ?/?", 0.5, "0.5"],
    ["powers of ten", "0.00E+00", 1234, "1234"],
    ["thousands", "0,", 25_000, "25000"],
    ["a condition", "[<100]0.0;0", 5, "5"],
    ["a negative number without its sign", "0;[Red]0", -5, "-5"],
    ["a word for zero", '0;-0;"aucun"', 0, "0"],
    ["nothing at all", ";;;", 7, "7"],
    ["a date before the first day", "dd/mm/yyyy", -3, "-3"],
    ["a format longer than any can be", "0".repeat(256), 7, "7"],
    ["a format that is not known", null, 7, "7"],
  ])("%s", (_, code, number, text) => {
    expect(show(code, number)).toEqual({ text, isFollowed: false });
  });

  test("but for groups that are not there", () => {
    expect(show("#,##0", 250)).toEqual({ text: "250", isFollowed: true });
  });
});
