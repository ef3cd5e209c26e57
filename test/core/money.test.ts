import { describe, expect, test } from "vitest";
import { isXof, parseXof } from "../../src/core/money.ts";

describe("whole francs", () => {
  test.each([
    ["0", 0],
    ["500", 500],
    ["+500", 500],
    ["-500", -500],
    [" 12 500 ", 12_500],
    ["12_500", 12_500],
    ["1\u202f250\u00a0000", 1_250_000],
    ["007", 7],
    ["9007199254740991", Number.MAX_SAFE_INTEGER],
  ])("%j is an amount", (text, amount) => {
    expect(parseXof(text)).toBe(amount);
  });

  test.each([
    "",
    " ",
    "-",
    "12.5",
    "12,5",
    "12.000",
    "1e3",
    "0x10",
    "5 XOF",
    "- 5",
    "1  000",
    "_1",
    "1_",
    "--1",
    "١٢",
    "NaN",
    "Infinity",
    "9007199254740992",
    "99999999999999999999",
  ])("%j is none", (text) => {
    expect(parseXof(text)).toBeNull();
  });

  test("an amount of nothing is plain zero, whatever its sign", () => {
    expect(Object.is(parseXof("-0"), 0)).toBe(true);
  });

  test("only whole numbers that are held exactly are amounts", () => {
    expect([0, -3, 2 ** 53 - 1].every(isXof)).toBe(true);
    for (const none of [0.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, "5", 5n, null, undefined]) {
      expect(isXof(none)).toBe(false);
    }
  });
});
