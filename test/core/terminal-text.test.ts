import { expect, test } from "vitest";
import { alignColumns, measureWidth, renderDefinitions } from "../../src/core/terminal-text.ts";

test("columns stand under each other by the places that a terminal gives them", () => {
  expect(
    alignColumns([
      ["é", "x"],
      ["日本", "y"],
    ]),
  ).toEqual(["é     x", "日本  y"]);
  expect(
    alignColumns(
      [
        ["5", "a"],
        ["1 200", "b"],
      ],
      new Set([0]),
    ),
  ).toEqual(["    5  a", "1 200  b"]);
});

test("meanings are folded under each other on a terminal, and whole elsewhere", () => {
  const rows = [["  --name NAME", "what people call it, however long that is"]] as const;
  expect(renderDefinitions(rows, null)).toEqual(["  --name NAME  what people call it, however long that is"]);
  expect(renderDefinitions(rows, 44)).toEqual([
    "  --name NAME  what people call it, however",
    "               long that is",
  ]);
  expect(
    renderDefinitions([["x", "word ".repeat(40).trim()]], 60).every((line) => measureWidth(line) <= 60),
  ).toBe(true);
});
