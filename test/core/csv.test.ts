import { expect, test } from "vitest";
import {
  csvRows,
  renderSheetHead,
  renderSheetLines,
  toCsvField,
  unguardFormula,
} from "../../src/core/csv.ts";

const ROWS = [
  ["nom", "tel"],
  ['Awa; "la grande", dite A', "05112233"],
  ["=1+1", "226701234567"],
];

test("French spreadsheets get semicolons and commas in numbers, English ones commas, both the mark of UTF-8", () => {
  expect(renderSheetHead("fr", [["a", "b,c", 1.5]])).toBe("\ufeffa;b,c;1,5\r\n");
  expect(renderSheetHead("en", [["a", "b,c", 1.5]])).toBe('\ufeffa,"b,c",1.5\r\n');
});

test.each(["fr", "en"] as const)(
  "what is written in %s is read again, but for the mark of texts",
  (language) => {
    expect([...csvRows(renderSheetLines(language, ROWS))].map(({ cells }) => cells)).toEqual([
      ["nom", "tel"],
      ['Awa; "la grande", dite A', "'05112233"],
      ["'=1+1", "'226701234567"],
    ]);
  },
);

test("digits that a spreadsheet shows as they are have no mark, and files for programs never one", () => {
  expect(renderSheetLines("en", [["70112233", "22670112233", "0", "1.05", 12]])).toBe(
    "70112233,22670112233,0,1.05,12\r\n",
  );
  expect(["05112233", "a;b"].map((value) => toCsvField(value))).toEqual(["05112233", "a;b"]);
});

test("a text for programs is no formula either where a French spreadsheet opens it, which takes it apart at semicolons", () => {
  const texts = ["x;=1+1", 'x; "@SUM(1)', "x\t-1", "a;b - c", { note: "x;=cmd|'/C calc'!A0" }];
  expect(texts.map((text) => toCsvField(text))).toEqual([
    "x;'=1+1",
    `"x; ""'@SUM(1)"`,
    "x\t'-1",
    "a;b - c",
    `"{""note"":""x;'=cmd|'/C calc'!A0""}"`,
  ]);
});

/** The cells that a spreadsheet finds which goes by a separator: quotes protect a cell that begins with one. */
function cellsBy(separator: string, line: string): string[] {
  const cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  let isDoubled = false;
  for (const [at, sign] of [...line].entries()) {
    if (isDoubled) isDoubled = false;
    else if (sign === '"' && isQuoted && line[at + 1] === '"') {
      isDoubled = true;
      cell += sign;
    } else if (sign === '"' && (isQuoted || cell === "")) isQuoted = !isQuoted;
    else if (!isQuoted && (sign === separator || sign === "\n" || sign === "\r")) {
      cells.push(cell);
      cell = "";
    } else cell += sign;
  }
  return [...cells, cell];
}

const FORMULA = "=cmd|'/C calc'!A0";
const TEXTS = [",", ";", "\t", "\n", "\r\n", ";\t", '; "', ";'", ", ''"].flatMap((before) => [
  ...[`x${before}${FORMULA}`, `x${before} @SUM(1)`, `x${before}+1`, `x"${before}-1`, `${before}=1`],
  ...[`x${before}\uff1d1`, `a${before}b`, `x,;\t${before}=1`],
]);

test.each([
  ["a file for programs", (text: string) => `a,${toCsvField(text)},b\r\n`],
  ["a French sheet", (text: string) => renderSheetLines("fr", [["a", text, "b"]])],
  ["an English sheet", (text: string) => renderSheetLines("en", [["a", text, "b"]])],
])("no cell of %s is a formula, whichever separator a spreadsheet goes by", (_, written) => {
  for (const text of TEXTS) {
    for (const separator of [",", ";", "\t"]) {
      const cells = cellsBy(separator, written(text)).map((cell) => cell.trim());
      expect(cells.filter((cell) => /^[=+\-@\uff1d]/.test(cell))).toEqual([]);
    }
  }
});

test("what was put inside of a text is taken out of it again, and nothing else", () => {
  for (const text of TEXTS) {
    const other = `x${text.replaceAll(";", ",")}`;
    const [, row] = [
      ...csvRows(
        renderSheetLines("fr", [
          ["nom", "dit"],
          ["a", other],
        ]),
      ),
    ];
    expect(unguardFormula(row?.cells[1] ?? "")).toBe(other.trim());
  }
  expect(unguardFormula("l'eau; l'air, aujourd'hui")).toBe("l'eau; l'air, aujourd'hui");
});

test("a text of separators and apostrophes is guarded in a time that grows with its length", () => {
  for (const piece of ["\t", "\n\t", ";'", '\t"', "' ", " "]) {
    const spent = [50_000, 400_000].map((size) => {
      const from = process.cpuUsage();
      unguardFormula(toCsvField(piece.repeat(size)));
      const { user, system } = process.cpuUsage(from);
      return (user + system) / 1000;
    });
    expect(spent[1]).toBeLessThan(Math.max(200, 24 * (spent[0] ?? 0)));
  }
});
