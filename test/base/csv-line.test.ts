import { expect, test } from "vitest";
import { csvField, sheetHead, sheetLines } from "../../src/base/csv-line.ts";
import { csvRows } from "../../src/base/csv-rows.ts";

const ROWS = [
  ["nom", "tel"],
  ['Awa; "la grande", dite A', "05112233"],
  ["=1+1", "226701234567"],
];

test("French spreadsheets get semicolons and commas in numbers, English ones commas, both the mark of UTF-8", () => {
  expect(sheetHead("fr", [["a", "b,c", 1.5]])).toBe("\ufeffa;b,c;1,5\r\n");
  expect(sheetHead("en", [["a", "b,c", 1.5]])).toBe('\ufeffa,"b,c",1.5\r\n');
});

test.each(["fr", "en"] as const)(
  "what is written in %s is read again, but for the mark of texts",
  (language) => {
    expect([...csvRows(sheetLines(language, ROWS))].map(({ cells }) => cells)).toEqual([
      ["nom", "tel"],
      ['Awa; "la grande", dite A', "'05112233"],
      ["'=1+1", "'226701234567"],
    ]);
  },
);

test("digits that a spreadsheet shows as they are have no mark, and files for programs never one", () => {
  expect(sheetLines("en", [["70112233", "22670112233", "0", "1.05", 12]])).toBe(
    "70112233,22670112233,0,1.05,12\r\n",
  );
  expect(["05112233", "a;b"].map((value) => csvField(value))).toEqual(["05112233", "a;b"]);
});

test("a text for programs is no formula either where a French spreadsheet opens it, which takes it apart at semicolons", () => {
  const texts = ["x;=1+1", 'x; "@SUM(1)', "x\t-1", "a;b - c", { note: "x;=cmd|'/C calc'!A0" }];
  expect(texts.map((text) => csvField(text))).toEqual([
    "x;'=1+1",
    `"x; ""'@SUM(1)"`,
    "x\t'-1",
    "a;b - c",
    `"{""note"":""x;'=cmd|'/C calc'!A0""}"`,
  ]);
});
