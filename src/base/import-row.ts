/**
 * What is kept of a row of a file that a batch is sent out of (docs/administration.md#sending-a-file): what became of it as a code with
 * parameters, which is worded where it is shown.
 */
import { phrase } from "../i18n/phrase.ts";
import { english } from "../i18n/text.ts";
import { type DigitCount, digitSentence } from "./digit-count.ts";
import { referenceFault } from "./reference.ts";

/** `DUPLICATE`: its number stands in an earlier row. `ALREADY_REACHED`: its number had its turn in an earlier batch of the family. */
export type RowStatus = "UNREADABLE" | "DUPLICATE" | "ALREADY_REACHED" | "REJECTED" | "ACCEPTED";

/** What a cause is about. `written`: what stands there, cut. */
type CauseParams = {
  readonly NO_NUMBER: NoParams;
  readonly NUMBER_SHORTENED: Written;
  readonly NUMBER_WITH_DECIMALS: Written;
  readonly DIGIT_MISSING: Written & { readonly digits?: number; readonly most?: number };
  readonly WRONG_DIGITS: Written & DigitCount;
  readonly NOT_A_NUMBER: Written;
  readonly TOO_MANY_CELLS: { readonly cells: number; readonly columns: number };
  readonly FORMULA_FAILED: InColumn & { readonly result: string };
  readonly CELL_DAMAGED: InColumn & { readonly written: string };
  readonly CELL_TOO_LONG: InColumn & { readonly most: number };
  readonly CHARACTER_LOST: InColumn;
  readonly CHARACTER_NOT_SENDABLE: { readonly column: string };
  readonly REFERENCE_REFUSED: Written;
  /** `columns`: what the row differs in from the first one with its number. */
  readonly DUPLICATE_IN_BATCH: { readonly first: number; readonly columns: readonly string[] } | NoParams;
  readonly SERVED_BEFORE: NoParams;
  readonly FAILED_BEFORE: NoParams;
  /** Of an erased number: nothing is known any more. */
  readonly UNREADABLE_ROW: NoParams;
  /** A sentence that a former version kept. */
  readonly SAID: { readonly said: string };
};

type NoParams = { readonly [key: string]: never };
type Written = { readonly written: string };
/** Absent: in the column of the numbers. */
type InColumn = { readonly column?: string };

export type RowCause = {
  [Code in keyof CauseParams]: { readonly code: Code; readonly params: CauseParams[Code] };
}[keyof CauseParams];

/** The cause of a recipient that was rejected: the reason that its rejection has. */
type RejectedAs = { readonly code: string; readonly params: NoParams };

export type ImportRow = {
  /** Where it stands in the file, from 1. */
  readonly line: number;
  readonly status: RowStatus;
  /** Null of one that was accepted. */
  readonly cause: RowCause | RejectedAs | null;
  /** Its place among the recipients; null of a row that was none. */
  readonly position: number | null;
  /** What stands in the place of its number. */
  readonly written: string;
  /** The number that people would look for it by; null where nobody can tell. */
  readonly msisdn: string | null;
  /** What the tags of the text would be filled in with; null: nothing, or no longer. */
  readonly cells: Readonly<Record<string, string>> | null;
  readonly client_reference: string | null;
  /** Which row of an earlier batch's file it is; null where it has no id. */
  readonly of: RowPlace | null;
};

/** A row of the file of a batch, by the batch's row id. */
export type RowPlace = { readonly batch: number; readonly line: number };

/** What is kept of the file of a batch. */
export type NewImport = {
  /** The id by which rows are known that were taken away before anything was sent; null of a file that nobody could take them from. */
  readonly ulid: string | null;
  /** The line of each recipient, in the order of the batch; null where nobody knows. */
  readonly lines: Uint32Array | null;
  /** How many rows are no recipients. */
  readonly leftOut: number;
  readonly rows: readonly ImportRow[];
};

const LONGEST_SHOWN = 40;

/** As much of a text as its cause keeps: one character more than is shown tells that it was cut. */
export function cut(text: string): string {
  return text.slice(0, LONGEST_SHOWN + 1);
}

function shown(text: string): string {
  return text.length > LONGEST_SHOWN
    ? `${JSON.stringify(text.slice(0, LONGEST_SHOWN))}…`
    : JSON.stringify(text);
}

/** Columns that a sentence names. */
const FEW_COLUMNS = 3;

const TO_SEND_IT = "to send this row too, empty its cell in the column reason_code";

const WORDS: { readonly [Code in keyof CauseParams]: (params: CauseParams[Code]) => string } = {
  NO_NUMBER: () => "it has no number",
  NUMBER_SHORTENED: ({ written }) =>
    `Excel shortened this number to ${written}, and its other digits are lost: give the cell the format Text and type the number again`,
  NUMBER_WITH_DECIMALS: ({ written }) =>
    `the number has decimals, ${shown(written)}: give the column the format Text and save again`,
  DIGIT_MISSING: ({ written, digits, most }) =>
    `a digit is missing in ${shown(written)}${digits === undefined ? "" : ` (${digits} instead of ${most})`}: a spreadsheet may have dropped the zero at its beginning, or a digit was left out in typing; look the number up`,
  WRONG_DIGITS: ({ written, ...count }) => digitSentence(shown(written), count),
  NOT_A_NUMBER: ({ written }) => `${shown(written)} is not a phone number`,
  TOO_MANY_CELLS: ({ cells, columns }) => `it has ${cells} columns, and the first line names ${columns}`,
  FORMULA_FAILED: ({ column, result }) => inColumn(column, `the formula in it gives ${result}`),
  CELL_DAMAGED: ({ column, written }) =>
    inColumn(column, `the workbook is damaged there: ${JSON.stringify(written)}`),
  CELL_TOO_LONG: ({ column, most }) => inColumn(column, `it holds more than ${most} characters`),
  CHARACTER_LOST: ({ column }) =>
    inColumn(
      column,
      "it holds a character that cannot be read, shown as \ufffd: write it anew and save the file as UTF-8",
    ),
  CHARACTER_NOT_SENDABLE: ({ column }) =>
    `the column ${JSON.stringify(column)} holds a character that cannot be sent`,
  REFERENCE_REFUSED: ({ written }) =>
    `client_reference ${english(referenceFault(written) ?? phrase("fault.reference.signs"))}`,
  DUPLICATE_IN_BATCH: ({ first, columns }) => {
    if (first === undefined) return "";
    if (columns.length === 0) return `the number is in line ${first} already, and all else is the same`;
    const named = columns.slice(0, FEW_COLUMNS).join(", ");
    return `the number is in line ${first} already, with another value in ${named}${columns.length > FEW_COLUMNS ? "…" : ""}`;
  },
  SERVED_BEFORE: () =>
    `it repeats a number that the batch before reached already, or is on its way to: ${TO_SEND_IT}`,
  FAILED_BEFORE: () =>
    `it repeats a number that the batch before failed for, and that was not to be tried again: ${TO_SEND_IT}`,
  UNREADABLE_ROW: () => "",
  SAID: ({ said }) => said,
};

function inColumn(column: string | undefined, what: string): string {
  return column === undefined ? what : `in the column ${JSON.stringify(column)}, ${what}`;
}

/** A cause in English; "" where it says no more than its code does. */
export function causeSentence(cause: ImportRow["cause"]): string {
  if (cause === null || !isOwn(cause)) return "";
  const word: (params: never) => string = WORDS[cause.code];
  return word(cause.params as never);
}

function isOwn(cause: RowCause | RejectedAs): cause is RowCause {
  return Object.hasOwn(WORDS, cause.code);
}

/** The id of a row in files that people take away and bring again: that of its batch, or of the file it stood in, and its line. */
export type RowId = { readonly of: string; readonly line: number };

const ROW_ID = /^'?([0-9A-HJKMNP-TV-Z]{26})-([1-9]\d{0,7})$/;

/** Reads an id; null of what is none. */
export function readRowId(text: string): RowId | null {
  const [, of, line] = ROW_ID.exec(text.trim()) ?? [];
  return of === undefined ? null : { of, line: Number(line) };
}

/** Writes an id for a file. */
export function rowIdText({ of, line }: RowId): string {
  return `${of}-${line}`;
}
