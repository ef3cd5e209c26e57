/**
 * Recipients out of files that people have: CSV as spreadsheets write it, and workbooks (docs/administration.md#sending-a-file).
 *
 * Bytes in, recipients out, and every row that is none with its line and its cause. Nothing here reads a disk, speaks a protocol
 * or knows whose recipients they are. It goes through all of a file at once: a server has a thread do it.
 */
import { csvRows, UnclosedQuote } from "../../core/csv-rows.ts";
import { accepted, type Outcome, refuse } from "../../core/failures.ts";
import { textOf } from "../../core/text-of.ts";
import { type Columns, columnsOf } from "./columns.ts";
import { bounded, type FileRecipient, type FileRow, MOST_UNREADABLE_KEPT } from "./file-row.ts";
import { parsedRows } from "./parsed-file.ts";
import { type NumberTest, type Origin, originOf, type RowFault, readRow } from "./read-row.ts";
import { workbookRows } from "./workbook.ts";
import { ZipError } from "./zip.ts";

/** docs/public-api.md section 8. */
export const MOST_RECIPIENTS = 100_000;

/** A row that is no recipient, and why; of the first `MOST_UNREADABLE_KEPT` with what stands in it. */
export type BadRow = FileRow & RowFault;

/** A column whose format was not followed for some: how many, and the first of them as it is sent. */
export type UnfollowedFormat = {
  readonly column: string;
  readonly rows: number;
  readonly line: number;
  readonly sent_as: string;
  readonly format: string;
};

export type RecipientsRead = {
  readonly columns: Columns;
  readonly recipients: readonly FileRecipient[];
  /** The line of each recipient. */
  readonly lines: readonly number[];
  readonly bad: readonly BadRow[];
  /** Columns with numbers that are not sent as the workbook shows them, by their names. */
  readonly formats: readonly UnfollowedFormat[];
  /** By their lines, which rows of an earlier file those are that have an id. */
  readonly origins: ReadonlyMap<number, Origin>;
};

export type ReadOptions = NumberTest & {
  /** What the column of the numbers is called, or its place from 0; null: it is found by its name. */
  readonly column: string | number | null;
} & FileForm;

/** What the bytes of a file are. */
export type FileForm = {
  /** How much a workbook may unpack to; 128 MiB unless given. */
  readonly mostUnpackedBytes?: number;
  /** Whether they are the rows of a file that was parsed before. */
  readonly isParsed?: boolean;
};

/** Reads a file; refused where no row of it could be read, or it has more than 100,000. */
export function readRecipients(
  bytes: Uint8Array,
  options: ReadOptions,
): Outcome<RecipientsRead, "INVALID_FILE"> {
  return withRows(bytes, options, (rows) => readRows(rows, options));
}

/** Does something with the rows of a file; refused where they cannot be read. */
export function withRows<Value>(
  bytes: Uint8Array,
  { mostUnpackedBytes, isParsed = false }: FileForm,
  work: (rows: Iterable<FileRow>) => Outcome<Value, "INVALID_FILE">,
): Outcome<Value, "INVALID_FILE"> {
  try {
    const rows = isParsed ? parsedRows(bytes) : rowsOf(bytes, mostUnpackedBytes);
    return rows === null ? refuse("INVALID_FILE.old") : work(rows);
  } catch (error) {
    if (error instanceof UnclosedQuote) return refuse("INVALID_FILE.quote_open", { line: error.line });
    if (!(error instanceof ZipError)) throw error;
    return refuse("INVALID_FILE.workbook", { why: error.told });
  }
}

export const NO_RECIPIENTS = refuse("INVALID_FILE.no_recipients");

/** The same of its rows, one after the other. */
export function readRows(
  rows: Iterable<FileRow>,
  options: ReadOptions,
): Outcome<RecipientsRead, "INVALID_FILE"> {
  const recipients: FileRecipient[] = [];
  const lines: number[] = [];
  const bad: BadRow[] = [];
  const origins = new Map<number, Origin>();
  const formats = new Map<string, UnfollowedFormat>();
  let columns: Columns | null = null;
  for (const row of rows) {
    if (columns === null) {
      const found = columnsOf(row, options.column);
      if (!found.ok) return found;
      columns = found.value;
      if (!columns.isHeadless) continue;
    }
    if (recipients.length + bad.length >= MOST_RECIPIENTS) {
      return refuse("INVALID_FILE.recipients", { most: MOST_RECIPIENTS });
    }
    const read = readRow(row, columns, options);
    const origin = originOf(row, columns);
    if (origin !== null) origins.set(row.line, origin);
    // What stands in rows that nobody keeps would fill the memory.
    const cells = bad.length < MOST_UNREADABLE_KEPT ? row.cells : NO_CELLS;
    if ("cause" in read) bad.push({ line: row.line, cells, ...read });
    else {
      noteFormats(formats, row, columns);
      recipients.push(read);
      lines.push(row.line);
    }
  }
  if (columns === null || recipients.length + bad.length === 0) return NO_RECIPIENTS;
  return accepted({ columns, recipients, lines, bad, origins, formats: [...formats.values()] });
}

const NO_CELLS: FileRow["cells"] = [];

/** Notes the formats that were not followed in what a row fills in. Of a phone number the digits count, however they are shown. */
function noteFormats(
  formats: Map<string, UnfollowedFormat>,
  { line, cells }: FileRow,
  columns: Columns,
): void {
  for (const [place, { format, text: sent_as }] of cells.entries()) {
    const column = columns.attributes[place] ?? null;
    if (format === undefined || column === null) continue;
    const known = formats.get(column);
    formats.set(
      column,
      known ? { ...known, rows: known.rows + 1 } : { column, rows: 1, line, sent_as, format },
    );
  }
}

/** Local header of a ZIP archive; what files of old workbooks and of encrypted ones begin with. */
const ZIP = [0x50, 0x4b, 0x03, 0x04];
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0];

/** The rows of a file, told by its first bytes and not by its name; null for what is none of those that are read. */
function rowsOf(bytes: Uint8Array, mostUnpackedBytes: number | undefined): Iterable<FileRow> | null {
  if (begins(bytes, COMPOUND)) return null;
  return begins(bytes, ZIP) ? workbookRows(bytes, mostUnpackedBytes) : textRows(textOf(bytes));
}

function* textRows(text: string): Generator<FileRow> {
  for (const { line, cells } of csvRows(text))
    if (cells.length > 0) yield { line, cells: cells.map(bounded) };
}

function begins(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, at) => bytes[at] === byte);
}
