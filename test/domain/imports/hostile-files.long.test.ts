/** Files that were made to hold whoever reads them: eight times as much takes about eight times as long, whatever it is. */
import { describe, expect, test } from "vitest";
import { csvRows, UnclosedQuote } from "../../../src/core/csv.ts";
import { decodeText } from "../../../src/core/decode-text.ts";
import { numberFormat } from "../../../src/domain/imports/number-format.ts";
import {
  iterateTags,
  plain,
  type ReadOptions,
  readAttribute,
  readRecipients,
  sheetNames,
} from "../../../src/domain/imports/spreadsheet.ts";
import { said, workbookOf } from "./workbook-of.ts";

const OPTIONS: ReadOptions = { column: null, isNumber: (text) => /^\d{8}$/.test(text) };

/** The least of three runs in ms of processor time: others want the machine too. */
function least(work: () => void): number {
  const runs = [0, 1, 2].map(() => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...runs);
}

const TIMES = 8;

/** What grows with the square takes 64 times as long for 8 times as much; below 100 ms nobody can tell. */
function expectLinear(most: number, work: (size: number) => void): void {
  const few = least(() => work(most / TIMES));
  const many = least(() => work(most));
  expect(many).toBeLessThan(Math.max(100, 3 * TIMES * few));
}

const drain = (rows: Iterable<unknown>): void => {
  try {
    for (const _ of rows);
  } catch (error) {
    if (!(error instanceof UnclosedQuote)) throw error;
  }
};

describe("tags and texts of a workbook", () => {
  const SIZE = 512 * 1024;
  test.each([
    "<",
    "<a",
    "<a x='",
    '<a x="',
    "<a:b",
    '<c r="',
    "<a>",
    "</",
    "<a b=c ",
    "&",
    "&#x1",
    "&#1",
    "_x00",
    "_x0041_",
    "&a",
    " ",
  ])("of %j", (piece) => {
    expectLinear(SIZE, (size) => {
      const text = piece.repeat(size / piece.length);
      for (const { attributes, text: within } of iterateTags(text)) {
        readAttribute(attributes, "r");
        plain(within);
      }
      readAttribute(text, "r");
      plain(text);
    });
  });
});

test.each(["[", "[[]", '"', "\\", "_", "d", "0", "0,", ";", "[$-", "%", "0.", "am/p"])(
  "a format of %j",
  (piece) => {
    expectLinear(100_000, (size) => {
      for (let at = 0; at < size / 250; at += 1)
        numberFormat(piece.repeat(255 / piece.length)).show(1.5, false);
    });
    // A longer one is none, and is not looked into.
    expect(numberFormat(piece.repeat(MANY)).show(1.5, false)).toEqual({ text: "1.5", isFollowed: false });
  },
);
const MANY = 4_000_000;

test("a workbook whose format is of sixty thousand brackets is read, and the format told as not followed", () => {
  const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${"[".repeat(60_000)}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`;
  const book = workbookOf([said("tel") + said("x"), '<c><v>70123456</v></c><c s="0"><v>5</v></c>'], {
    "xl/styles.xml": styles,
  });
  expect(book.byteLength).toBeLessThan(4096);
  expect(readRecipients(book, OPTIONS)).toMatchObject({
    value: { recipients: [{ attributes: { x: "5" } }], formats: [{ column: "x", line: 2 }] },
  });
});

describe("rows above the headings", () => {
  test.each(["a", "1", "7012 ", "tel", "\u0301", "."])("of %j", (piece) => {
    expectLinear(1_000_000, (size) => {
      const row = `${piece.repeat(size / 40 / piece.length)},${"b,".repeat(400)}\n`;
      readRecipients(new TextEncoder().encode(row.repeat(30)), OPTIONS);
      readRecipients(new TextEncoder().encode(row.repeat(30)), { ...OPTIONS, headingRow: 29 });
    });
  });

  test("of a sheet are not looked at beyond the first twenty, unless a person says which it is", () => {
    const rows = [...Array.from({ length: 30 }, (_, at) => `titre ${at}`), "tel", "70123456"];
    const bytes = new TextEncoder().encode(rows.join("\n"));
    expect(readRecipients(bytes, OPTIONS)).toMatchObject({
      refusal: { detail: { code: "refusal.INVALID_FILE.column_unnamed" } },
    });
    expect(readRecipients(bytes, { ...OPTIONS, headingRow: 31 })).toMatchObject({ value: { lines: [32] } });
  });
});

test.each([
  "<sheet/>",
  '<sheet name="',
  '<sheet a:id="',
  '<sheet name="x" r:id="rId1"/>',
  '<sheet state="hidden"/>',
])("a list of sheets of %j", (piece) => {
  expectLinear(1_000_000, (size) => {
    const book = workbookOf([], {
      "xl/workbook.xml": `<workbook>${piece.repeat(size / piece.length)}</workbook>`,
    });
    sheetNames(book);
    readRecipients(book, { ...OPTIONS, sheet: "none" });
  });
});

describe("rows of comma-separated values", () => {
  test.each([
    ",",
    "a,",
    '"",',
    '"',
    '""',
    '"a"b,',
    "\n",
    "\r\n",
    " \n",
    ";\t,",
    'a"',
    '"\n',
    '"x",\n',
    "a;\n",
    "sep=",
  ])("of %j", (piece) => {
    expectLinear(500_000, (size) => drain(csvRows(piece.repeat(size / piece.length))));
  });

  test("have as many cells as are read at most, and one that stands behind them is not lost", () => {
    const [row] = csvRows(`a${",".repeat(4_000_000)}b\nc,d\n`);
    expect(row?.cells).toHaveLength(1001);
    expect(row?.cells.at(-1)).toBe("b");
    const rows = [...csvRows(`a${",".repeat(5000)}"b\nb",""\nc,d\n`)];
    expect(rows.map(({ line, cells }) => [line, cells.length])).toEqual([
      [1, 1001],
      [3, 2],
    ]);
  });

  test("let others have a turn among blank lines", () => {
    const rows = [...csvRows(`${"\n".repeat(10_000)}a\n`)];
    expect(rows.filter(({ cells }) => cells.length === 0)).toHaveLength(10);
    expect(rows.at(-1)).toEqual({ line: 10_001, cells: ["a"] });
  });
});

test.each([[0xe9], [0xc3], [0xc3, 0xa9], [0xf0, 0x9f], [0xef, 0xbb, 0xbf]])("octets %j", (...octets) => {
  expectLinear(500_000, (size) => {
    decodeText(Buffer.concat([Buffer.alloc(size, Buffer.from(octets)), Buffer.from([0xff])]));
  });
});
