/**
 * The command that imports a file of ported numbers. The command line reads the file and brings its rows along in pieces, so that a
 * running server never has all of it in its hands at once.
 */

import { causePhrase } from "../core/import-row.ts";
import { accepted, type Outcome } from "../core/refusals.ts";
import { type FileHead, readHead } from "../domain/imports/headings.ts";
import { parsedRows, rowPacker } from "../domain/imports/parsed-file.ts";
import {
  type Cell,
  type FileRow,
  type NumberTest,
  namesNumber,
  numberOf,
} from "../domain/imports/row-reader.ts";
import { withRows } from "../domain/imports/spreadsheet.ts";
import { type AdminCommand, type Attachment, optional, requireArgument } from "./command.ts";
import { checkWords } from "./operations/parameters.ts";
import { importPortedNumbers, type PortedFileRow } from "./operations/ported-numbers.ts";
import { done, refuse } from "./operations/refusal.ts";

const FILE = "FILE";
/** A file of 1.5 million rows. */
const MAX_FILE_BYTES = 32 * 1024 * 1024;
/** What of it is brought along: a running server takes no more in one command. */
const MAX_ROWS = { rows: 1_500_000, bytes: 60 * 1024 * 1024 };
const MAX_SOURCE_LENGTH = 200;

/** How people head the column of operators, in English and French. */
const OPERATOR_NAMES = ["operator", "operateur", "network", "reseau", "owner", "code"];

export const PORTED_FILE_COMMAND: AdminCommand = {
  name: "route import",
  positionals: [{ name: FILE }],
  flags: [
    { name: "replace", value: null },
    { name: "source", value: "TEXT" },
    { name: "skip-bad-rows", value: null },
  ],
  table: { rows: "skipped_rows", columns: ["line", "cause"] },
  attach: async (args, files) => {
    const path = requireArgument(args, FILE);
    const file = await files.read(path, MAX_FILE_BYTES);
    if (!file.ok) return file;
    const packed = packFile(file.value, files);
    if (!packed.ok) return packed;
    if (packed.value === null) return refuse("INVALID_FILE.ported_rows", { most: MAX_ROWS.rows });
    return done({ args, attachment: packed.value });
  },
  run: (context, args, brought) => {
    if (brought === null) return refuse("INVALID_FILE.nothing_brought");
    const given = optional(args, "source");
    const source = given === null ? done(null) : checkWords(given, "INVALID_NOTE", "note", MAX_SOURCE_LENGTH);
    if (!source.ok) return source;
    return importPortedNumbers(context, {
      rows: () => portedRows(brought),
      replaces: args.replace !== undefined,
      source: source.value,
      skipsBadRows: args["skip-bad-rows"] !== undefined,
    });
  },
};

/** Number and operator of each row; null of too many rows. */
function packFile(bytes: Uint8Array, numbers: NumberTest): Outcome<Attachment | null, "INVALID_FILE"> {
  return withRows(bytes, {}, (rows) => {
    const head = readHead(rows, { column: null, ...numbers });
    if (!head.ok) return head;
    if (head.value === null) return refuse("INVALID_FILE.no_number");
    const columns = findColumns(head.value);
    if (!columns.ok) return columns;
    const { number, operator } = columns.value;
    const packer = rowPacker(MAX_ROWS);
    const add = ({ line, cells }: FileRow): void => {
      const written = cells[number] ?? BLANK;
      packer.add({
        line,
        cells: [{ ...written, text: numberOf(written, numbers) }, cells[operator] ?? BLANK],
      });
    };
    if (columns.value.isHeadless) add(head.value.row);
    for (const row of head.value.below) add(row);
    return accepted(packer.end());
  });
}

const BLANK: Cell = { text: "" };

type Columns = { readonly number: number; readonly operator: number; readonly isHeadless: boolean };

/** In a file without headings the number stands first, and its operator second. */
function findColumns({ row: { cells } }: FileHead): Outcome<Columns, "INVALID_FILE"> {
  const number = cells.findIndex(({ text }) => namesNumber(text, null));
  if (number < 0) return accepted({ number: 0, operator: 1, isHeadless: true });
  const operator = cells.findIndex(
    ({ text }, place) => place !== number && OPERATOR_NAMES.some((name) => namesNumber(text, name)),
  );
  return operator < 0
    ? refuse("INVALID_FILE.no_operator_column")
    : accepted({ number, operator, isHeadless: false });
}

function* portedRows(brought: Attachment): Generator<PortedFileRow> {
  for (const { line, cells } of parsedRows(brought)) {
    const [number = BLANK, operator = BLANK] = cells;
    const fault = number.fault ?? operator.fault ?? null;
    yield { line, number: number.text, operator: operator.text, fault: causePhrase(fault) };
  }
}
