import { deepStrictEqual, ok } from "node:assert";
import { createMsisdnReader } from "../../../src/admin/operations/msisdn.ts";
import { readSuppressionFile, suppressionRows } from "../../../src/admin/operations/suppressions.ts";
import { toCsv } from "../../../src/cli/admin-command.ts";
import { type CsvRow, csvRows, UnclosedQuote } from "../../../src/core/csv.ts";
import { english } from "../../../src/i18n/text.ts";
import { configOf, document } from "../../config/sample.ts";
import type { Dice } from "../dice.ts";
import { textTarget } from "../target.ts";

const readMsisdn = createMsisdnReader(configOf(document()));
const MAX_NAMED = 1000;
const MAX_READ_TWICE = 4096;
const SHAPES = [{ rows: "rows", columns: ["a", "b", "c"] }];

export const csv = textTarget({
  name: "csv",
  promise:
    "a file of opt-outs is read line by line or its faulty lines are named, and what we write reads back",
  words: [
    ...[
      '"',
      '""',
      '","',
      ",",
      ";",
      "\t",
      "\n",
      "\r\n",
      "\r",
      "msisdn",
      "message_class",
      "class",
      "note",
      "MARKETING",
    ],
    ...[
      "OTP",
      "all",
      "70123456",
      "+22670123456",
      "'+22605123456",
      "\ufeff",
      "sep=;\n",
      "msisdn;note\n",
      "msisdn,class,note\n",
    ],
  ],
  draw: drawn,
  longest: 1024,
  run: async (text) => {
    const rows = rowsOf(text);
    if (rows === null) return `no quote closes, ${hasQuoted(text)}`;
    let last = 0;
    for (const { line, cells } of rows) {
      ok(line > last, "lines are counted on");
      ok(
        cells.some((cell) => cell !== ""),
        "a blank row is passed over",
      );
      ok(cells.every((cell) => cell === cell.trim()));
      last = line;
    }
    ok(last <= (text.match(/\r\n|\r|\n/g)?.length ?? 0) + 1, "no line is counted that there is not");
    readsBack(rows.map(({ cells: [a = "", b = "", c = ""] }) => ({ a, b, c })));
    const rules = { otherwise: null, readMsisdn };
    const reading = await readSuppressionFile(text, rules, () => undefined);
    ok(!(reading instanceof UnclosedQuote), "rows that are read are those of a file that can be read");
    const { numbers, faulty, faults } = reading;
    // Numbers of the longest take long enough to read once.
    const isShort = text.length <= MAX_READ_TWICE;
    const entries = [...(isShort ? suppressionRows(text, rules) : [])].flatMap((row) =>
      row !== null && "msisdn" in row ? [row] : [],
    );
    ok(!isShort || entries.length === numbers, "read again, a file has the same numbers");
    ok(faults.length === Math.min(faulty, MAX_NAMED), "the first thousand faults are named");
    const named = rows.length - numbers - faulty;
    ok(named === 0 || named === 1, "every row is an entry, a fault, or the line of names");
    for (const { msisdn } of entries) ok(/^\+[1-9]\d{3,19}$/.test(msisdn), msisdn);
    const lines = new Set(rows.map(({ line }) => line));
    for (const { line, problem } of faults) ok(lines.has(line) && english(problem).length < 400);
    const kinds = [...new Set(faults.map(({ problem }) => problem.code))].sort();
    const some = numbers > 0 ? "numbers" : "no numbers";
    return `${named === 1 ? "named" : "plain"}, ${some}, ${hasQuoted(text)}, ${kinds[0] ?? "no fault"}`;
  },
});

/** Null where a quote is not closed, whose line holds one. */
function rowsOf(text: string): readonly CsvRow[] | null {
  try {
    // A row without cells is a turn for others among blank lines.
    return [...csvRows(text)].filter(({ cells }) => cells.length > 0);
  } catch (error) {
    ok(error instanceof UnclosedQuote);
    ok(text.split(/\r\n|\r|\n/)[error.line - 1]?.includes('"'), "the line holds the quote");
    return null;
  }
}

/** What the command line writes of these cells is read as what they are, apart from what guards a spreadsheet. */
function readsBack(rows: readonly Readonly<Record<string, string>>[]): void {
  const written = toCsv({ rows }, SHAPES);
  const [head, ...read] = [...csvRows(written)];
  deepStrictEqual(head?.cells, ["a", "b", "c"]);
  const meant = rows
    .map((row) => Object.values(row).map(guarded))
    .filter((row) => row.some((cell) => cell !== ""));
  deepStrictEqual(
    read.map(({ cells }) => cells),
    meant,
  );
}

/** An apostrophe stands wherever a spreadsheet begins a cell with a formula, whichever of the three separators it goes by. */
function guarded(cell: string): string {
  const formulas = "=+-@\uff1d\uff0b\uff0d\uff20";
  let safe = /^[\t\r\n]/.test(cell) || formulas.includes(cell.trimStart()[0] ?? "x") ? "'" : "";
  // Before a sign: a separator or a line end, then blanks and quotes, then apostrophes.
  let state: "text" | "beginning" | "apostrophes" = "text";
  for (const sign of cell) {
    if (state !== "text" && formulas.includes(sign)) safe += "'";
    if (/[;\t\r\n]/.test(sign)) state = "beginning";
    else if (state === "beginning" && /[\s"]/.test(sign)) state = "beginning";
    else state = state !== "text" && sign === "'" ? "apostrophes" : "text";
    safe += sign;
  }
  return safe;
}

function hasQuoted(text: string): string {
  return text.includes('""') ? "doubled quotes" : text.includes('"') ? "quotes" : "no quotes";
}

function drawn({ below, pick, ascii }: Dice): string {
  const separator = pick([",", ";", "\t"]);
  const end = pick(["\n", "\r\n", "\r"]);
  const cell = (): string => {
    const plain = pick(["70123456", "+22605000000", "05 00 00 00", "OTP", "marketing", "", ascii(12), "é"]);
    return below(3) === 0 ? `"${plain.replaceAll('"', '""')}"` : plain;
  };
  const rows = Array.from({ length: below(6) }, () =>
    Array.from({ length: 1 + below(4) }, cell).join(separator),
  );
  if (below(2) === 0)
    rows.unshift(pick(["msisdn", "msisdn,message_class,note", "name;msisdn", "class\tmsisdn"]));
  return rows.join(end);
}
