import { expect, test } from "vitest";
import { digitPhrase } from "../../src/core/import-row.ts";
import { phrase } from "../../src/i18n/phrase.ts";
import { english } from "../../src/i18n/text.ts";

const HOME = { least: 8, most: 8, code: null };
const written = phrase("row.written", { text: "7" });

test("what is no number says how many digits it has, and how many it should have", () => {
  expect(digitPhrase(written, { ...HOME, digits: 6 })).toEqual(
    phrase("row.digits", { written, count: 6, wanted: "8" }),
  );
  expect(english(digitPhrase(written, { ...HOME, digits: 1 }))).toBe('"7" has 1 digit instead of 8');
  expect(english(digitPhrase(written, { ...HOME, digits: 6 }))).toBe('"7" has 6 digits instead of 8');
  expect(digitPhrase(written, { digits: 1, least: 4, most: 15, code: null })).toEqual(
    phrase("row.digits", { written, count: 1, wanted: "4–15" }),
  );
  expect(digitPhrase(written, { digits: 1, least: 9, most: 9, code: "+33" })).toEqual(
    phrase("row.digits.behind_code", { written, digits: 1, code: "+33", wanted: "9" }),
  );
});

test("as many digits as there should be are said to be nobody's", () => {
  expect(digitPhrase(written, { ...HOME, digits: 8 }).code).toBe("row.digits.as_many");
});
