import { expect, test } from "vitest";
import { francs, phoneNumber, phonePrefix, wholeNumber } from "../../src/console/ui/format.ts";

const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");

test("a number is read in twos behind the code of its country", () => {
  const shown = ["+22606861168", "+33612345678", "+15551234567", "+2250707123456"].map(phoneNumber);
  expect(shown.map(plain)).toEqual([
    "+226 06 86 11 68",
    "+33 6 12 34 56 78",
    "+1 55 51 23 45 67",
    "+225 07 07 12 34 56",
  ]);
  expect(shown.join("")).not.toContain(" ");
});

test("what is no number stays as it is", () => {
  const texts = ["Pharmacie du Sahel", "06 86 11 68", "+226", "+226…68", "", "a@example.bf"];
  expect(texts.map(phoneNumber)).toEqual(texts);
});

test("the first digits of numbers are read as numbers are", () => {
  expect(["22604", "226", "2260", "336"].map(phonePrefix).map(plain)).toEqual([
    "+226 04",
    "+226",
    "+226 0",
    "+33 6",
  ]);
});

test("what is below zero has a minus and no hyphen", () => {
  expect([francs("fr", -2715), francs("en", -2715), wholeNumber("en", -3)].map(plain)).toEqual([
    "\u22122 715 F CFA",
    "\u22122,715 XOF",
    "\u22123",
  ]);
});
