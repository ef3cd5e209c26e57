import type { RowCause } from "../../core/import-row.ts";
import { REPLACEMENT_CHARACTER } from "../../core/text-of.ts";

/** A cell as it is meant. */
export type Cell = {
  readonly text: string;
  /** What stands in it is no value. */
  readonly fault?: CellFault;
  /** Of a workbook: the number as it is kept, where it is shown otherwise. */
  readonly kept?: string;
  /** The format that was not followed. */
  readonly format?: string;
};

/** Why a cell holds no value: the causes of its row that name a column. */
export type CellFault = Extract<
  RowCause,
  { readonly code: "FORMULA_FAILED" | "CELL_DAMAGED" | "CELL_TOO_LONG" | "CHARACTER_LOST" }
>;

/** A cell of a workbook holds no more (Excel specifications and limits); one text may stand in each cell. */
const MAX_CELL_LENGTH = 32_767;

/** A cell with a text, unless it is longer than any can be or something of it was lost. */
export function bounded(text: string): Cell {
  if (text.length > MAX_CELL_LENGTH) {
    return { text: "", fault: { code: "CELL_TOO_LONG", params: { most: MAX_CELL_LENGTH } } };
  }
  return text.includes(REPLACEMENT_CHARACTER) ? { text, fault: { code: "CHARACTER_LOST", params: {} } } : { text };
}

/** Columns that a file may have. */
export const MAX_COLUMNS = 1000;

/** Rows that are no recipients, and are kept with what stands in them: a file with more is one that nobody corrects by hand. */
export const MAX_UNREADABLE_KEPT = 10_000;

/** A row of a file: the line it begins on, or its number in a sheet, from 1. Blank rows are none. */
export type FileRow = { readonly line: number; readonly cells: readonly Cell[] };

/** A recipient as a submission has it. */
export type FileRecipient = {
  /** As it stands in the file. */
  readonly msisdn: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly client_reference?: string;
};
