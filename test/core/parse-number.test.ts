import { expect, test } from "vitest";
import { parseDecimal, parseWhole } from "../../src/core/parse-number.ts";

test("a whole number is digits alone, up to the most that it may be", () => {
  expect(["0", "7", "0042", "9007199254740991"].map((text) => parseWhole(text))).toEqual([
    ...[0, 7, 42, Number.MAX_SAFE_INTEGER],
  ]);
  for (const text of [
    "",
    " ",
    " 7",
    "7 ",
    "-1",
    "+1",
    "1.0",
    "1e3",
    "0x1F",
    "Infinity",
    "٣",
    null,
    undefined,
  ]) {
    expect(parseWhole(text)).toBeNull();
  }
  expect([parseWhole("8", 7), parseWhole("9007199254740992"), parseWhole("1".repeat(17))]).toEqual([
    null,
    null,
    null,
  ]);
});

test("a number with decimals and an exponent is one as programs write it", () => {
  expect(["-0.5", "2.2670123456E10", "1e-7", ".5", "5.", "+3"].map(parseDecimal)).toEqual([
    ...[-0.5, 22_670_123_456, 1e-7, 0.5, 5, 3],
  ]);
  for (const text of ["", " ", ".", "1,5", "0x1F", "Infinity", "NaN", "1e999", "1 2", "1".repeat(65)]) {
    expect(parseDecimal(text)).toBeNull();
  }
});
