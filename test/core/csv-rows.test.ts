import { expect, test } from "vitest";
import { csvRows, UnclosedQuote } from "../../src/core/csv.ts";

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

test("a quote inside a cell, or closed before the end of its cell, is text", () => {
  expect(read('a"b,5"')).toEqual([[1, 'a"b', '5"']]);
  expect(read('"a"b,c')).toEqual([[1, '"a"b', "c"]]);
});

test.each([
  ["to the end of the file", 'a,b\n\n"c\nd",e\nf,"g\nh,i\n', 5],
  ["before a line end, and the next one is another cell's", 'x,y\n"Awa,70123456\n"Salif",70123457\n', 2],
  ["within its row", '"a,b"c,d\n', 1],
])("a quote that opens a cell and is not closed %s is told with its line", (_, text, line) => {
  expect(() => read(text)).toThrow(UnclosedQuote);
  expect(() => read(text)).toThrow(`the quote that opens in line ${line} is not closed`);
});

test.each(["sep=;\r\n", '"sep=;"\n', "SEP=;\r"])(
  "a first line %j names the separator and is no row",
  (head) => {
    expect(read(`${head}a,b;c\nd;e`)).toEqual([
      [2, "a,b", "c"],
      [3, "d", "e"],
    ]);
    expect(read("sep=|\na|b")).toEqual([[2, "a", "b"]]);
    expect(read("a\nsep=;")).toEqual([
      [1, "a"],
      [2, "sep=;"],
    ]);
  },
);

test("blanks around a cell are not part of it, and empty cells keep their place", () => {
  expect(read(" a , ,b,")).toEqual([[1, "a", "", "b", ""]]);
  expect(read('"a" ,"b\nc"  \nd')).toEqual([
    [1, "a", "b\nc"],
    [3, "d"],
  ]);
});
