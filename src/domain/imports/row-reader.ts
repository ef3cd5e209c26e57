/**
 * Reads rows of a recipient file (import): which column is the number, reference or attribute, and each row as a recipient
 * or the cause why it is none.
 */
import { referenceFault } from "../../core/client-reference.ts";
import { unguardFormula } from "../../core/csv.ts";
import { REPLACEMENT_CHARACTER } from "../../core/decode-text.ts";
import { nearest } from "../../core/edit-distance.ts";
import { cut, type DigitCount, type RowCause, type RowId, readRowId } from "../../core/import-row.ts";
import { accepted, type Outcome, refuse } from "../../core/refusals.ts";
import { toTagName } from "../../core/tag-name.ts";

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
  /** How many digits a text has that is no number, beside those of one; null where something else is wrong with it. Absent: not counted. */
  readonly digitsOf?: (text: string) => DigitCount | null;
};

/** Which row of an earlier file a row is, and whether the user forced it by clearing its code: it is sent all the same. */
export type Origin = RowId & { readonly isMarked: boolean };

/** Null of a row without an id. */
export function readOrigin({ cells }: FileRow, { rowId, code }: Columns): Origin | null {
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
export function numberOf({ text, kept }: Cell, { isNumber }: NumberTest): string {
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

/** Which column of a file holds what. */
export type Columns = {
  readonly msisdn: number;
  /** What the client calls each recipient; null: nothing says. */
  readonly reference: number | null;
  /** Names of attributes by column; null where a column is none. */
  readonly attributes: readonly (string | null)[];
  /** The columns with the id of each row and the code of why it got nothing, in a file that was downloaded; null in any other. */
  readonly rowId: number | null;
  readonly code: number | null;
  /** Whether the first row is a recipient already. */
  readonly isHeadless: boolean;
};

/** How people head the column of numbers, without case, accents, spaces and signs. */
const NUMBER_NAMES: readonly string[] = [
  ...["msisdn", "numero", "numerotelephone", "numerodetelephone", "numeromobile", "telephone", "tel"],
  ...["telephonemobile", "telmobile", "mobile", "portable", "gsm", "contact", "destinataire", "num"],
  ...["number", "phone", "phonenumber", "mobilenumber", "mobilephone", "cell", "cellphone", "cellular"],
  ...["recipient", "to", "whatsapp"],
];
/** Names of the columns, in any language, of the id of a row that got nothing and of its code, in files that are brought again. */
export const ROW_ID_COLUMN = "bendre_row";
export const CODE_COLUMN = "reason_code";

/** Name of the column of what the client calls each recipient. */
export const REFERENCE_COLUMN = "client_reference";
const MAX_SHOWN = 10;
/** As much of a heading as may be a name that is known. */
const MAX_HEADING_LENGTH = 100;
/** Digits that a number has at least, where a file without names is guessed at. */
const LIKE_A_NUMBER = /^'?\+?[\d\s().-]{8,20}$/;

/** Whether a heading is that of the numbers: called as `wanted`, or, where that is no name, by a usual French or English one. */
export function namesNumber(heading: string, wanted: string | number | null): boolean {
  const name = bare(heading.slice(0, MAX_HEADING_LENGTH));
  return typeof wanted === "string" ? name === bare(wanted) : NUMBER_NAMES.includes(name);
}

/**
 * Finds the columns by the row of headings (headings.ts). The numbers are in the one that `wanted` names, or whose place it is, else in the
 * only one with a usual French or English name. A row that has a number and no such name is a recipient already, and then there are no
 * attributes, unless `isChosen`: a person said that it has the headings.
 */
export function readColumns(
  { line, cells }: FileRow,
  wanted: string | number | null,
  isChosen = false,
): Outcome<Columns, "INVALID_FILE"> {
  if (cells.length > MAX_COLUMNS) {
    return refuse("INVALID_FILE.columns", { most: MAX_COLUMNS });
  }
  const heads = cells.map(({ text }) => text);
  const names = heads.map(bare);
  const headless = isChosen ? null : headlessPlace(heads, names, wanted);
  if (headless !== null) {
    return accepted({
      msisdn: headless,
      reference: null,
      rowId: null,
      code: null,
      attributes: [],
      isHeadless: true,
    });
  }
  const lost = heads.findIndex((head) => head.includes(REPLACEMENT_CHARACTER));
  if (lost >= 0) {
    const name = (heads[lost] ?? "").slice(0, 40);
    return refuse("INVALID_FILE.column_lost", { line, column: lost + 1, name });
  }
  const found = placesOf(names, wanted);
  const [msisdn] = found;
  if (msisdn === undefined) return noColumn(heads, wanted);
  if (found.length > 1) {
    const columns = found.map((place) => JSON.stringify(heads[place])).join(", ");
    return refuse("INVALID_FILE.column_which", { columns });
  }
  const rowId = placeOf(heads, ROW_ID_COLUMN);
  const reference = placeOf(names, bare(REFERENCE_COLUMN));
  // Columns that were put before those of a file that comes back fill in no text.
  const isAdded = (place: number): boolean => rowId !== null && place <= (rowId < msisdn ? rowId : -1);
  const attributes = heads.map((head, place) =>
    place === msisdn || place === reference || place === rowId || head === "" || isAdded(place)
      ? null
      : toTagName(head),
  );
  const twice = attributes.find((name, place) => name !== null && attributes.indexOf(name) < place) ?? null;
  if (twice !== null) {
    return refuse("INVALID_FILE.column_twice", { name: twice });
  }
  return accepted({
    msisdn,
    reference,
    rowId,
    code: rowId === null ? null : placeOf(heads, CODE_COLUMN),
    attributes,
    isHeadless: false,
  });
}

function placeOf(heads: readonly string[], name: string): number | null {
  const place = heads.indexOf(name);
  return place < 0 ? null : place;
}

function bare(name: string): string {
  return name
    .normalize("NFD")
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
}

/** Where the numbers are in a file whose first row is a recipient already; null where it holds names. */
function headlessPlace(
  heads: readonly string[],
  names: readonly string[],
  wanted: string | number | null,
): number | null {
  if (typeof wanted === "number") return LIKE_A_NUMBER.test(heads[wanted] ?? "") ? wanted : null;
  if (wanted !== null || usual(names).length > 0) return null;
  const place = heads.findIndex((head) => LIKE_A_NUMBER.test(head));
  return place < 0 ? null : place;
}

function placesOf(names: readonly string[], wanted: string | number | null): number[] {
  if (typeof wanted === "number") return wanted < names.length ? [wanted] : [];
  return wanted === null ? usual(names) : places(names, (name) => name === bare(wanted));
}

function usual(names: readonly string[]): number[] {
  const best = names.indexOf("msisdn");
  return best >= 0 ? [best] : places(names, (name) => NUMBER_NAMES.includes(name));
}

function places(names: readonly string[], isIt: (name: string) => boolean): number[] {
  return names.flatMap((name, place) => (isIt(name) ? [place] : []));
}

function noColumn(heads: readonly string[], wanted: string | number | null) {
  const there = heads.filter((head) => head !== "");
  const shown = there.slice(0, MAX_SHOWN).map((head) => JSON.stringify(head.slice(0, 40)));
  const columns = shown.join(", ");
  if (typeof wanted !== "string") {
    return shown.length === 0
      ? refuse("INVALID_FILE.columnless")
      : refuse("INVALID_FILE.column_unnamed", { columns });
  }
  if (shown.length === 0) return refuse("INVALID_FILE.column_unknown_none", { name: wanted });
  const meant = nearest(wanted, there);
  return meant === null
    ? refuse("INVALID_FILE.column_unknown", { name: wanted, columns })
    : refuse("INVALID_FILE.column_near", { name: wanted, columns, meant });
}

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
  return text.includes(REPLACEMENT_CHARACTER)
    ? { text, fault: { code: "CHARACTER_LOST", params: {} } }
    : { text };
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
