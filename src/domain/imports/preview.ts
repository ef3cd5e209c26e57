/**
 * The preview of an uploaded file (docs/administration.md#sending-a-file): its columns, its first recipients, its bad rows by cause,
 * numbers that the spreadsheet spoilt. Pure.
 */
import type { RowCause } from "../../core/import-row.ts";
import { accepted, type Outcome } from "../../core/refusals.ts";
import { type Columns, type FileRecipient, type FileRow, MAX_COLUMNS, readColumns } from "./row-reader.ts";
import { NO_RECIPIENTS, type ReadOptions, type RecipientsRead, readRows, withRows } from "./spreadsheet.ts";

/** What a person is shown of a file before anything is done with it. */
export type FilePreview = {
  /** What each column is called; of a file without names, what its first row holds. */
  readonly headings: readonly string[];
  readonly isHeadless: boolean;
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
    const first: FileRow[] = [];
    for (let next = all.next(); !next.done; next = all.next()) {
      first.push(next.value);
      if (first.length > SAMPLES) break;
    }
    const [head] = first;
    if (head === undefined) return NO_RECIPIENTS;
    const columns = readColumns(head, options.column);
    if (!columns.ok && (options.column !== null || head.cells.length > MAX_COLUMNS)) return columns;
    const shown = shownOf(head, first, columns.ok ? columns.value : null);
    // Which column it is a person can say.
    if (!columns.ok) {
      while (!all.next().done);
      return accepted({ ...shown, ...NOBODY });
    }
    const read = readRows(oneAfterTheOther(first, all), options, SAMPLES);
    return read.ok ? accepted({ ...shown, ...summariseRecipients(read.value) }) : read;
  });
}

function* observeRows(rows: Iterable<FileRow>, each: (row: FileRow) => void): Generator<FileRow, undefined> {
  for (const row of rows) {
    each(row);
    yield row;
  }
}

function* oneAfterTheOther(first: readonly FileRow[], others: Iterable<FileRow>): Generator<FileRow> {
  yield* first;
  yield* others;
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

function shownOf(head: FileRow, rows: readonly FileRow[], columns: Columns | null) {
  const isHeadless = columns?.isHeadless ?? false;
  const texts = ({ cells }: FileRow) => cells.map(({ text }) => text.slice(0, MAX_SHOWN_LENGTH));
  return {
    headings: texts(head),
    isHeadless,
    column: columns?.msisdn ?? null,
    tags: head.cells.map((_, place) => columns?.attributes[place] ?? null),
    samples: rows.slice(isHeadless ? 0 : 1, isHeadless ? SAMPLES : SAMPLES + 1).map(texts),
  };
}
