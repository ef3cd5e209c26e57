import { expect, test } from "vitest";
import { csvRows } from "../../src/base/csv-rows.ts";

const read = (text: string) => [...csvRows(text)].map(({ line, cells }) => [line, ...cells]);

test("rows have the line they begin on, and blank lines are passed over", () => {
  expect(read("a,b\r\n\r\n,\nc,d")).toEqual([
    [1, "a", "b"],
    [4, "c", "d"],
  ]);
  expect(read("")).toEqual([]);
  expect(read("one\rtwo\r")).toEqual([
    [1, "one"],
    [2, "two"],
  ]);
});

test("quoted cells may hold separators, quotes and line ends, which count as lines", () => {
  expect(read('"a,1","say ""no""","x\r\ny"\nnext')).toEqual([
    [1, "a,1", 'say "no"', "x\r\ny"],
    [3, "next"],
  ]);
});

test("the first separator of the first line is the file's", () => {
  expect(read("a;b,c\nd;e")).toEqual([
    [1, "a", "b,c"],
    [2, "d", "e"],
  ]);
  expect(read("a\tb;c")).toEqual([[1, "a", "b;c"]]);
  expect(read("a\nb;c")).toEqual([
    [1, "a"],
    [2, "b;c"],
  ]);
});

test("a quote that is never closed, or stands inside a cell, is text", () => {
  expect(read('"a\nb"c,d')).toEqual([
    [1, '"a'],
    [2, 'b"c', "d"],
  ]);
  expect(read('"a"b,c')).toEqual([[1, '"a"b', "c"]]);
});

test("blanks around a cell are not part of it, and empty cells keep their place", () => {
  expect(read(" a , ,b,")).toEqual([[1, "a", "", "b", ""]]);
});
