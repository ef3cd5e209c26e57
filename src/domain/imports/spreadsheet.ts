/**
 * Recipients out of files that people have: CSV as spreadsheets write it, and workbooks (docs/administration.md#sending-a-file).
 *
 * Bytes in, recipients out, and every row that is none with its line and its cause. Nothing here reads a disk, speaks a protocol
 * or knows whose recipients they are. It goes through all of a file at once: a server has a thread do it.
 */
import { inflateRawSync } from "node:zlib";
import { csvRows, UnclosedQuote } from "../../core/csv.ts";
import { decodeText } from "../../core/decode-text.ts";
import { parseDecimal, parseWhole } from "../../core/parse-number.ts";
import { PhrasedError } from "../../core/phrased-error.ts";
import { accepted, type Outcome, refuse } from "../../core/refusals.ts";
import { phrase } from "../../i18n/phrase.ts";
import { type FileHead, type HeadOptions, readHead, type TitleLines } from "./headings.ts";
import { generalText, type NumberFormat, numberFormat } from "./number-format.ts";
import { parsedRows } from "./parsed-file.ts";
import {
  bounded,
  type Cell,
  type Columns,
  type FileRecipient,
  type FileRow,
  MAX_COLUMNS,
  MAX_UNREADABLE_KEPT,
  type Origin,
  readColumns,
  readOrigin,
  readRow,
  type UnreadableRow,
} from "./row-reader.ts";

/** docs/public-api.md section 8. */
export const MAX_RECIPIENTS = 100_000;

/** A row that is no recipient, and why; of the first `MAX_UNREADABLE_KEPT` with what stands in it. */
export type BadRow = FileRow & UnreadableRow;

/** A column whose format was not followed for some: how many, and the first of them as it is sent. */
export type UnfollowedFormat = {
  readonly column: string;
  readonly rows: number;
  readonly line: number;
  readonly sent_as: string;
  readonly format: string;
};

export type RecipientsRead = {
  readonly columns: Columns;
  /** All of them; where only some were to be kept, those come first. */
  readonly recipients: readonly FileRecipient[];
  /** How many there are, kept or not. */
  readonly count: number;
  /** The line of each that is kept. */
  readonly lines: readonly number[];
  readonly bad: readonly BadRow[];
  /** Columns with numbers that are not sent as the workbook shows them, by their names. */
  readonly formats: readonly UnfollowedFormat[];
  /** By their lines, which rows of an earlier file those are that have an id. */
  readonly origins: ReadonlyMap<number, Origin>;
  /** Lines above the headings; null where there are none. */
  readonly titles: TitleLines | null;
};

/** `column`: what the column of the numbers is called, or its place from 0; null: it is found by its name. */
export type ReadOptions = HeadOptions & FileForm;

/** What the bytes of a file are. */
type FileForm = {
  /** How much a workbook may unpack to; 128 MiB unless given. */
  readonly mostUnpackedBytes?: number;
  /** Whether they are the rows of a file that was parsed before. */
  readonly isParsed?: boolean;
  /** What the sheet of a workbook is called, or its place from 0 among those that are shown; null: the first of them. */
  readonly sheet?: string | number | null;
};

/** Reads a file; refused where no row of it could be read, or it has more than 100,000. */
export function readRecipients(
  bytes: Uint8Array,
  options: ReadOptions,
): Outcome<RecipientsRead, "INVALID_FILE"> {
  return withRows(bytes, options, (rows) => readRows(rows, options));
}

/** Does something with the rows of a file; refused where they cannot be read. */
export function withRows<Value>(
  bytes: Uint8Array,
  { mostUnpackedBytes, isParsed = false, sheet = null }: FileForm,
  work: (rows: Iterable<FileRow>) => Outcome<Value, "INVALID_FILE">,
): Outcome<Value, "INVALID_FILE"> {
  try {
    if (isParsed) return work(parsedRows(bytes, typeof sheet === "number" ? sheet : 0));
    const rows = rowsOf(bytes, sheet, mostUnpackedBytes);
    return rows.ok ? work(rows.value) : rows;
  } catch (error) {
    if (error instanceof UnclosedQuote) return refuse("INVALID_FILE.quote_open", { line: error.line });
    if (!(error instanceof ZipError)) throw error;
    return refuse("INVALID_FILE.workbook", { why: error.reason });
  }
}

export const NO_RECIPIENTS = refuse("INVALID_FILE.no_recipients");

/** The same of its rows, one after the other. */
function readRows(rows: Iterable<FileRow>, options: ReadOptions): Outcome<RecipientsRead, "INVALID_FILE"> {
  const head = readHead(rows, options);
  if (!head.ok) return head;
  if (head.value === null) return NO_RECIPIENTS;
  const columns = readColumns(head.value.row, options.column, head.value.isChosen);
  return columns.ok ? readBody(head.value, columns.value, options) : columns;
}

/** Reads what follows the headings; keeps the first `most` recipients, and counts the others. */
export function readBody(
  head: FileHead,
  columns: Columns,
  options: ReadOptions,
  most = MAX_RECIPIENTS,
): Outcome<RecipientsRead, "INVALID_FILE"> {
  const recipients: FileRecipient[] = [];
  let count = 0;
  const lines: number[] = [];
  const bad: BadRow[] = [];
  const origins = new Map<number, Origin>();
  const formats = new Map<string, UnfollowedFormat>();
  for (const row of bodyRows(head, columns)) {
    if (count + bad.length >= MAX_RECIPIENTS) {
      return refuse("INVALID_FILE.recipients", { most: MAX_RECIPIENTS });
    }
    const read = readRow(row, columns, options);
    const origin = readOrigin(row, columns);
    if (origin !== null) origins.set(row.line, origin);
    // What stands in rows that nobody keeps would fill the memory.
    const cells = bad.length < MAX_UNREADABLE_KEPT ? row.cells : NO_CELLS;
    if ("cause" in read) {
      bad.push({ line: row.line, cells, ...read });
      continue;
    }
    count += 1;
    if (count > most) continue;
    noteFormats(formats, row, columns);
    recipients.push(read);
    lines.push(row.line);
  }
  if (count + bad.length === 0) return NO_RECIPIENTS;
  const { titles } = head;
  return accepted({
    columns,
    recipients,
    count,
    lines,
    bad,
    origins,
    formats: [...formats.values()],
    titles,
  });
}

/** The rows that may be recipients. */
export function* bodyRows({ row, below }: FileHead, { isHeadless }: Columns): Generator<FileRow> {
  if (isHeadless) yield row;
  yield* below;
}

const NO_CELLS: FileRow["cells"] = [];

/** Notes the formats that were not followed in what a row fills in. Of a phone number the digits count, however they are shown. */
function noteFormats(
  formats: Map<string, UnfollowedFormat>,
  { line, cells }: FileRow,
  columns: Columns,
): void {
  for (const [place, { format, text: sent_as }] of cells.entries()) {
    const column = columns.attributes[place] ?? null;
    if (format === undefined || column === null) continue;
    const known = formats.get(column);
    formats.set(
      column,
      known ? { ...known, rows: known.rows + 1 } : { column, rows: 1, line, sent_as, format },
    );
  }
}

/** Local header of a ZIP archive; what files of old workbooks and of encrypted ones begin with. */
const ZIP = [0x50, 0x4b, 0x03, 0x04];
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0];

/** The rows of a file, recognised by its first bytes and not by its name. */
function rowsOf(
  bytes: Uint8Array,
  sheet: string | number | null,
  mostUnpackedBytes: number | undefined,
): Outcome<Iterable<FileRow>, "INVALID_FILE"> {
  if (begins(bytes, COMPOUND)) return refuse("INVALID_FILE.old");
  if (begins(bytes, ZIP)) return workbookRows(bytes, sheet, mostUnpackedBytes);
  return sheet === null || sheet === 0
    ? accepted(textRows(decodeText(bytes)))
    : refuse("INVALID_FILE.no_sheets", { sheet: String(sheet) });
}

function* textRows(text: string): Generator<FileRow> {
  for (const { line, cells } of csvRows(text))
    if (cells.length > 0) yield { line, cells: cells.map(bounded) };
}

function begins(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, at) => bytes[at] === byte);
}

// The rows of a sheet of a workbook (ECMA-376 part 1, SpreadsheetML).

/** 100,000 rows of twenty cells fit. */
const MAX_UNPACKED_BYTES = 128 * 1024 * 1024;

/** What the sheets of a workbook that are shown are called; of any other file none. */
export function sheetNames(
  bytes: Uint8Array,
  { mostUnpackedBytes = MAX_UNPACKED_BYTES }: Pick<FileForm, "mostUnpackedBytes"> = {},
): readonly string[] {
  if (!begins(bytes, ZIP)) return [];
  try {
    return shownSheets(memberReader(bytes, mostUnpackedBytes)(BOOK)).map(({ name }) => name);
  } catch (error) {
    if (error instanceof ZipError) return [];
    throw error;
  }
}

/**
 * Goes through the rows. Numbers are as their format shows them, as far as it is followed (number-format.ts); dates are day/month/year.
 * @throws ZipError where it is no workbook, or a broken one, or too large.
 */
function workbookRows(
  bytes: Uint8Array,
  wanted: string | number | null,
  mostUnpackedBytes = MAX_UNPACKED_BYTES,
): Outcome<Iterable<FileRow>, "INVALID_FILE"> {
  const read = memberReader(bytes, mostUnpackedBytes);
  const book = read(BOOK);
  if (book === "") throw new ZipError(phrase("fault.workbook.none"));
  const sheets = shownSheets(book);
  const place = wanted === null ? 0 : sheetPlace(sheets, wanted);
  if (place === null) return unknownSheet(sheets, String(wanted));
  const shared = texts(read("xl/sharedStrings.xml"), "si");
  const formatOf = cellFormats(read("xl/styles.xml"));
  const from1904 = countsFrom1904(book);
  return accepted(sheetRows(read(sheetMember(sheets[place], read)), { shared, formatOf, from1904 }));
}

const BOOK = "xl/workbook.xml";

function memberReader(bytes: Uint8Array, mostUnpackedBytes: number): (name: string) => string {
  const member = openZip(bytes, mostUnpackedBytes);
  return (name) => {
    const unpacked = member(name);
    return unpacked === null ? "" : new TextDecoder().decode(unpacked);
  };
}

type Sheet = { readonly name: string; readonly relation: string | null };

/** Where a sheet stands among those that are shown: by its name, else by its number from 1 as people count; a number by itself is a place. */
function sheetPlace(sheets: readonly Sheet[], wanted: string | number): number | null {
  if (typeof wanted === "number") return wanted < Math.max(1, sheets.length) ? wanted : null;
  const called = (isIt: (name: string) => boolean) => sheets.findIndex(({ name }) => isIt(name));
  const exact = called((name) => name === wanted);
  const near =
    exact >= 0 ? exact : called((name) => name.trim().toLowerCase() === wanted.trim().toLowerCase());
  if (near >= 0) return near;
  const count = parseWhole(wanted, sheets.length);
  return count === null || count === 0 ? null : count - 1;
}

const MAX_SHEETS_NAMED = 20;

function unknownSheet(sheets: readonly Sheet[], wanted: string) {
  const names = sheets.slice(0, MAX_SHEETS_NAMED).map(({ name }) => JSON.stringify(name));
  return refuse("INVALID_FILE.sheet_unknown", { sheet: wanted.slice(0, 40), sheets: names.join(", ") });
}

/** The name of the member of the archive that holds a sheet. */
function sheetMember(sheet: Sheet | undefined, read: (name: string) => string): string {
  if (sheet?.relation == null) return FIRST;
  for (const { name, isEnd, attributes } of iterateTags(read("xl/_rels/workbook.xml.rels"))) {
    if (name !== "Relationship" || isEnd || readAttribute(attributes, "Id") !== sheet.relation) continue;
    const target = readAttribute(attributes, "Target") ?? "";
    return target.startsWith("/") ? target.slice(1) : `xl/${target}`;
  }
  return FIRST;
}

const FIRST = "xl/worksheets/sheet1.xml";
const RELATION = /\s\w{1,64}:id="([^"]*)"/;

/** A workbook with more has its first ones. */
const MAX_SHEETS = 200;
/** Excel allows 31 characters. */
const MAX_SHEET_NAME = 100;

/** The sheets that are not hidden. */
function shownSheets(book: string): readonly Sheet[] {
  const sheets: Sheet[] = [];
  for (const { name, isEnd, attributes } of iterateTags(book)) {
    if (name !== "sheet" || isEnd) continue;
    if (/^(?:hidden|veryHidden)$/.test(readAttribute(attributes, "state") ?? "")) continue;
    const called = (readAttribute(attributes, "name") ?? "").slice(0, MAX_SHEET_NAME);
    sheets.push({ name: called.toWellFormed(), relation: RELATION.exec(attributes)?.[1] ?? null });
    if (sheets.length === MAX_SHEETS) break;
  }
  return sheets;
}

function countsFrom1904(book: string): boolean {
  for (const { name, attributes } of iterateTags(book)) {
    if (name === "workbookPr") return /^(?:1|true)$/.test(readAttribute(attributes, "date1904") ?? "");
  }
  return false;
}

type SheetContext = {
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
function* sheetRows(xml: string, context: SheetContext): Generator<FileRow> {
  let [line, column] = [0, 0];
  let cells: Cell[] = [];
  let attributes = "";
  let value = "";
  let isSound = false;
  for (const tag of iterateTags(xml)) {
    if (tag.name === "row" && !tag.isEnd) {
      line = parseWhole(readAttribute(tag.attributes, "r"), MAX_ROWS) ?? line + 1;
      [cells, column] = [[], 0];
    } else if (tag.name === "row") {
      if (cells.length > 0) yield { line, cells };
    } else if (tag.name === "c" && !tag.isEnd) {
      attributes = tag.attributes;
      value = "";
      column = columnOf(readAttribute(attributes, "r")) ?? column;
      if (tag.isEmpty) column += 1;
    } else if (tag.name === "c") {
      const cell = cellOf(attributes, value, context);
      // What stands beyond the last column that may be shows as one column more.
      const place = Math.min(column, MAX_COLUMNS);
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
  switch (readAttribute(attributes, "t") ?? "n") {
    case "s": {
      const place = parseWhole(text);
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

/** A cell whose content is not what its type may hold. */
function unread(text: string): Cell {
  return { text: "", fault: { code: "CELL_DAMAGED", params: { written: text.slice(0, 20) } } };
}

/** As a person sees it, as far as its format is followed. */
function numberCell(text: string, attributes: string, { formatOf, from1904 }: SheetContext): Cell {
  const number = parseDecimal(text);
  if (number === null) return unread(text);
  const { code, show } = formatOf(parseWhole(readAttribute(attributes, "s")) ?? 0);
  const shown = show(number, from1904);
  const kept = generalText(number);
  return {
    text: shown.text,
    ...(shown.text === kept ? {} : { kept }),
    ...(shown.isFollowed ? {} : { format: code }),
  };
}

/** Formats that every workbook knows by number (ECMA-376 part 1, 18.8.30). */
const KNOWN: ReadonlyMap<number, string> = new Map([
  [0, "General"],
  [1, "0"],
  [2, "0.00"],
  [3, "#,##0"],
  [4, "#,##0.00"],
  [9, "0%"],
  [10, "0.00%"],
  [11, "0.00E+00"],
  [12, "# ?/?"],
  [13, "# ??/??"],
  [14, "mm-dd-yy"],
  [15, "d-mmm-yy"],
  [16, "d-mmm"],
  [17, "mmm-yy"],
  [18, "h:mm AM/PM"],
  [19, "h:mm:ss AM/PM"],
  [20, "h:mm"],
  [21, "h:mm:ss"],
  [22, "m/d/yy h:mm"],
  [37, "#,##0 ;(#,##0)"],
  [38, "#,##0 ;[Red](#,##0)"],
  [39, "#,##0.00;(#,##0.00)"],
  [40, "#,##0.00;[Red](#,##0.00)"],
  [45, "mm:ss"],
  [46, "[h]:mm:ss"],
  [47, "mmss.0"],
  [48, "##0.0E+0"],
  [49, "@"],
]);
const GENERAL = 0;
/** A workbook has fewer (Excel specifications and limits). */
const MAX_STYLES = 65_536;

/** The format of each style of cells: what a cell names is a place in `cellXfs`. */
function cellFormats(xml: string): (style: number) => NumberFormat {
  const codes = new Map<number, string | null>(KNOWN);
  const styles: number[] = [];
  let isCellStyle = false;
  for (const { name, isEnd, attributes } of iterateTags(xml)) {
    if (name === "numFmt" && !isEnd) {
      const id = parseWhole(readAttribute(attributes, "numFmtId"));
      if (id !== null) codes.set(id, readAttribute(attributes, "formatCode"));
    } else if (name === "cellXfs") isCellStyle = !isEnd;
    else if (name === "xf" && !isEnd && isCellStyle) {
      if (styles.length < MAX_STYLES)
        styles.push(parseWhole(readAttribute(attributes, "numFmtId")) ?? GENERAL);
    }
  }
  const formats = new Map<number, NumberFormat>();
  return (style) => {
    const id = styles[style] ?? GENERAL;
    const known = formats.get(id);
    if (known) return known;
    // A number that names no format, or one of another language's calendar, is shown as it is.
    const format = numberFormat(codes.get(id) === undefined ? "General" : (codes.get(id) ?? null));
    formats.set(id, format);
    return format;
  };
}

// What stands in a ZIP archive (PKWARE APPNOTE 4.3), as far as workbooks are written: stored or deflated, of one part, not encrypted.

/** A member of an archive by its name, unpacked; null where there is none. @throws ZipError */
type ZipReader = (name: string) => Uint8Array | null;

/** The archive is broken, or unpacks to more than it may. */
class ZipError extends PhrasedError {
  override name = "ZipError";
}

type Member = { readonly method: number; readonly packed: number; readonly at: number };

const END_MARK = 0x06054b50;
const MEMBER_MARK = 0x02014b50;
const LOCAL_MARK = 0x04034b50;
const END_BYTES = 22;
const MAX_COMMENT_LENGTH = 0xffff;
const MEMBER_BYTES = 46;
const LOCAL_BYTES = 30;
/** A workbook has a few dozen. */
const MAX_MEMBERS = 10_000;
const STORED = 0;
const DEFLATED = 8;

/**
 * Opens an archive. All that is read of it together unpacks to `mostBytes` at most, counted as it unpacks: what an archive says of
 * its own sizes is not believed.
 * @throws ZipError
 */
function openZip(bytes: Uint8Array, mostBytes: number): ZipReader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const members = within(() => membersOf(bytes, view));
  let left = mostBytes;
  return (name) => {
    const member = members.get(name);
    if (!member) return null;
    const unpacked = within(() => unpack(bytes, view, member, left));
    left -= unpacked.byteLength;
    return unpacked;
  };
}

function membersOf(bytes: Uint8Array, view: DataView): Map<string, Member> {
  const end = endOf(view);
  const count = view.getUint16(end + 10, true);
  if (count > MAX_MEMBERS) throw new ZipError(phrase("fault.workbook.members", { most: MAX_MEMBERS }));
  const members = new Map<string, Member>();
  let at = view.getUint32(end + 16, true);
  for (let n = 0; n < count; n += 1) {
    if (view.getUint32(at, true) !== MEMBER_MARK) throw new ZipError(phrase("fault.workbook.directory"));
    const isEncrypted = (view.getUint16(at + 8, true) & 1) === 1;
    if (isEncrypted) throw new ZipError(phrase("fault.workbook.encrypted"));
    const nameBytes = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + MEMBER_BYTES, at + MEMBER_BYTES + nameBytes));
    members.set(name, {
      method: view.getUint16(at + 10, true),
      packed: view.getUint32(at + 20, true),
      at: view.getUint32(at + 42, true),
    });
    at += MEMBER_BYTES + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return members;
}

/** Where the end of the directory stands: last in the archive, but for a comment. */
function endOf(view: DataView): number {
  const last = view.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT_LENGTH); at -= 1) {
    if (view.getUint32(at, true) === END_MARK) return at;
  }
  throw new ZipError(phrase("fault.workbook.cut"));
}

function unpack(
  bytes: Uint8Array,
  view: DataView,
  { method, packed, at }: Member,
  mostBytes: number,
): Uint8Array {
  if (view.getUint32(at, true) !== LOCAL_MARK) throw new ZipError(phrase("fault.workbook.member"));
  const begin = at + LOCAL_BYTES + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
  const data = bytes.subarray(begin, begin + packed);
  if (data.byteLength < packed) throw new ZipError(phrase("fault.workbook.cut"));
  if (method === STORED) {
    if (packed > mostBytes) throw new ZipError(TOO_LARGE);
    return data;
  }
  if (method !== DEFLATED) throw new ZipError(phrase("fault.workbook.packed"));
  return inflated(data, mostBytes);
}

const TOO_LARGE = phrase("fault.workbook.large");

function inflated(data: Uint8Array, mostBytes: number): Uint8Array {
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, mostBytes) });
  } catch (error) {
    const isTooLarge = error instanceof RangeError || codeOf(error) === "ERR_BUFFER_TOO_LARGE";
    throw new ZipError(isTooLarge ? TOO_LARGE : phrase("fault.workbook.member"));
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : null;
}

/** A place outside of the archive is a fault of the archive. */
function within<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw new ZipError(phrase("fault.workbook.broken"));
    throw error;
  }
}

// The little of XML that is read of a workbook, which programs write. Nothing here looks anything up elsewhere. Whatever a file holds,
// each character is looked at a fixed number of times.

const NAMED: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);
const LAST_CODE_POINT = 0x10ffff;
const REFERENCE = /&(?:#x([\da-f]{1,8})|#(\d{1,8})|([a-z]{2,4}));/gi;

/** Text without its references, and without the `_x000D_` that a workbook writes for what XML cannot hold. */
export function plain(text: string): string {
  const referred = text.includes("&")
    ? text.replaceAll(REFERENCE, (whole, hex?: string, decimal?: string, name = "") => {
        if (hex !== undefined) return character(Number.parseInt(hex, 16), whole);
        if (decimal !== undefined) return character(Number.parseInt(decimal, 10), whole);
        return NAMED.get(name) ?? whole;
      })
    : text;
  return referred.includes("_x")
    ? referred.replaceAll(/_x([\da-f]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : referred;
}

function character(code: number, otherwise: string): string {
  return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : otherwise;
}

/**
 * Characters of a tag's attributes that are looked at, and of the value of one. Programs write some hundred; a format has 255 at most
 * (Excel specifications and limits).
 */
const MAX_ATTRIBUTES = 8192;
const MAX_VALUE = 2048;
const ATTRIBUTE = /\s*([\w.:-]{1,128})\s*=\s*(?:"([^"]*)"|'([^']*)')/y;

/** The value of an attribute among those of a tag; null where it has none, or a longer one than programs write. */
export function readAttribute(attributes: string, name: string): string | null {
  const looked = attributes.slice(0, MAX_ATTRIBUTES);
  ATTRIBUTE.lastIndex = 0;
  for (let found = ATTRIBUTE.exec(looked); found !== null; found = ATTRIBUTE.exec(looked)) {
    const [, key, quoted, single] = found;
    if (key !== name) continue;
    const value = quoted ?? single ?? "";
    return value.length > MAX_VALUE ? null : plain(value);
  }
  return null;
}

/** What stands between the signs of a tag: `/` where it ends something, a prefix, its name, the rest. */
const INSIDE = /^(\/?)(?:[\w.-]{1,64}:)?([\w.-]{1,64})(?![\w.:-])(.*)$/s;

type Tag = {
  readonly isEnd: boolean;
  /** Begins and ends at once. */
  readonly isEmpty: boolean;
  /** Without its prefix. */
  readonly name: string;
  readonly attributes: string;
  readonly text: string;
};

/** Goes through the tags; declarations are passed over. */
export function* iterateTags(xml: string): Generator<Tag> {
  for (let at = xml.indexOf("<"); at !== -1; ) {
    const end = xml.indexOf(">", at);
    if (end === -1) return;
    const next = xml.indexOf("<", end);
    // One that is never closed before the next begins is no tag.
    const begin = xml.lastIndexOf("<", end);
    const found = INSIDE.exec(xml.slice(begin + 1, end));
    if (found !== null) {
      const [, slash, name = "", attributes = ""] = found;
      const text = xml.slice(end + 1, next === -1 ? undefined : next);
      yield { isEnd: slash === "/", isEmpty: attributes.endsWith("/"), name, attributes, text };
    }
    at = next;
  }
}

/** What stands in each `element` of a text, read together from its runs; how it is pronounced is passed over. */
function texts(xml: string, element: string): string[] {
  const found: string[] = [];
  let text = "";
  let isSound = false;
  for (const tag of iterateTags(xml)) {
    if (tag.name === "rPh") isSound = !tag.isEnd && !tag.isEmpty;
    else if (tag.name === "t" && !tag.isEnd && !isSound) text += tag.text;
    else if (tag.name === element && (tag.isEnd || tag.isEmpty)) {
      found.push(plain(text));
      text = "";
    }
  }
  return found;
}
