import { expect, test } from "vitest";
import { draftBody, isOperatorCode, NOTHING_TYPED } from "../../src/console/ui/pages/connect/draft-form.ts";

const SHEET = {
  ...NOTHING_TYPED,
  ...{ code: " ORANGE ", name: "Orange", host: "smsc.orange.example ", systemId: "bendre", price: "25" },
  prefixes: "05 06 07\n22654, 22655;\n+22664",
};

test("what is typed of an operator's sheet is asked for, capitals become small and prefixes stand on any lines", () => {
  expect(draftBody({ ...SHEET, throughput: "50", window: "20", bind: "separate" }, true)).toEqual({
    ...{ code: "orange", name: "Orange", host: "smsc.orange.example", port: 2775, system_id: "bendre" },
    ...{ throughput: 50, window: 20, bind: "separate", price: 25 },
    prefixes: ["05", "06", "07", "22654", "22655", "22664"],
  });
});

test("prefixes are taken as sheets write them: from one to another, behind the country once, with an and", () => {
  const of = (prefixes: string) => draftBody({ ...SHEET, prefixes }, true)?.prefixes;
  expect(of("+226 04 à 07, 44 à 46, 74 et 75")).toEqual([
    "04",
    "05",
    "06",
    "07",
    "44",
    "45",
    "46",
    "74",
    "75",
  ]);
  expect(of("22654-22656; 22664–22665")).toEqual(["22654", "22655", "22656", "22664", "22665"]);
  expect(of("64 to 66")).toEqual(["64", "65", "66"]);
  // What is no range stays, and is refused by name.
  expect(of("07 à 04")).toEqual(["07", "à", "04"]);
});

test("who sets no prices asks for none", () => {
  expect(draftBody(SHEET, false)).not.toHaveProperty("price");
});

test("an identifier begins with a letter and has neither blanks nor accents", () => {
  const good = ["orange", "ORANGE", "moov-2", " telecel_bf "];
  const bad = ["", "2moov", "moov africa", "télécel", "-x"];
  expect(good.filter(isOperatorCode)).toEqual(good);
  expect(bad.filter(isOperatorCode)).toEqual([]);
});
