import { expect, test } from "vitest";
import { CODES_IN_FRENCH } from "../../src/console/rejection-codes.ts";
import { REJECTION_WORDS } from "../../src/console/rejection-words.ts";
import { REJECTION_REASONS } from "../../src/intake/rejection-reasons.ts";

test.each(["en", "fr"] as const)("every reason to reject a recipient has words in %s", (language) => {
  const ofConsole = [
    "SENDER_NOT_REGISTERED",
    "UNREADABLE_ROW",
    "DUPLICATE_OF_REFUSED",
    "TURN_BEFORE",
    "SERVED_BEFORE",
    "FAILED_BEFORE",
  ];
  expect(Object.keys(REJECTION_WORDS[language]).sort()).toEqual([...REJECTION_REASONS, ...ofConsole].sort());
});

test("every reason has a code of its own in French", () => {
  const codes = Object.values(CODES_IN_FRENCH);
  expect(Object.keys(CODES_IN_FRENCH).sort()).toEqual(Object.keys(REJECTION_WORDS.fr).sort());
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes.filter((code) => !/^[A-Z_]+$/.test(code))).toEqual([]);
});
