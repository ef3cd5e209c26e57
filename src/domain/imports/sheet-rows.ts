import { decimalIn, wholeIn } from "../../core/numbers-in.ts";
import { bounded, type Cell, type FileRow, MOST_COLUMNS } from "./file-row.ts";
import { generalText, type NumberFormat } from "./number-format.ts";
import { attributeOf, plain, tagsOf } from "./xml.ts";

export type SheetContext = {
  /** Texts that cells name by their place. */
  readonly shared: readonly string[];
  readonly formatOf: (style: number) => NumberFormat;
  /** Days are counted from 1904, as old workbooks of Macs do. */
  readonly from1904: boolean;
};

const LETTERS = 26;
/** A sheet has no more (Excel specifications and limits). */
const MAX_ROWS = 1_048_576;
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
      line = wholeIn(attributeOf(tag.attributes, "r"), MAX_ROWS) ?? line + 1;
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
    else if ((tag.name === "v" || tag.name === "t") && !tag.isEnd && !tag.isEmpty && !isSound)
      value += tag.text;
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

/** ECMA-376 part 1, 18.3.1.96: what has no value is empty, of whatever type it is. */
function cellOf(attributes: string, value: string, context: SheetContext): Cell {
  const text = plain(value).trim();
  if (text === "") return BLANK;
  switch (attributeOf(attributes, "t") ?? "n") {
    case "s": {
      const place = wholeIn(text);
      const shared = place === null ? undefined : context.shared[place];
      return shared === undefined ? unread(text) : bounded(shared.trim());
    }
    case "inlineStr":
    case "str":
    case "d":
      return bounded(text);
    case "b":
      return text === "1" || text === "0" ? { text: text === "1" ? "true" : "false" } : unread(text);
    case "e":
      return { text: "", fault: { code: "FORMULA_FAILED", params: { result: text.slice(0, 20) } } };
    case "n":
      return numberCell(text, attributes, context);
    default:
      return unread(text);
  }
}

/** What a cell holds is none of what its type may hold. */
function unread(text: string): Cell {
  return { text: "", fault: { code: "CELL_DAMAGED", params: { written: text.slice(0, 20) } } };
}

/** As a person sees it, as far as its format is followed. */
function numberCell(text: string, attributes: string, { formatOf, from1904 }: SheetContext): Cell {
  const number = decimalIn(text);
  if (number === null) return unread(text);
  const { code, show } = formatOf(wholeIn(attributeOf(attributes, "s")) ?? 0);
  const shown = show(number, from1904);
  const kept = generalText(number);
  return {
    text: shown.text,
    ...(shown.text === kept ? {} : { kept }),
    ...(shown.isFollowed ? {} : { format: code }),
  };
}
