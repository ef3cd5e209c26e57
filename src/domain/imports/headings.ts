/**
 * Which row of a file has the headings: above it may stand title lines, as people write them in spreadsheets. They are no
 * recipients and no bad rows (docs/administration.md#sending-a-file). Pure.
 */
import { accepted, type Outcome, refuse } from "../../core/refusals.ts";
import { type FileRow, type NumberTest, namesNumber, numberOf } from "./row-reader.ts";

/** Title lines above the headings: how many, and what stands in the first of them. */
export type TitleLines = { readonly code: "TITLE_LINES"; readonly count: number; readonly text: string };

/** The beginning of a file. */
export type FileHead = {
  /** Null: there are none. */
  readonly titles: TitleLines | null;
  /** The row of headings; in a file without headings the first recipient. */
  readonly row: FileRow;
  /** Whether a person said that it has the headings. */
  readonly isChosen: boolean;
  /** The rows that the headings were looked for in. */
  readonly first: readonly FileRow[];
  /** All rows below `row`; gone through once. */
  readonly below: Iterable<FileRow>;
};

export type HeadOptions = NumberTest & {
  readonly column: string | number | null;
  /** The line of the headings, or their number in a sheet; null: they are found by what stands in the rows. */
  readonly headingRow?: number | null;
};

/** The first rows that are looked at. */
const MAX_LOOKED_AT = 20;
/** Of the title lines. */
const MAX_TITLES_SHOWN = 3;
const MAX_TITLE_LENGTH = 200;
/** A cell with so many digits in a row is a value and no heading. */
const VALUE = /\d{5}/;
const LIKE_A_NUMBER = /^\+?[\d\s().-]{6,32}$/;

/** Goes through a file as far as its headings; null for a file without rows. */
export function readHead(
  rows: Iterable<FileRow>,
  options: HeadOptions,
): Outcome<FileHead | null, "INVALID_FILE"> {
  const { headingRow = null } = options;
  const all = rows[Symbol.iterator]();
  const first: FileRow[] = [];
  const titles = new TitleCollector();
  for (let next = all.next(); !next.done; next = all.next()) {
    if (first.length < MAX_LOOKED_AT) first.push(next.value);
    if (headingRow === null) {
      if (first.length === MAX_LOOKED_AT) break;
      continue;
    }
    if (next.value.line < headingRow) titles.add(next.value);
    else if (next.value.line > headingRow) break;
    else {
      // Every row that was read so far is it or above it.
      return accepted({
        titles: titles.end(),
        row: next.value,
        isChosen: true,
        first,
        below: inOrder([], all),
      });
    }
  }
  if (headingRow !== null) return refuse("INVALID_FILE.heading_row", { line: headingRow });
  const place = headingPlace(first, options);
  const row = first[place];
  if (row === undefined) return accepted(null);
  for (const above of first.slice(0, place)) titles.add(above);
  return accepted({
    titles: titles.end(),
    row,
    isChosen: false,
    first,
    below: inOrder(first.slice(place + 1), all),
  });
}

function* inOrder(read: readonly FileRow[], others: Iterator<FileRow>): Generator<FileRow> {
  yield* read;
  for (let next = others.next(); !next.done; next = others.next()) yield next.value;
}

class TitleCollector {
  private count = 0;
  private readonly texts: string[] = [];

  add(row: FileRow): void {
    this.count += 1;
    if (this.texts.length < MAX_TITLES_SHOWN) this.texts.push(rowText(row));
  }

  end(): TitleLines | null {
    const { count } = this;
    return count === 0 ? null : { code: "TITLE_LINES", count, text: this.texts.join(" / ") };
  }
}

/** What stands in a row, in one line. */
export function rowText({ cells }: FileRow): string {
  return cells
    .map(({ text }) => text)
    .filter((text) => text !== "")
    .join(" · ")
    .slice(0, MAX_TITLE_LENGTH)
    .toWellFormed();
}

/**
 * The place of the headings among the first rows: the row that names the column of numbers, else the row above the first one with a number.
 * A file whose first row has a number has no titles. Where nothing tells, it is the first row.
 */
function headingPlace(first: readonly FileRow[], { column, ...numbers }: HeadOptions): number {
  const number = first.find((row) => placesOfNumbers(row, numbers).length > 0 && !isAddress(row)) ?? null;
  const above = number === null ? first : first.slice(0, first.indexOf(number));
  const named = namingPlace(above, number && placesOfNumbers(number, numbers), column);
  return named ?? (number === null ? 0 : textPlace(above, number));
}

/** The row that names the column in which the numbers stand. Where there is none yet, titles are narrower than it. */
function namingPlace(
  above: readonly FileRow[],
  numbers: readonly number[] | null,
  wanted: string | number | null,
): number | null {
  const naming = (name: string | number | null): number | null => {
    const isNaming = (row: FileRow, place: number): boolean => {
      const named = row.cells.flatMap(({ text }, at) => (namesNumber(text, name) ? [at] : []));
      if (numbers !== null) return named.some((at) => numbers.includes(at));
      return named.length > 0 && above.slice(0, place).every((title) => width(title) < width(row));
    };
    const place = above.findIndex(isNaming);
    if (place >= 0) return place;
    // The first row has always been the headings where it has such a name.
    return above[0]?.cells.some(({ text }) => namesNumber(text, name)) ? 0 : null;
  };
  const place = typeof wanted === "string" ? naming(wanted) : null;
  return place ?? naming(null);
}

/**
 * The row of texts above the first number: of several that are as wide, the first, since rows below it are bad rows and no titles. Titles
 * alone above rows of several cells are no headings: then the first number's row is.
 */
function textPlace(above: readonly FileRow[], number: FileRow): number {
  const widths = above.map((row) => (isOfTexts(row) ? width(row) : 0));
  const widest = Math.max(0, ...widths);
  if (widest === 0) return 0;
  if (widest > 1) return widths.indexOf(widest);
  if (width(number) === 1) return widths.lastIndexOf(1);
  return widths.every((one) => one === 1) ? above.length : 0;
}

/** A title such as "Tél. | 25301122". */
function isAddress({ cells }: FileRow): boolean {
  return cells.some(({ text }) => namesNumber(text, null));
}

function isOfTexts({ cells }: FileRow): boolean {
  return cells.every(({ text }) => !VALUE.test(text));
}

/** How many cells have something in them. */
function width({ cells }: FileRow): number {
  return cells.filter(({ text, fault }) => text !== "" || fault !== undefined).length;
}

function placesOfNumbers({ cells }: FileRow, numbers: NumberTest): number[] {
  return cells.flatMap((cell, place) => {
    const written = numberOf(cell, numbers);
    return LIKE_A_NUMBER.test(written) && numbers.isNumber(written) ? [place] : [];
  });
}
