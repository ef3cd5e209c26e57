import { describe, expect, test } from "vitest";
import { jsonChunks } from "../../src/core/json-chunks.ts";

const joined = (value: unknown) => [...jsonChunks(value)].join("");
const rows = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ n, note: n % 3 ? null : `"é${n}"` }));

describe("JSON in pieces", () => {
  test.each([
    ["a number", 5],
    ["a text", 'a "b"'],
    ["nothing", null],
    ["no list", []],
    ["no members", {}],
    ["members that are left out", { a: undefined, b: 1, c: undefined }],
    [
      "members in members",
      { data: { from: null, total: { n: 1.5, x: {} }, list: [1, "2", [3]] }, more: true },
    ],
    ["a time, which says itself how it is written", { at: new Date(0) }],
    ["a list", rows(3)],
    ["a long list", rows(1501)],
    [
      "long lists in members",
      { data: { a: rows(500), b: rows(501), c: rows(1000), end: "." }, x: rows(1200) },
    ],
    ["a long list of what JSON does not know", Array.from({ length: 600 }, () => undefined)],
  ])("%s is what the whole would be", (_, value) => {
    expect(joined(value)).toBe(JSON.stringify(value));
  });

  test("a piece has five hundred items of a list at most", () => {
    const pieces = [...jsonChunks({ data: { entries: rows(2000), total: 1 } })];
    expect(pieces.map((piece) => piece.split('"n":').length - 1)).toEqual([500, 500, 500, 500, 0]);
  });
});
