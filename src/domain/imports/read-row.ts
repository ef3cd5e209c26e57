import { unguardFormula } from "../../core/csv-line.ts";
import type { DigitCount } from "../../core/digit-count.ts";
import { cut, type RowCause, type RowId, readRowId } from "../../core/import-row.ts";
import { referenceFault } from "../../core/reference.ts";
import type { Columns } from "./columns.ts";
import type { Cell, CellFault, FileRecipient, FileRow } from "./file-row.ts";

/** docs/public-api.md section 8. */
const MAX_MSISDN_LENGTH = 32;
/** As much of a reference as tells what is wrong with it. */
const MAX_REFERENCE_LENGTH = 130;
/** How spreadsheets write long numbers for people to look at: the last digits are lost in a file with only this. */
const SCIENTIFIC = /^\+?\d+(?:[.,]\d+)?E\+?\d+$/i;
/** A number that a zero before it would complete: a spreadsheet may have dropped it, or another digit was never typed. */
const WITHOUT_ZERO = /^[1-9]\d{4,13}$/;
/** The mark of a text before what a spreadsheet would take for a number or a formula. */
const TEXT_MARK = /^'(?=[=+\-@\d])/;
const WITH_DECIMALS = /^\+?\d+[.,]0+$/;
const BLANK: Cell = { text: "" };

/** Why a row is no recipient. */
export type UnreadableRow = { readonly cause: RowCause };

/** How numbers are told from what is none. */
export type NumberTest = {
  readonly isNumber: (text: string) => boolean;
  /** How many digits a text has that is none, beside those of a number; null where something else is wrong with it. Absent: nobody counts. */
  readonly digitsOf?: (text: string) => DigitCount | null;
};

/** Which row of an earlier file a row is, and whether somebody emptied its code: it is to be sent all the same. */
export type Origin = RowId & { readonly isMarked: boolean };

/** Null of a row without an id. */
export function originOf({ cells }: FileRow, { rowId, code }: Columns): Origin | null {
  const id = rowId === null ? null : readRowId(cells[rowId]?.text ?? "");
  return id && { ...id, isMarked: code !== null && (cells[code]?.text ?? "").trim() === "" };
}

/** What a row says, or why it is no recipient. */
export function readRow(row: FileRow, columns: Columns, numbers: NumberTest): FileRecipient | UnreadableRow {
  const read = readCells(row, columns, numbers);
  if (!("cause" in read)) return read;
  // Where commas stand between values, that of 7,6E+07 is taken for one.
  const { cells } = row;
  const whole = cells.length === 2 ? cells.map(({ text }) => text).join(",") : "";
  return SCIENTIFIC.test(whole) ? because({ code: "NUMBER_SHORTENED", params: { written: whole } }) : read;
}

function because(cause: RowCause): UnreadableRow {
  return { cause };
}

function readCells({ cells }: FileRow, columns: Columns, numbers: NumberTest): FileRecipient | UnreadableRow {
  const surplus = cells.findLastIndex((cell) => cell.text !== "" || cell.fault !== undefined);
  if (!columns.isHeadless && surplus >= columns.attributes.length) {
    const params = { cells: surplus + 1, columns: columns.attributes.length };
    return because({ code: "TOO_MANY_CELLS", params });
  }
  const cell = cells[columns.msisdn] ?? BLANK;
  const msisdn = numberOf(cell, numbers);
  const fault = cell.fault ?? numberFault(msisdn, numbers);
  if (fault !== null) return because(fault);
  const attributes = readAttributes(cells, columns);
  if (attributes !== null && "cause" in attributes) return attributes;
  const reference = columns.reference === null ? "" : (cells[columns.reference]?.text ?? "");
  if (reference !== "" && referenceFault(reference) !== null) {
    return because({
      code: "REFERENCE_REFUSED",
      params: { written: reference.slice(0, MAX_REFERENCE_LENGTH) },
    });
  }
  return {
    msisdn,
    ...(attributes === null ? {} : { attributes: attributes.values }),
    ...(reference === "" ? {} : { client_reference: reference }),
  };
}

/** The number as it is shown; of a workbook that shows it as no number, as with decimals, as it is kept. */
function numberOf({ text, kept }: Cell, { isNumber }: NumberTest): string {
  const shown = text.replace(/^'/, "").trim();
  return kept !== undefined && !isNumber(shown) && isNumber(kept) ? kept : shown;
}

function numberFault(msisdn: string, { isNumber, digitsOf = () => null }: NumberTest): RowCause | null {
  const written = cut(msisdn);
  if (msisdn === "") return { code: "NO_NUMBER", params: {} };
  if (SCIENTIFIC.test(msisdn)) return { code: "NUMBER_SHORTENED", params: { written } };
  if (WITH_DECIMALS.test(msisdn)) return { code: "NUMBER_WITH_DECIMALS", params: { written } };
  if (msisdn.length <= MAX_MSISDN_LENGTH && isNumber(msisdn)) return null;
  const count = msisdn.length <= MAX_MSISDN_LENGTH ? digitsOf(msisdn) : null;
  if (WITHOUT_ZERO.test(msisdn) && isNumber(`0${msisdn}`)) {
    const digits = count === null ? {} : { digits: count.digits, most: count.most };
    return { code: "DIGIT_MISSING", params: { written, ...digits } };
  }
  return count === null
    ? { code: "NOT_A_NUMBER", params: { written } }
    : { code: "WRONG_DIGITS", params: { written, ...count } };
}

/** What is empty is left out: a tag then counts as without a value. */
function readAttributes(
  cells: readonly Cell[],
  { attributes, rowId }: Columns,
): { readonly values: Readonly<Record<string, string>> } | UnreadableRow | null {
  const values: [string, string][] = [];
  for (const [place, name] of attributes.entries()) {
    const { text, fault } = cells[place] ?? BLANK;
    if (name === null) continue;
    if (fault !== undefined) return because(inColumn(fault, name));
    if (text.includes("\0") || !text.isWellFormed()) {
      return because({ code: "CHARACTER_NOT_SENDABLE", params: { column: name } });
    }
    if (text !== "") values.push([name, unmarked(rowId === null ? text : unguardFormula(text))]);
  }
  return values.length === 0 ? null : { values: Object.fromEntries(values) };
}

function inColumn({ code, params }: CellFault, column: string): RowCause {
  return { code, params: { ...params, column } } as RowCause;
}

/** A value without the mark that a spreadsheet keeps it as a text by. */
export function unmarked(text: string): string {
  return text.replace(TEXT_MARK, "");
}
