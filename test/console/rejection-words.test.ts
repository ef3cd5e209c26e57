import { expect, test } from "vitest";
import { REJECTION_WORDS } from "../../src/console/rejection-words.ts";
import { REJECTION_REASONS } from "../../src/intake/rejection-reasons.ts";

test.each(["en", "fr"] as const)("every reason to reject a recipient has words in %s", (language) => {
  expect(Object.keys(REJECTION_WORDS[language]).sort()).toEqual([...REJECTION_REASONS].sort());
});
