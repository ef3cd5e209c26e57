/** A caller says a number as the file had it, a whole one, or a name: which row is theirs. */
import { describe, expect, test } from "vitest";
import { createRowMatcher, looksLikeNumber } from "../../../src/admin/reports/row-match.ts";

const row = (written: string, values: Record<string, string> = {}) => ({
  written,
  client_reference: null,
  cells: Object.keys(values).length === 0 ? null : values,
});

describe("a row is found", () => {
  test("by its number as it is written there, whatever stands between the digits", () => {
    for (const typed of ["70 12 34 5", "7012345", "70.12.34.5", "70123"]) {
      expect(createRowMatcher(typed, null)(row("70-12-34-5"))).toBe("written");
    }
    for (const typed of ["7,6E+07", "7.6e+07", "7,6E07"]) {
      expect(createRowMatcher(typed, null)(row("7,6E+07"))).toBe("written");
    }
    expect(createRowMatcher("7,6E+07", null)(row("7,5E+07"))).toBe(null);
    expect(createRowMatcher("70 12 34 6", null)(row("70 12 34 5"))).toBe(null);
  });

  test("nearly, by the whole number that its own lost a digit of or had one too many of, or that Excel shortened", () => {
    const seek = createRowMatcher("+226 70 12 34 56", "70123456");
    for (const written of ["7012345", "0123456", "701234556", "7,0E+07", "7,01E+07", "7E+07"]) {
      expect([written, seek(row(written))]).toEqual([written, "nearly"]);
    }
    for (const written of ["7012344", "70123", "7,6E+07", "demain", ""]) {
      expect([written, seek(row(written))]).toEqual([written, null]);
    }
    expect(createRowMatcher("70123456", "70123456")(row("+22670123456"))).toBe("written");
  });

  test("by every word of a name, without case, accents and how she is addressed", () => {
    const traore = row("demain", { prénom: "Awa", nom: "TRAORÉ" });
    for (const typed of ["Madame Traoré", "mme traore awa", "Traoré"]) {
      expect(createRowMatcher(typed, null)(traore)).toBe("word");
    }
    expect(createRowMatcher("Traoré Fatou", null)(traore)).toBe(null);
    expect(createRowMatcher("Madame", null)(traore)).toBe(null);
  });
});

test("a few digits, or Excel's notation, are meant as a number; three digits and a word are not", () => {
  expect(["70 12", "7,6E+07", "+33 6 12"].every(looksLikeNumber)).toBe(true);
  expect(["701", "Traoré", "demain", ""].some(looksLikeNumber)).toBe(false);
});
