import { describe, expect, test } from "vitest";
import { previewFile } from "../../../src/domain/imports/preview.ts";
import { iterateTags, type ReadOptions } from "../../../src/domain/imports/spreadsheet.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { said, workbookOf } from "./workbook-of.ts";

const OPTIONS: ReadOptions = { column: null, isNumber: (text) => /^\+?[\d ]{8,}$/.test(text) };
const look = (file: string | Uint8Array, column: number | null = null) => {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  const outcome = previewFile(bytes, { ...OPTIONS, column });
  return outcome.ok ? outcome.value : outcome.refusal.detail;
};

describe("a look at a file", () => {
  test("names its columns, guesses that of the numbers and shows the first rows", () => {
    expect(look("Nom client;Mobile\nAwa;70123456\nB;no\n")).toEqual({
      headings: ["Nom client", "Mobile"],
      isHeadless: false,
      heading_row: 1,
      first_rows: [
        { line: 1, text: "Nom client · Mobile" },
        { line: 2, text: "Awa · 70123456" },
        { line: 3, text: "B · no" },
      ],
      titles: null,
      column: 1,
      tags: ["Nom_client", null],
      of: null,
      samples: [
        ["Awa", "70123456"],
        ["B", "no"],
      ],
      recipients: 1,
      bad: 1,
      bad_rows: [{ line: 3, cause: { code: "NOT_A_NUMBER", params: { written: "no" } } }],
      shortened: 0,
      zeroless: 0,
      first: [{ msisdn: "70123456", attributes: { Nom_client: "Awa" } }],
    });
  });

  test("counts all numbers that a spreadsheet spoilt, also beyond the rows that are shown", () => {
    const bad = Array.from({ length: 150 }, () => "demain\n").join("");
    const isNumber = (text: string) => /^0\d{7}$/.test(text);
    const bytes = new TextEncoder().encode(`tel\n${bad}7,6E+07\n5112233\n5112234\n`);
    const outcome = previewFile(bytes, { column: null, isNumber });
    expect(outcome).toMatchObject({ value: { bad: 153, shortened: 1, zeroless: 2 } });
  });

  test("counts all recipients, and shows the first", () => {
    const numbers = Array.from({ length: 1000 }, (_, index) => `${70_123_000 + index}\n`);
    expect(look(`tel\n${numbers.join("")}no\n`)).toMatchObject({
      recipients: 1000,
      bad: 1,
      first: [{ msisdn: "70123000" }, { msisdn: "70123001" }, { msisdn: "70123002" }],
    });
    expect(look(`tel\n${"70123456\n".repeat(100_001)}`)).toMatchObject({
      code: "refusal.INVALID_FILE.recipients",
    });
  });

  test("of numbers alone has no names", () => {
    expect(look("70123456\n70123457")).toMatchObject({
      isHeadless: true,
      column: 0,
      recipients: 2,
      tags: [null],
    });
    expect(look("a;70123456\nb;70123457", 1)).toMatchObject({ isHeadless: true, column: 1, recipients: 2 });
  });

  test("leaves it to people where several columns may be meant, and obeys them", () => {
    expect(look("tel;mobile\n70123456;70123457")).toMatchObject({ column: null, recipients: 0 });
    expect(look("tel;mobile\n70123456;70123457", 1)).toMatchObject({
      column: 1,
      first: [{ msisdn: "70123457" }],
    });
    expect(look("tel;mobile\n70123456;70123457", 7)).toMatchObject({
      code: "refusal.INVALID_FILE.column_unnamed",
    });
  });

  test("says where a cell or a row is more than there can be", () => {
    expect(look(`${"a;".repeat(1000)}tel\n`)).toEqual(phrase("refusal.INVALID_FILE.columns", { most: 1000 }));
    const long = workbookOf([said("tel") + said("nom"), said("70123456") + said("x".repeat(40_000))]);
    expect(look(long)).toMatchObject({
      bad_rows: [{ line: 2, cause: { code: "CELL_TOO_LONG", params: { column: "nom", most: 32_767 } } }],
    });
    const far = workbookOf([said("tel"), `${said("70123456")}<c r="XFD2"><v>1</v></c>`]);
    expect(look(far)).toMatchObject({
      bad_rows: [{ line: 2, cause: { code: "TOO_MANY_CELLS", params: { cells: 1001, columns: 1 } } }],
    });
  });
});

describe("tags", () => {
  test("are read in a time that grows with the text alone, whatever is never closed", () => {
    for (const hostile of ["<", "<a", "<a:", "<a b=", "<<", '<a "'].map((piece) => piece.repeat(1_000_000))) {
      expect([...iterateTags(hostile)]).toEqual([]);
      expect([...iterateTags(`${hostile}><b/>`)].at(-1)?.name).toBe("b");
    }
  });
});
