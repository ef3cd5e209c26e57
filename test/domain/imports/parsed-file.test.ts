/** Rows of a file that are kept as they were parsed. */
import { expect, test } from "vitest";
import { type MaxRows, parsedRows, rowPacker } from "../../../src/domain/imports/parsed-file.ts";
import type { FileRow } from "../../../src/domain/imports/row-reader.ts";
import { readRecipients, withRows } from "../../../src/domain/imports/spreadsheet.ts";
import { said, workbookOf } from "./workbook-of.ts";

const MAX = { rows: 10, bytes: 1000 };
const packRows = (rows: Iterable<FileRow>, max: MaxRows) => {
  const packer = rowPacker(max);
  for (const row of rows) packer.add(row);
  return packer.end();
};

test("a row comes back as it was, with what is known of its cells", () => {
  const rows: FileRow[] = [
    { line: 1, cells: [{ text: "tel" }, { text: "" }, { text: 'a\n\u2028"é\ud83d\ude00' }] },
    { line: 4, cells: [{ text: "7,6E+07", kept: "76123456", format: "0.0E+00" }] },
    { line: 9, cells: [{ text: "", fault: { code: "FORMULA_FAILED", params: { result: "#N/A" } } }] },
  ];
  const packed = packRows(rows, MAX);
  expect(packed && [...parsedRows(packed)]).toEqual(rows);
});

test("a workbook has the same rows, parsed or not", () => {
  const file = workbookOf([said("tel") + said("nom"), said("70123456") + said("Awa")]);
  const options = { column: null, isNumber: () => true };
  const packed = withRows(file, {}, (rows) => ({ ok: true, value: packRows(rows, MAX) }));
  if (!packed.ok || packed.value === null) throw new Error("the workbook is none");
  expect(readRecipients(packed.value, { ...options, isParsed: true })).toEqual(readRecipients(file, options));
});

test("rows that are too many, or take too much, are not kept", () => {
  const row: FileRow = { line: 1, cells: [{ text: "x".repeat(100) }] };
  expect(
    packRows(
      Array.from({ length: 11 }, () => ({ line: 1, cells: [{ text: "x" }] })),
      MAX,
    ),
  ).toBeNull();
  expect(
    packRows(
      Array.from({ length: 10 }, () => row),
      MAX,
    ),
  ).toBeNull();
  expect([...parsedRows(packRows([], MAX) ?? new Uint8Array(1))]).toEqual([]);
});
