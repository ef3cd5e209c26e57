/**
 * What is stored of a row of a file that a batch is sent from (docs/administration.md#sending-a-file): what became of it as a
 * code with parameters, which is worded where it is shown.
 */
import { type Phrase, phrase, said } from "../i18n/phrase.ts";
import { referenceFault } from "./client-reference.ts";

/** `DUPLICATE`: its number is in an earlier row. `ALREADY_REACHED`: its number had its turn in an earlier batch of the family. */
export type RowStatus = "UNREADABLE" | "DUPLICATE" | "ALREADY_REACHED" | "REJECTED" | "ACCEPTED";

/** The parameters of a cause. `written`: the cell's text, cut. */
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
  /** `columns`: in which the row differs from the first one with its number. */
  readonly DUPLICATE_IN_BATCH: { readonly first: number; readonly columns: readonly string[] } | NoParams;
  readonly SERVED_BEFORE: NoParams;
  readonly FAILED_BEFORE: NoParams;
  /** For an erased number: nothing is known any more. */
  readonly UNREADABLE_ROW: NoParams;
  /** A sentence that a former version stored. */
  readonly SAID: { readonly said: string };
};

type NoParams = { readonly [key: string]: never };
type Written = { readonly written: string };
/** Absent: in the column of the numbers. */
type InColumn = { readonly column?: string };

export type RowCause = {
  [Code in keyof CauseParams]: { readonly code: Code; readonly params: CauseParams[Code] };
}[keyof CauseParams];

/** The cause of a rejected recipient: the reason of its rejection. */
type RejectedAs = { readonly code: string; readonly params: NoParams };

export type ImportRow = {
  /** Its line in the file, from 1. */
  readonly line: number;
  readonly status: RowStatus;
  /** Null for one that was accepted. */
  readonly cause: RowCause | RejectedAs | null;
  /** Its position among the recipients; null for a row that was none. */
  readonly position: number | null;
  /** The text in the place of its number. */
  readonly written: string;
  /** The number that people would search it by; null where nobody can tell. */
  readonly msisdn: string | null;
  /** The values for the tags of the text; null: none, or no longer. */
  readonly cells: Readonly<Record<string, string>> | null;
  readonly client_reference: string | null;
  /** The row of an earlier batch's file that it is; null where it has no id. */
  readonly of: RowPlace | null;
};

/** A row of the file of a batch, by the batch's row id. */
export type RowPlace = { readonly batch: number; readonly line: number };

/** What is stored of the file of a batch. */
export type NewImport = {
  /** The id of rows that were exported before anything was sent; null for a file that nobody could export them from. */
  readonly ulid: string | null;
  /** The line of each recipient, in the order of the batch; null where that is unknown. */
  readonly lines: Uint32Array | null;
  /** How many rows are no recipients. */
  readonly leftOut: number;
  readonly rows: readonly ImportRow[];
};

const MAX_SHOWN_LENGTH = 40;

/** As much of a text as its cause stores: one character more than is shown tells that it was cut. */
export function cut(text: string): string {
  return text.slice(0, MAX_SHOWN_LENGTH + 1);
}

/** The text of a cell, as much of it as is shown. */
export function writtenPhrase(text: string): Phrase {
  return text.length > MAX_SHOWN_LENGTH
    ? phrase("row.written_cut", { text: text.slice(0, MAX_SHOWN_LENGTH) })
    : phrase("row.written", { text });
}

/** Columns that a cause names. */
const FEW_COLUMNS = 3;

const PHRASES: { readonly [Code in keyof CauseParams]: (params: CauseParams[Code]) => Phrase | null } = {
  NO_NUMBER: () => phrase("row.cause.NO_NUMBER"),
  NUMBER_SHORTENED: ({ written }) => phrase("row.cause.NUMBER_SHORTENED", { written }),
  NUMBER_WITH_DECIMALS: ({ written }) =>
    phrase("row.cause.NUMBER_WITH_DECIMALS", { written: writtenPhrase(written) }),
  DIGIT_MISSING: ({ written, digits, most }) =>
    digits === undefined || most === undefined
      ? phrase("row.cause.DIGIT_MISSING", { written: writtenPhrase(written) })
      : phrase("row.cause.DIGIT_MISSING.counted", { written: writtenPhrase(written), digits, most }),
  WRONG_DIGITS: ({ written, ...count }) => digitPhrase(writtenPhrase(written), count),
  NOT_A_NUMBER: ({ written }) => phrase("row.cause.NOT_A_NUMBER", { written: writtenPhrase(written) }),
  TOO_MANY_CELLS: (params) => phrase("row.cause.TOO_MANY_CELLS", params),
  FORMULA_FAILED: ({ column, result }) => inColumn(column, phrase("row.cause.FORMULA_FAILED", { result })),
  CELL_DAMAGED: ({ column, written }) => inColumn(column, phrase("row.cause.CELL_DAMAGED", { written })),
  CELL_TOO_LONG: ({ column, most }) => inColumn(column, phrase("row.cause.CELL_TOO_LONG", { most })),
  CHARACTER_LOST: ({ column }) => inColumn(column, phrase("row.cause.CHARACTER_LOST")),
  CHARACTER_NOT_SENDABLE: ({ column }) => phrase("row.cause.CHARACTER_NOT_SENDABLE", { column }),
  REFERENCE_REFUSED: ({ written }) => {
    const why = referenceFault(written);
    return why && phrase("row.cause.REFERENCE_REFUSED", { why });
  },
  DUPLICATE_IN_BATCH: ({ first, columns }) => {
    if (first === undefined) return null;
    if (columns.length === 0) return phrase("row.cause.DUPLICATE_IN_BATCH.same", { line: first });
    const named = columns.slice(0, FEW_COLUMNS).join(", ");
    const all = columns.length > FEW_COLUMNS ? `${named}…` : named;
    return phrase("row.cause.DUPLICATE_IN_BATCH.other", { line: first, columns: all });
  },
  SERVED_BEFORE: () => phrase("row.cause.SERVED_BEFORE"),
  FAILED_BEFORE: () => phrase("row.cause.FAILED_BEFORE"),
  UNREADABLE_ROW: () => null,
  SAID: ({ said: text }) => said(text),
};

function inColumn(column: string | undefined, what: Phrase): Phrase {
  return column === undefined ? what : phrase("row.in_column", { column, what });
}

/** A cause in words; null where it says no more than its code does. */
export function causePhrase(cause: ImportRow["cause"]): Phrase | null {
  if (cause === null || !isOwn(cause)) return null;
  const made: (params: never) => Phrase | null = PHRASES[cause.code];
  return made(cause.params as never);
}

function isOwn(cause: RowCause | RejectedAs): cause is RowCause {
  return Object.hasOwn(PHRASES, cause.code);
}

/** The id of a row in files that people export and import again: that of its batch, or of the file it was in, and its line. */
export type RowId = { readonly of: string; readonly line: number };

const ROW_ID = /^'?([0-9A-HJKMNP-TV-Z]{26})-([1-9]\d{0,7})$/;

/** Parses an id; null for any other text. */
export function readRowId(text: string): RowId | null {
  const [, of, line] = ROW_ID.exec(text.trim()) ?? [];
  return of === undefined ? null : { of, line: Number(line) };
}

/** Renders an id for a file. */
export function rowIdText({ of, line }: RowId): string {
  return `${of}-${line}`;
}

/** How many digits are in a text that is no phone number, and how many a number of its country has. */
export type DigitCount = {
  readonly digits: number;
  /** Equal to `most` where all of them have as many. */
  readonly least: number;
  readonly most: number;
  /** The code of the country before them; null: as it is dialled at home. */
  readonly code: string | null;
};

/** Why a text is no phone number. `written`: the text. */
export function digitPhrase(written: Phrase, { digits, least, most, code }: DigitCount): Phrase {
  if (digits >= least && digits <= most) return phrase("row.digits.as_many", { written });
  const wanted = least === most ? String(least) : `${least}–${most}`;
  return code === null
    ? phrase("row.digits", { written, count: digits, wanted })
    : phrase("row.digits.behind_code", { written, digits, code, wanted });
}
