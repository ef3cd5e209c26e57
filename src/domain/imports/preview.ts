/**
 * The preview of an uploaded file (docs/administration.md#sending-a-file): its columns, its first recipients, its bad rows by cause,
 * numbers that the spreadsheet spoilt. Pure.
 */
import type { RowCause } from "../../core/import-row.ts";
import { accepted, type Outcome } from "../../core/refusals.ts";
import { type FileHead, readHead, rowText, type TitleLines } from "./headings.ts";
import { type Columns, type FileRecipient, type FileRow, MAX_COLUMNS, readColumns } from "./row-reader.ts";
import { NO_RECIPIENTS, type ReadOptions, type RecipientsRead, readBody, withRows } from "./spreadsheet.ts";

/** What a person is shown of a file before anything is done with it. */
export type FilePreview = {
  /** What each column is called; of a file without names, what its first row holds. */
  readonly headings: readonly string[];
  readonly isHeadless: boolean;
  /** The line of the headings; null in a file without. */
  readonly heading_row: number | null;
  /** The first rows of the file, which may have the headings. */
  readonly first_rows: readonly { readonly line: number; readonly text: string }[];
  /** Lines above the headings; null where there are none. */
  readonly titles: TitleLines | null;
  /** The place of the column of numbers; null where it is for people to say. */
  readonly column: number | null;
  /** Of whose rows it is, by the id of the first that has one: those that got nothing of a batch, or of a file; null of none. */
  readonly of: string | null;
  /** What fills in a tag, by column; null where none does. */
  readonly tags: readonly (string | null)[];
  /** The first rows, below the names. */
  readonly samples: readonly (readonly string[])[];
  readonly recipients: number;
  readonly bad: number;
  /** The first of those that are no recipients. */
  readonly bad_rows: readonly { readonly line: number; readonly cause: RowCause }[];
  /** Rows whose number a spreadsheet wrote as 7,6E+07, and those whose number lacks a digit, which may be the zero that it began with. */
  readonly shortened: number;
  readonly zeroless: number;
  /** The first recipients, to fill in a text with. */
  readonly first: readonly FileRecipient[];
};

const SAMPLES = 3;
const MAX_BAD_SHOWN = 100;
/** Of a value that is shown. */
const MAX_SHOWN_LENGTH = 200;

/**
 * Looks at a file. Where it is not clear which column holds the numbers, its columns alone are returned. `each` is called with every row,
 * in one pass over all of them.
 */
export function previewFile(
  bytes: Uint8Array,
  options: ReadOptions,
  each: (row: FileRow) => void = () => {},
): Outcome<FilePreview, "INVALID_FILE"> {
  return withRows(bytes, options, (rows) => {
    const all = observeRows(rows, each);
    const read = readHead(all, options);
    if (!read.ok) return read;
    const head = read.value;
    if (head === null) return NO_RECIPIENTS;
    const columns = readColumns(head.row, options.column, head.isChosen);
    if (!columns.ok && (options.column !== null || head.row.cells.length > MAX_COLUMNS)) return columns;
    const samples: FileRow[] = [];
    const below = head.below[Symbol.iterator]();
    for (let next = below.next(); !next.done; next = below.next()) {
      samples.push(next.value);
      if (samples.length === SAMPLES) break;
    }
    const shown = shownOf(head, samples, columns.ok ? columns.value : null);
    // Which column it is a person can say.
    if (!columns.ok) {
      while (!below.next().done);
      return accepted({ ...shown, ...NOBODY });
    }
    const whole = { ...head, below: oneAfterTheOther(samples, below) };
    const body = readBody(whole, columns.value, options, SAMPLES);
    return body.ok ? accepted({ ...shown, ...summariseRecipients(body.value) }) : body;
  });
}

function* observeRows(rows: Iterable<FileRow>, each: (row: FileRow) => void): Generator<FileRow, undefined> {
  for (const row of rows) {
    each(row);
    yield row;
  }
}

function* oneAfterTheOther(first: readonly FileRow[], others: Iterator<FileRow>): Generator<FileRow> {
  yield* first;
  for (let next = others.next(); !next.done; next = others.next()) yield next.value;
}

function summariseRecipients({ recipients, count, bad, origins }: RecipientsRead) {
  return {
    recipients: count,
    bad: bad.length,
    of: origins.values().next().value?.of ?? null,
    bad_rows: bad.slice(0, MAX_BAD_SHOWN).map(({ line, cause }) => ({ line, cause })),
    shortened: bad.filter(({ cause }) => cause.code === "NUMBER_SHORTENED").length,
    zeroless: bad.filter(({ cause }) => cause.code === "DIGIT_MISSING").length,
    first: recipients,
  };
}

const NOBODY = {
  of: null,
  recipients: 0,
  bad: 0,
  bad_rows: [],
  shortened: 0,
  zeroless: 0,
  first: [],
};

/** Rows that may have the headings. */
const MAX_FIRST_ROWS = 12;

function shownOf(
  { row: head, titles, first }: FileHead,
  samples: readonly FileRow[],
  columns: Columns | null,
) {
  const isHeadless = columns?.isHeadless ?? false;
  const texts = ({ cells }: FileRow) => cells.map(({ text }) => text.slice(0, MAX_SHOWN_LENGTH));
  return {
    headings: texts(head),
    isHeadless,
    heading_row: isHeadless ? null : head.line,
    first_rows: first.slice(0, MAX_FIRST_ROWS).map((row) => ({ line: row.line, text: rowText(row) })),
    titles,
    column: columns?.msisdn ?? null,
    tags: head.cells.map((_, place) => columns?.attributes[place] ?? null),
    samples: (isHeadless ? [head, ...samples] : samples).slice(0, SAMPLES).map(texts),
  };
}
