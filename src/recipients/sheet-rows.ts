import { type Cell, type FileRow, MOST_COLUMNS } from "./file-row.ts";
import { attributeOf, plain, tagsOf } from "./xml.ts";

export type SheetContext = {
  /** Texts that cells name by their place. */
  readonly shared: readonly string[];
  readonly isDate: (style: number) => boolean;
  /** Days are counted from 1904, as old workbooks of Macs do. */
  readonly from1904: boolean;
};

const LETTERS = 26;
/** A cell of a workbook holds no more (Excel specifications and limits); one text may stand in each cell. */
const LONGEST_CELL = 32_767;
const BLANK: Cell = { text: "" };

/** Goes through the rows of a sheet; those without a value are passed over. */
export function* sheetRows(xml: string, context: SheetContext): Generator<FileRow> {
  let [line, column] = [0, 0];
  let cells: Cell[] = [];
  let attributes = "";
  let value = "";
  let isSound = false;
  for (const tag of tagsOf(xml)) {
    if (tag.name === "row" && !tag.isEnd) {
      line = Number(attributeOf(tag.attributes, "r") ?? line + 1);
      [cells, column] = [[], 0];
    } else if (tag.name === "row") {
      if (cells.length > 0) yield { line, cells };
    } else if (tag.name === "c" && !tag.isEnd) {
      attributes = tag.attributes;
      value = "";
      column = columnOf(attributeOf(attributes, "r")) ?? column;
      if (tag.isEmpty) column += 1;
    } else if (tag.name === "c") {
      const cell = cellOf(attributes, value, context);
      // What stands beyond the last column that may be is told by there being one more.
      const place = Math.min(column, MOST_COLUMNS);
      column += 1;
      if ((cell.text === "" && cell.fault === undefined) || place < cells.length) continue;
      while (cells.length < place) cells.push(BLANK);
      cells.push(cell);
    } else if (tag.name === "rPh") isSound = !tag.isEnd && !tag.isEmpty;
    else if ((tag.name === "v" || tag.name === "t") && !tag.isEnd && !isSound) value += tag.text;
  }
}

/** The place of a column by its letters, from 0: `B7` is 1. */
function columnOf(reference: string | null): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? "")?.[0];
  if (letters === undefined) return null;
  let place = 0;
  for (const letter of letters) place = place * LETTERS + letter.charCodeAt(0) - 64;
  return place - 1;
}

function cellOf(attributes: string, value: string, context: SheetContext): Cell {
  const text = plain(value).trim();
  switch (attributeOf(attributes, "t")) {
    case "s":
      return bounded((context.shared[Number(text)] ?? "").trim());
    case "inlineStr":
    case "str":
    case "d":
      return bounded(text);
    case "b":
      return { text: text === "1" ? "true" : "false" };
    case "e":
      return { text: "", fault: `the formula in it gives ${text.slice(0, 20)}` };
    default:
      return text === "" ? BLANK : { text: numberText(Number(text), text, attributes, context) };
  }
}

function bounded(text: string): Cell {
  return text.length > LONGEST_CELL
    ? { text: "", fault: `it holds more than ${LONGEST_CELL} characters` }
    : { text };
}

/** As a person would write it: all digits of a whole number, and a date as one. */
function numberText(number: number, text: string, attributes: string, context: SheetContext): string {
  const style = Number(attributeOf(attributes, "s") ?? "0");
  return context.isDate(style) ? (dateText(number, context.from1904) ?? text) : String(number);
}

const DAY_MS = 86_400_000;
/** The day 0 of a workbook: 1900 counts as a leap year in it, and only dates before that March are a day off. */
const DAY_0 = Date.UTC(1899, 11, 30);
const DAY_0_OF_1904 = Date.UTC(1904, 0, 1);
/** The end of the year 9999. */
const LAST_DAY = 2_958_465;
const MINUTE_MS = 60_000;

/** `31/12/2026`, `31/12/2026 08:30` or `08:30`; null for what is none. */
function dateText(serial: number, from1904: boolean): string | null {
  if (!(serial >= 0 && serial <= LAST_DAY)) return null;
  const minutes = Math.round((serial * DAY_MS) / MINUTE_MS);
  const iso = new Date((from1904 ? DAY_0_OF_1904 : DAY_0) + minutes * MINUTE_MS).toISOString();
  const time = iso.slice(11, 16);
  if (serial < 1) return time;
  const day = `${iso.slice(8, 10)}/${iso.slice(5, 7)}/${iso.slice(0, 4)}`;
  return Number.isInteger(serial) ? day : `${day} ${time}`;
}
