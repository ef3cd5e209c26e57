import { expect, test } from "vitest";
import { digitSentence } from "../../src/base/digit-count.ts";

const HOME = { least: 8, most: 8, code: null };

test("what is no number says how many digits it has, and how many it should have", () => {
  expect(digitSentence('"701234"', { ...HOME, digits: 6 })).toBe('"701234" has 6 digits instead of 8');
  expect(digitSentence('"7"', { ...HOME, digits: 1 })).toBe('"7" has 1 digit instead of 8');
  expect(digitSentence('"7"', { digits: 1, least: 4, most: 15, code: null })).toContain(
    "1 digit instead of 4–15",
  );
  expect(digitSentence('"+33 6"', { digits: 1, least: 9, most: 9, code: "+33" })).toContain(
    "1 digit(s) behind the country's code +33 instead of 9",
  );
});

test("as many digits as there should be are said to be nobody's", () => {
  expect(digitSentence('"99999999"', { ...HOME, digits: 8 })).toContain(
    "no operator has numbers that begin so",
  );
});
