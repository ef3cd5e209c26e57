/** A cell as it is meant. `fault`: what stands in it is no value. */
export type Cell = { readonly text: string; readonly fault?: string };

/** Columns that a file may have. */
export const MOST_COLUMNS = 1000;

/** A row of a file: the line it begins on, or its number in a sheet, from 1. Blank rows are none. */
export type FileRow = { readonly line: number; readonly cells: readonly Cell[] };

/** A recipient as a submission has it. */
export type FileRecipient = {
  /** As it stands in the file. */
  readonly msisdn: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly client_reference?: string;
};
