import { expect, test } from "vitest";
import { REJECTION_WORDS } from "../../src/console/rejection-words.ts";
import { REJECTION_REASONS } from "../../src/intake/rejection-reasons.ts";

test.each(["en", "fr"] as const)("every reason to reject a recipient has words in %s", (language) => {
  const ofConsole = ["UNREADABLE_ROW", "DUPLICATE_OF_REFUSED", "SERVED_BEFORE", "FAILED_BEFORE"];
  expect(Object.keys(REJECTION_WORDS[language]).sort()).toEqual([...REJECTION_REASONS, ...ofConsole].sort());
});
