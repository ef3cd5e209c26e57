/**
 * Writes and reads lines of separated values (RFC 4180); the one writer of such files, which a spreadsheet opens without running
 * anything. Whichever of comma, semicolon and tab the spreadsheet separates by, no cell of it begins with a formula: quotes
 * protect a cell only where its own separator is used, so that inside a text an apostrophe stands before what would begin one.
 */

/** What a spreadsheet begins a formula with, in wide characters too (OWASP, CSV injection). */
const FORMULA = "=+-@\uff1d\uff0b\uff0d\uff20";
const BEGINS_FORMULA = /^(?:[\t\r\n]|\s{0,64}[=+\-@\uff1d\uff0b\uff0d\uff20])/;
/** What may come before a cell where another separator is used; with apostrophes, so that one more can be told from them. */
const BEFORE_CELL = { ",": /[;\t\r\n][\s"]*'*/g, ";": /[,\t\r\n][\s"]*'*/g } as const;
const BEFORE_ANY_CELL = /[,;\t\r\n][\s"]*'*/g;

type Separator = keyof typeof BEFORE_CELL;

/** One value of a line for programs, separated by commas. */
export function toCsvField(value: unknown): string {
  return fieldOf(value, ",");
}

function fieldOf(value: unknown, separator: Separator): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const safe = guarded(typeof value === "string" ? value : JSON.stringify(value), separator);
  const isQuoted = safe.includes(separator) || /["\r\n]/.test(safe);
  return isQuoted ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function guarded(text: string, separator: Separator): string {
  const inside = text.replace(BEFORE_CELL[separator], (before, at: number) =>
    beginsFormula(text, at + before.length) ? `${before}'` : before,
  );
  return BEGINS_FORMULA.test(inside) ? `'${inside}` : inside;
}

/** A text of a file that was written here, without the apostrophes that were inserted. */
export function unguardFormula(text: string): string {
  return text.replace(BEFORE_ANY_CELL, (before, at: number) =>
    before.endsWith("'") && beginsFormula(text, at + before.length) ? before.slice(0, -1) : before,
  );
}

function beginsFormula(text: string, at: number): boolean {
  return at < text.length && FORMULA.includes(text[at] ?? "");
}

/** At the beginning of a file it makes spreadsheets read the accents. */
const BYTE_ORDER_MARK = "\ufeff";
/** What a spreadsheet takes for a quantity, dropping zeros or shortening it: a phone number, most often. */
const EATEN = /^(?:0\d+|\d{12,})$/;

/** The language of a spreadsheet opened by a double click: in French semicolons separate values, for the comma is in numbers. */
type SheetLanguage = "fr" | "en";

/** The first lines of such a file. */
export function renderSheetHead(language: SheetLanguage, rows: readonly (readonly unknown[])[]): string {
  return BYTE_ORDER_MARK + renderSheetLines(language, rows);
}

/** More lines of it. Digits that a spreadsheet would change get an apostrophe, which marks a text; French fractions a comma. */
export function renderSheetLines(language: SheetLanguage, rows: readonly (readonly unknown[])[]): string {
  const separator = language === "fr" ? ";" : ",";
  const field = (value: unknown) => {
    if (typeof value === "string" && EATEN.test(value)) return `'${value}`;
    return typeof value === "number" && language === "fr"
      ? String(value).replace(".", ",")
      : fieldOf(value, separator);
  };
  return rows.map((row) => `${row.map(field).join(separator)}\r\n`).join("");
}

/** One row of a file: the line it begins on, from 1, and its cells as they are meant, without quotes. */
export type CsvRow = { readonly line: number; readonly cells: readonly string[] };

/** A quote opens a cell and nothing closes it, so that nobody can tell where its row ends. `line`: where it opens, from 1. */
export class UnclosedQuote extends Error {
  override name = "UnclosedQuote";
  constructor(readonly line: number) {
    super(`the quote that opens in line ${line} is not closed`);
  }
}

type Cell = { readonly content: string; readonly end: number };

/** In the order in which they are preferred where a file could be split by either: commas and semicolons occur in texts too. */
const SEPARATORS = ["\t", ";", ","];
/** How spreadsheets name the separator of a file to each other, before its first row. */
const SEPARATOR_LINE = /^"?sep=([,;|\t])"?(?:\r\n|\r|\n|$)/i;
/** Cells of a row that are read: no real file has more columns, and one more tells that there are. */
const MAX_CELLS = 1001;
/** Blank lines after which others get their turn. */
const BLANK_LINES = 1000;

/**
 * Reads comma-separated values (RFC 4180) one row at a time: quoted cells may hold separators, line ends and doubled quotes. The
 * separator is the one that a first line `sep=;` names, which is no row, else the one of tab, semicolon and comma that splits the
 * first rows into as many cells as the first of them. Blank lines are skipped; a quote inside a cell, or one that is closed
 * before the end of its cell, is text like any other. Of a row with more cells than `MAX_CELLS` the last one that is read is the
 * first of the others that is not empty. Every thousandth blank line is a row without cells, for callers that give others their
 * turn between rows.
 * @throws UnclosedQuote
 */
export function* csvRows(text: string): Generator<CsvRow> {
  const named = SEPARATOR_LINE.exec(text);
  const [head, separator = separatorOf(text)] = named ?? [""];
  const cellAt = cellReader(text, separator);
  let line = head === "" ? 1 : 2;
  let at = head.length;
  let blank = 0;
  while (at < text.length) {
    const beginsOn = line;
    const cells: string[] = [];
    for (;;) {
      const { content, end } = cellAt(at, line);
      cells.push(content.trim());
      if (end > at) line += lineEnds(text.slice(at, end));
      at = end;
      if (text[at] !== separator) break;
      at += 1;
      if (cells.length < MAX_CELLS) continue;
      const rest = restOfRow(text, at, separator, line);
      line += lineEnds(text.slice(at, rest.end));
      at = rest.end;
      if (cells.at(-1) === "") cells.splice(-1, 1, rest.first);
      break;
    }
    if (text.startsWith("\r\n", at)) at += 1;
    at += 1;
    line += 1;
    if (cells.some((content) => content !== "")) yield { line: beginsOn, cells };
    else if (++blank % BLANK_LINES === 0) yield { line: beginsOn, cells: [] };
  }
}

/** The end of a row that has more cells than are read, and the first of the others that is not empty. */
function restOfRow(
  text: string,
  from: number,
  separator: string,
  line: number,
): { readonly end: number; readonly first: string } {
  let first = "";
  let isBeginning = true;
  let at = from;
  for (; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === "\n" || sign === "\r") break;
    if (sign === '"' && isBeginning) {
      const close = closingQuote(text, at);
      if (close === null) throw new UnclosedQuote(line);
      first ||= text.slice(at + 1, Math.min(close, at + FEW)).trim();
      at = close;
    } else if (first === "" && sign !== separator && sign !== " ") first = sign ?? "";
    isBeginning = sign === separator;
  }
  return { end: at, first };
}

/** Characters shown of a cell that is not read. */
const FEW = 40;

/** Reads the cell that begins at an offset, on a line. */
function cellReader(text: string, separator: string): (at: number, line: number) => Cell {
  const plain = new RegExp(`[^${separator}\\r\\n]*`, "y");
  const afterQuote = new RegExp(`" *(?=[${separator}\\r\\n]|$)`, "y");
  return (at, line) => {
    plain.lastIndex = at;
    const [unquoted = ""] = plain.exec(text) ?? [];
    const asText = { content: unquoted, end: at + unquoted.length };
    if (text[at] !== '"') return asText;
    const close = closingQuote(text, at);
    if (close === null) throw new UnclosedQuote(line);
    afterQuote.lastIndex = close;
    if (afterQuote.test(text)) {
      return { content: text.slice(at + 1, close).replaceAll('""', '"'), end: afterQuote.lastIndex };
    }
    if (close > asText.end) throw new UnclosedQuote(line);
    return asText;
  };
}

/** The quote that closes the one at `at`: the next that is not doubled. */
function closingQuote(text: string, at: number): number | null {
  for (let from = at + 1; ; ) {
    const close = text.indexOf('"', from);
    if (close < 0) return null;
    if (text[close + 1] !== '"') return close;
    from = close + 2;
  }
}

/** Characters searched for the separator. */
const SAMPLE = 65_536;
const SAMPLE_ROWS = 100;

/**
 * The separator that splits most of the first rows into as many cells as the first, outside of quotes. Where none does, as above
 * a table that has a title, the one that splits most of them into as many cells as each other; a comma where there is none.
 */
function separatorOf(text: string): string {
  const rows = countsOf(text);
  const [head = []] = rows;
  const best = bestSeparator((place) => alike(rows, place, head[place] ?? 0));
  if (best.alike * 2 > rows.length) return best.separator;
  const usual = bestSeparator((place) =>
    Math.max(0, ...new Set(rows.map((counts) => alike(rows, place, counts[place] ?? 0)))),
  );
  return usual.alike > Math.max(1, best.alike) ? usual.separator : best.separator;
}

function bestSeparator(alikeAt: (place: number) => number) {
  let best = { separator: ",", alike: 0 };
  for (const [place, separator] of SEPARATORS.entries()) {
    const count = alikeAt(place);
    if (count > best.alike) best = { separator, alike: count };
  }
  return best;
}

/** How many rows have a separator so often; none of them where that is never. */
function alike(rows: readonly (readonly number[])[], place: number, cells: number): number {
  return cells === 0 ? 0 : rows.filter((counts) => counts[place] === cells).length;
}

/**
 * How often each separator occurs in each of the first rows that are not blank. One that goes on beyond the sample counts if it
 * is the first.
 */
function countsOf(text: string): readonly (readonly number[])[] {
  const rows: number[][] = [];
  let counts = SEPARATORS.map(() => 0);
  let isBlank = true;
  let isBeginning = true;
  const end = Math.min(text.length, SAMPLE);
  for (let at = 0; at < end && rows.length < SAMPLE_ROWS; at += 1) {
    const sign = text[at] ?? "";
    if (sign === "\n" || sign === "\r") {
      if (!isBlank) rows.push(counts);
      counts = SEPARATORS.map(() => 0);
      [isBlank, isBeginning] = [true, true];
      continue;
    }
    const place = SEPARATORS.indexOf(sign);
    if (place >= 0) counts[place] = (counts[place] ?? 0) + 1;
    else if (sign !== " ") isBlank = false;
    if (sign === '"' && isBeginning) at = closingQuote(text, at) ?? at;
    isBeginning = place >= 0;
  }
  return !isBlank && (rows.length === 0 || end === text.length) ? [...rows, counts] : rows;
}

function lineEnds(text: string): number {
  return text.includes("\n") || text.includes("\r") ? (text.match(/\r\n|\r|\n/g)?.length ?? 0) : 0;
}
