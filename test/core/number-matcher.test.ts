import { describe, expect, test } from "vitest";
import { createNumberMatcher } from "../../src/core/number-matcher.ts";

describe("a number is found in a text", () => {
  const { occursIn, replaceIn } = createNumberMatcher("+22670123456");
  test.each([
    "22670123456",
    "+22670123456",
    "0022670123456",
    "70123456",
    "070123456",
    "70 12 34 56",
    "call 70.12.34.56.",
    '{"msisdn":"+226 70-12-34-56"}',
  ])("as %j", (text) => {
    expect(occursIn(text)).toBe(true);
    expect(replaceIn(text, "X")).not.toMatch(/\d/);
  });
  test.each(["2267012345", "170123456", "701234567", "7012345", "99970123456"])("and not as %j", (text) =>
    expect(occursIn(text)).toBe(false),
  );
});
