import { describe, expect, test } from "vitest";
import { digitCount, unroutedCause } from "../../../src/domain/submission/phone-numbers.ts";
import { phrase } from "../../../src/i18n/phrase.ts";

const HOME = { least: 8, most: 8, code: null };

describe("digits of what is no number", () => {
  test("are counted whatever stands between them, beside those of a number of the country", () => {
    for (const text of ["701234", "70 12 34", "70.12-34", "(70) 12 34", "\u202a70\u00a012\u00a034"]) {
      expect(digitCount(text, "BF")).toEqual({ ...HOME, digits: 6 });
    }
    expect(digitCount("0701234", "CI")).toEqual({ digits: 7, least: 10, most: 10, code: null });
  });

  test("are those behind the code of a country, where one stands before them", () => {
    expect(digitCount("+226 70 12 34", "BF")).toEqual({ ...HOME, digits: 6, code: "+226" });
    expect(digitCount("226701234", "BF")).toEqual({ ...HOME, digits: 6, code: "226" });
    expect(digitCount("0033 6 12", "BF")).toEqual({ digits: 3, least: 9, most: 9, code: "+33" });
  });

  test("are not counted where other things stand between them, or behind the code of no country", () => {
    for (const text of ["demain", "7,6E+07", "70112233/76112233", "+999123", ""]) {
      expect(digitCount(text, "BF")).toBe(null);
    }
  });
});

test("a number of another country and a fixed line are told as that, a mobile without an operator as nothing more", () => {
  expect(unroutedCause("+33612345678", "BF")).toEqual(phrase("row.unserved.country", { code: "33" }));
  expect(unroutedCause("+22625306070", "BF")).toEqual(phrase("row.unserved.fixed_line"));
  expect(unroutedCause("+22670112233", "BF")).toBe(null);
});
