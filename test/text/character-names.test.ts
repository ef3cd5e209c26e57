import { describe, expect, test } from "vitest";
import { characterName, renderCodePoint } from "../../src/text/character-names.ts";
import { findReplacement } from "../../src/text/rewrite.ts";

describe("a character", () => {
  test.each([
    ["ç", "U+00E7", "LATIN SMALL LETTER C WITH CEDILLA"],
    ["\t", "U+0009", "CHARACTER TABULATION"],
    ["\u00a0", "U+00A0", "NO-BREAK SPACE"],
    ["’", "U+2019", "RIGHT SINGLE QUOTATION MARK"],
    ["\u202f", "U+202F", "NARROW NO-BREAK SPACE"],
    ["₦", "U+20A6", "NAIRA SIGN"],
    ["→", "U+2192", "RIGHTWARDS ARROW"],
    ["ɛ", "U+025B", "LATIN SMALL LETTER OPEN E"],
    ["😀", "U+1F600", "GRINNING FACE"],
    ["✅", "U+2705", "WHITE HEAVY CHECK MARK"],
    ["漢", "U+6F22", null],
    ["ا", "U+0627", null],
    ["\u{10ffff}", "U+10FFFF", null],
  ])("%j is %s", (character, codePoint, name) => {
    expect([renderCodePoint(character), characterName(character)]).toEqual([codePoint, name]);
  });

  test("that is rewritten has a name", () => {
    const nameless: string[] = [];
    for (let codePoint = 0; codePoint < 0x10000; codePoint++) {
      const character = String.fromCharCode(codePoint);
      if (findReplacement(character) !== null && characterName(character) === null) nameless.push(character);
    }
    expect(nameless).toEqual([]);
  });
});
