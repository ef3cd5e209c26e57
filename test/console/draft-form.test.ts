import { expect, test } from "vitest";
import {
  draftBody,
  isOperatorCode,
  NOTHING_TYPED,
  parseWholeNumber,
  suggestedCode,
  withChange,
} from "../../src/console/ui/pages/connect/operator-form.ts";

const SHEET = {
  ...NOTHING_TYPED,
  code: " ORANGE ",
  name: "Orange",
  host: "smsc.orange.example ",
  systemId: "bendre",
  price: "25",
  prefixes: "05 06 07\n22654, 22655;\n+22664",
};

test("what is typed of an operator's sheet is asked for, capitals become small and prefixes stand on any lines", () => {
  expect(draftBody({ ...SHEET, throughput: "50", window: "20", bind: "separate" }, true)).toEqual({
    code: "orange",
    name: "Orange",
    host: "smsc.orange.example",
    port: 2775,
    system_id: "bendre",
    throughput: 50,
    window: 20,
    bind: "separate",
    price: 25,
    receipts: true,
    prefixes: ["05", "06", "07", "22654", "22655", "22664"],
  });
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

test("the short name follows the name until another is typed", () => {
  expect(["Orange Burkina Faso", "Télécel", "  Onatel (Moov)", "3G Faso", ""].map(suggestedCode)).toEqual([
    ...["orange", "telecel", "onatel", "g", ""],
  ]);
  const named = withChange(NOTHING_TYPED, { name: "Orange BF" });
  expect(named).toMatchObject({ name: "Orange BF", code: "orange" });
  expect(withChange(named, { name: "Moov" }).code).toBe("moov");
  const own = withChange(named, { code: "orange-bf" });
  expect(withChange(own, { name: "Moov" })).toMatchObject({ name: "Moov", code: "orange-bf" });
});

test("a whole number is taken with the unit that the sheet gives it", () => {
  expect(["50", " 1 000 ", "50 SMS par seconde", "12 F CFA", "50/s"].map(parseWholeNumber)).toEqual([
    ...[50, 1000, 50, 12, 50],
  ]);
  expect(["", "cinquante", "12,5", "12.5 F", "10 à 50", "-3"].map(parseWholeNumber)).toEqual(
    Array(6).fill(null),
  );
});
