import { unguarded } from "../base/csv-line.ts";
import { type DigitCount, digitSentence } from "../base/digit-count.ts";
import { referenceFault } from "../base/reference.ts";
import { type Columns, SENT_ALREADY_CODES } from "./columns.ts";
import type { Cell, FileRecipient, FileRow } from "./file-row.ts";

/** docs/public-api.md section 8. */
const LONGEST_MSISDN = 32;
const LONGEST_SHOWN = 40;
/** How spreadsheets write long numbers for people to look at: the last digits are lost in a file with only this. */
const SCIENTIFIC = /^\+?\d+(?:[.,]\d+)?E\+?\d+$/i;
/** A number that a zero before it would complete: a spreadsheet may have dropped it, or another digit was never typed. */
const WITHOUT_ZERO = /^[1-9]\d{4,13}$/;
/** The mark of a text before what a spreadsheet would take for a number or a formula. */
const TEXT_MARK = /^'(?=[=+\-@\d])/;
/** Of a row that an earlier file of who got nothing tells as one whose number gets the text: brought again as it is, it is not paid again. */
const SENT_ALREADY =
  "it repeats a number that gets the text already: to send this row too, empty its cell in the column of the reason code";

/** How the cause begins of every row whose number has had its turn already: it counts as a repeat, and not as one that nobody can read. */
export const REPEATS_A_NUMBER = "it repeats a number ";

/** How many of rows that are no recipients are such. */
export function sentAlreadyIn(bad: readonly RowFault[]): number {
  return bad.filter(({ cause }) => cause === SENT_ALREADY).length;
}

const LINE = /^[1-9]\d{0,7}$/;
const WITH_DECIMALS = /^\+?\d+[.,]0+$/;
const BLANK: Cell = { text: "" };

/** What a spreadsheet did to a number: it wrote 7,6E+07 in its place, or may have dropped the zero that it began with. */
export type Slip = "shortened" | "zero";

/** Why a row is no recipient; `slip`: what a spreadsheet did to its number, where that can be told. */
export type RowFault = { readonly cause: string; readonly slip?: Slip };

/** How numbers are told from what is none. */
export type NumberTest = {
  readonly isNumber: (text: string) => boolean;
  /** How many digits a text has that is none, beside those of a number; null where something else is wrong with it. Absent: nobody counts. */
  readonly digitsOf?: (text: string) => DigitCount | null;
};

/** Whether a row of a file of those that got nothing, which tells its line, has no code any more. Rows that were added to such a file have no line. */
export function isUnlocked({ cells }: FileRow, { code }: Columns): boolean {
  if (code === null) return false;
  const textAt = (place: number) => cells[place]?.text.trim() ?? "";
  return textAt(code) === "" && textAt(code - 1) !== "";
}

/** Which row of an earlier file a row of a file of those that got nothing is: its line there, and why it got nothing, as that file says. */
export type Origin = { readonly line: number; readonly why: string };

/** Null of a row that was added to such a file, and of any row of another file. */
export function originOf({ cells }: FileRow, { code }: Columns): Origin | null {
  if (code === null) return null;
  const textAt = (place: number) => cells[place]?.text.trim() ?? "";
  const line = textAt(code - 1);
  return LINE.test(line) ? { line: Number.parseInt(line, 10), why: textAt(code + 1) } : null;
}

/** What a row says, or why it is no recipient. */
export function readRow(row: FileRow, columns: Columns, numbers: NumberTest): FileRecipient | RowFault {
  const read = readCells(row, columns, numbers);
  if (typeof read !== "string") return read;
  // Where commas stand between values, that of 7,6E+07 is taken for one.
  const { cells } = row;
  const whole = cells.length === 2 ? cells.map(({ text }) => text).join(",") : "";
  return SCIENTIFIC.test(whole) ? shortened(whole) : { cause: read };
}

function readCells(
  { cells }: FileRow,
  columns: Columns,
  numbers: NumberTest,
): FileRecipient | RowFault | string {
  const surplus = cells.findLastIndex((cell) => cell.text !== "" || cell.fault !== undefined);
  if (!columns.isHeadless && surplus >= columns.attributes.length) {
    return `it has ${surplus + 1} columns, and the first line names ${columns.attributes.length}`;
  }
  const code = columns.code === null ? "" : cells[columns.code]?.text.trim();
  if (code === SENT_ALREADY_CODES.en || code === SENT_ALREADY_CODES.fr) return { cause: SENT_ALREADY };
  const cell = cells[columns.msisdn] ?? BLANK;
  const msisdn = numberOf(cell, numbers);
  if (cell.fault !== undefined) return cell.fault;
  const fault = numberFault(msisdn, numbers);
  if (fault !== null) return fault;
  const attributes = readAttributes(cells, columns);
  if (typeof attributes === "string") return attributes;
  const reference = columns.reference === null ? "" : (cells[columns.reference]?.text ?? "");
  if (reference !== "") {
    const wrong = referenceFault(reference);
    if (wrong !== null) return `client_reference ${wrong}`;
  }
  return {
    msisdn,
    ...(attributes === null ? {} : { attributes }),
    ...(reference === "" ? {} : { client_reference: reference }),
  };
}

/** The number as it is shown; of a workbook that shows it as no number, as with decimals, as it is kept. */
function numberOf({ text, kept }: Cell, { isNumber }: NumberTest): string {
  const shown = text.replace(/^'/, "").trim();
  return kept !== undefined && !isNumber(shown) && isNumber(kept) ? kept : shown;
}

function shortened(written: string): RowFault {
  const cause = `Excel shortened this number to ${written}, and its other digits are lost: give the cell the format Text and type the number again`;
  return { cause, slip: "shortened" };
}

function numberFault(
  msisdn: string,
  { isNumber, digitsOf = () => null }: NumberTest,
): RowFault | string | null {
  if (msisdn === "") return "it has no number";
  if (SCIENTIFIC.test(msisdn)) return shortened(msisdn);
  if (WITH_DECIMALS.test(msisdn)) {
    return `the number has decimals, ${shown(msisdn)}: give the column the format Text and save again`;
  }
  if (msisdn.length <= LONGEST_MSISDN && isNumber(msisdn)) return null;
  const count = msisdn.length <= LONGEST_MSISDN ? digitsOf(msisdn) : null;
  if (WITHOUT_ZERO.test(msisdn) && isNumber(`0${msisdn}`)) {
    const digits = count === null ? "" : ` (${count.digits} instead of ${count.most})`;
    const cause = `a digit is missing in ${shown(msisdn)}${digits}: a spreadsheet may have dropped the zero at its beginning, or a digit was left out in typing; look the number up`;
    return { cause, slip: "zero" };
  }
  return count === null ? `${shown(msisdn)} is not a phone number` : digitSentence(shown(msisdn), count);
}

/** What is empty is left out: a tag then counts as without a value. */
function readAttributes(
  cells: readonly Cell[],
  { attributes, code }: Columns,
): Readonly<Record<string, string>> | null | string {
  const values: [string, string][] = [];
  for (const [place, name] of attributes.entries()) {
    const { text, fault } = cells[place] ?? BLANK;
    if (name === null) continue;
    if (fault !== undefined) return `in the column ${JSON.stringify(name)}, ${fault}`;
    if (text.includes("\0") || !text.isWellFormed()) {
      return `the column ${JSON.stringify(name)} holds a character that cannot be sent`;
    }
    if (text !== "") values.push([name, unmarked(code === null ? text : unguarded(text))]);
  }
  return values.length === 0 ? null : Object.fromEntries(values);
}

/** A value without the mark that a spreadsheet keeps it as a text by. */
export function unmarked(text: string): string {
  return text.replace(TEXT_MARK, "");
}

function shown(text: string): string {
  return text.length > LONGEST_SHOWN
    ? `${JSON.stringify(text.slice(0, LONGEST_SHOWN))}…`
    : JSON.stringify(text);
}
