/** Files as people have them: title lines above the headings, several sheets. */
import { describe, expect, test } from "vitest";
import { parsedRows, rowPacker } from "../../../src/domain/imports/parsed-file.ts";
import { previewFile } from "../../../src/domain/imports/preview.ts";
import { leftOutRows } from "../../../src/domain/imports/rejected-rows.ts";
import type { FileRow } from "../../../src/domain/imports/row-reader.ts";
import { type ReadOptions, readRecipients, sheetNames } from "../../../src/domain/imports/spreadsheet.ts";
import { bookOf, workbookOf } from "./workbook-of.ts";

const OPTIONS: ReadOptions = { column: null, isNumber: (text) => /^\d{8}$/.test(text.replaceAll(" ", "")) };

function read(file: string | Uint8Array, options: Partial<ReadOptions> = {}) {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  const outcome = readRecipients(bytes, { ...OPTIONS, ...options });
  if (!outcome.ok) return outcome.refusal.detail.code;
  const { recipients, lines, bad, titles } = outcome.value;
  return {
    recipients: recipients.map(({ msisdn, attributes = {} }) => ({ msisdn, ...attributes })),
    lines,
    bad: bad.map(({ line }) => line),
    titles,
  };
}

const titled = (count: number, text: string) => ({ code: "TITLE_LINES", count, text });
const AWA = { msisdn: "70123456", nom: "Awa" };

describe("title lines above the headings", () => {
  test.each([
    ["one", "Clients de novembre\nnom;tel\nAwa;70123456\n", 1, "Clients de novembre", 3],
    [
      "several, with a blank line",
      "Sahel SA\nRelance, novembre 2026\n\nnom;tel\nAwa;70123456\n",
      2,
      "Sahel SA / Relance, novembre 2026",
      5,
    ],
    ["one that is called as the numbers may be", "Contact\nnom;tel\nAwa;70123456\n", 1, "Contact", 3],
    ["one with a number of its own", "Tél.;25301122\nnom;tel\nAwa;70123456\n", 1, "Tél. · 25301122", 3],
    ["of several cells", "Campagne;novembre\nnom;tel\nAwa;70123456\n", 1, "Campagne · novembre", 3],
  ])("%s: they are told as what they are, and are no bad rows", (_, text, count, said, line) => {
    expect(read(text)).toEqual({ recipients: [AWA], lines: [line], bad: [], titles: titled(count, said) });
  });

  test("the headings are the row above the first number where no name is known", () => {
    const text = "Clients de novembre\nnom;joindre au\nAwa;70123456\n";
    expect(read(text)).toBe("refusal.INVALID_FILE.column_unnamed");
    expect(read(text, { column: 1 })).toMatchObject({ recipients: [AWA], bad: [] });
    expect(read(text, { column: "Joindre au" })).toMatchObject({ recipients: [AWA], bad: [] });
  });

  test("above numbers without headings they are titles too", () => {
    expect(read("Clients de novembre\n70123456;Awa\n70123457;Ali\n")).toEqual({
      recipients: [{ msisdn: "70123456" }, { msisdn: "70123457" }],
      lines: [2, 3],
      bad: [],
      titles: titled(1, "Clients de novembre"),
    });
  });

  test("a row with a bad number below the headings stays a bad row", () => {
    expect(read("tel;type\nx;mobile\n70123456;mobile\n")).toMatchObject({
      lines: [3],
      bad: [2],
      titles: null,
    });
    expect(read("joindre;nom\nx;Awa\n70123456;Ali\n", { column: 0 })).toMatchObject({
      lines: [3],
      bad: [2],
      titles: null,
    });
    expect(read("tel\n7012345\n70123456\n")).toMatchObject({ lines: [3], bad: [2], titles: null });
  });

  test("no row with a number is taken for a title", () => {
    expect(read("70123456;Awa\n70123457;tel\n70123458;Ali\n")).toMatchObject({
      lines: [1, 2, 3],
      titles: null,
    });
  });

  test("which row has the headings can be said", () => {
    const text = "Sahel;25301122\nnom;tel\nAwa;70123456\n";
    expect(read(text)).toMatchObject({ lines: [1, 3], bad: [2], titles: null });
    expect(read(text, { headingRow: 2 })).toEqual({
      recipients: [AWA],
      lines: [3],
      bad: [],
      titles: titled(1, "Sahel · 25301122"),
    });
    expect(read("70123456;tel\nAwa;70123457\n", { headingRow: 1 })).toMatchObject({
      lines: [2],
      titles: null,
    });
    expect(read(text, { headingRow: 9 })).toBe("refusal.INVALID_FILE.heading_row");
    const far = `${"titre\n".repeat(300)}nom,tel\nAwa,70123456\n`;
    expect(read(far, { headingRow: 301 })).toMatchObject({ lines: [302], bad: [], titles: { count: 300 } });
    const old = `${"70123499;titre\n".repeat(25)}tel;nom\n70123456;Awa\n`;
    expect(read(old, { headingRow: 26 })).toMatchObject({ lines: [27], bad: [], titles: { count: 25 } });
  });

  test("a semicolon separates cells although the title has a comma, or none", () => {
    expect(read("Liste, novembre\nnom;tel\nAwa;70123456\nAli;70123457\n")).toMatchObject({ lines: [3, 4] });
    expect(read("Liste\nnom\ttel\nAwa\t70123456\n")).toMatchObject({ lines: [3] });
  });

  test("a preview shows what was found and what may be chosen, and the file of left-out rows begins at the headings", () => {
    const bytes = new TextEncoder().encode("Clients\nnom;tel\nAwa;70123456\nAli;x\n");
    expect(previewFile(bytes, OPTIONS)).toMatchObject({
      value: {
        headings: ["nom", "tel"],
        heading_row: 2,
        first_rows: [
          { line: 1, text: "Clients" },
          { line: 2, text: "nom · tel" },
          { line: 3, text: "Awa · 70123456" },
          { line: 4, text: "Ali · x" },
        ],
        titles: titled(1, "Clients"),
        samples: [
          ["Awa", "70123456"],
          ["Ali", "x"],
        ],
        recipients: 1,
        bad: 1,
      },
    });
    expect(leftOutRows(bytes, OPTIONS, new Map(), () => null)).toMatchObject({
      value: { headings: ["nom", "tel"], rows: [{ line: 4 }] },
    });
  });
});

describe("sheets of a workbook", () => {
  const book = bookOf(
    ["Lisez-moi", ["Ce fichier"]],
    [".caché", ["tel"], ["70999999"]],
    ["2026", ["Clients"], ["nom", "tel"], ["Awa", "70123456"]],
    ["Novembre", ["tel"], ["70123457"]],
  );

  test("are named but for hidden ones; of another file there are none", () => {
    expect(sheetNames(book)).toEqual(["Lisez-moi", "2026", "Novembre"]);
    expect(sheetNames(new TextEncoder().encode("tel\n70123456\n"))).toEqual([]);
    expect(sheetNames(new Uint8Array([0x50, 0x4b, 3, 4, 1]))).toEqual([]);
  });

  test("are chosen by name, by number or by place; without a choice it is the first", () => {
    expect(read(book, { sheet: "novembre " })).toMatchObject({ recipients: [{ msisdn: "70123457" }] });
    expect(read(book, { sheet: "3" })).toMatchObject({ recipients: [{ msisdn: "70123457" }] });
    expect(read(book, { sheet: "2026" })).toMatchObject({ recipients: [AWA], titles: titled(1, "Clients") });
    expect(read(book, { sheet: 1 })).toMatchObject({ recipients: [AWA] });
    expect(read(book)).toBe("refusal.INVALID_FILE.column_unnamed");
    expect(read(book, { sheet: "Décembre" })).toBe("refusal.INVALID_FILE.sheet_unknown");
    expect(read(book, { sheet: "0" })).toBe("refusal.INVALID_FILE.sheet_unknown");
    expect(read("tel\n70123456\n", { sheet: "2026" })).toBe("refusal.INVALID_FILE.no_sheets");
  });

  test("are kept apart where the rows of a file are kept", () => {
    const packer = rowPacker({ rows: 10, bytes: 1000 });
    const row = (line: number): FileRow => ({ line, cells: [{ text: `${line}` }] });
    packer.add(row(1));
    packer.nextSheet();
    packer.nextSheet();
    for (const line of [2, 3]) packer.add(row(line));
    const bytes = packer.end() ?? new Uint8Array();
    expect([0, 1, 2, 3].map((sheet) => [...parsedRows(bytes, sheet)].map(({ line }) => line))).toEqual([
      [1],
      [],
      [2, 3],
      [],
    ]);
  });

  test("of a workbook of one sheet, and of five thousand, are told in bounds", () => {
    expect(sheetNames(workbookOf([]))).toEqual(["A & B"]);
    const many = Array.from({ length: 5000 }, (_, at) => [`s${at}`] as const);
    expect(sheetNames(bookOf(...many))).toHaveLength(200);
  });
});
