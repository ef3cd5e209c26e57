import { expect, test } from "vitest";
import { renderIso, threeDigits } from "../../src/core/calendar.ts";
import { seededChance } from "../kit/test-chance.ts";

const asBuiltIn = (ms: number) => new Date(ms).toISOString();

test("an instant is written as the runtime writes it, whatever was written before", () => {
  const chance = seededChance(1);
  const around = [
    0,
    Date.UTC(2026, 2, 2, 9),
    Date.UTC(1969, 11, 31, 23, 59, 59),
    -62_167_219_200_000,
    253_402_300_800_000,
  ];
  for (let round = 0; round < 20_000; round++) {
    const from = around[round % around.length] ?? 0;
    const ms = from + Math.floor((chance.fraction() - 0.5) * 200_000);
    expect(renderIso(ms)).toBe(asBuiltIn(ms));
  }
});

test("the first and the last instants, fractions and negative ones are written as the runtime writes them", () => {
  for (const ms of [8.64e15, -8.64e15, -0, -0.5, -1, -999.9, -1000, 1.9, 999.999, 1772442000000.25])
    expect(renderIso(ms)).toBe(asBuiltIn(ms));
});

test("what is no time is refused", () => {
  for (const ms of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1, -8.64e15 - 1])
    expect(() => renderIso(ms)).toThrow(RangeError);
  expect(renderIso(0)).toBe("1970-01-01T00:00:00.000Z");
});

test("three digits have their zeros", () => {
  expect([0, 7, 42, 999].map(threeDigits)).toEqual(["000", "007", "042", "999"]);
});
