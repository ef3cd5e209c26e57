/** The rows of a workbook's first sheet (ECMA-376 part 1, SpreadsheetML). */
import { phrase } from "../../i18n/phrase.ts";
import type { FileRow } from "./file-row.ts";
import { sheetRows } from "./sheet-rows.ts";
import { cellFormats } from "./sheet-styles.ts";
import { attributeOf, tagsOf, texts } from "./xml.ts";
import { openZip, ZipError } from "./zip.ts";

/** 100,000 rows of twenty cells fit. */
const MOST_UNPACKED_BYTES = 128 * 1024 * 1024;

/**
 * Goes through the rows. Numbers are as their format shows them, as far as it is followed (number-format.ts); dates are day/month/year.
 * @throws ZipError where it is no workbook, or a broken one, or too large.
 */
export function* workbookRows(
  bytes: Uint8Array,
  mostUnpackedBytes = MOST_UNPACKED_BYTES,
): Generator<FileRow> {
  const member = openZip(bytes, mostUnpackedBytes);
  const read = (name: string): string => {
    const unpacked = member(name);
    return unpacked === null ? "" : new TextDecoder().decode(unpacked);
  };
  const book = read("xl/workbook.xml");
  if (book === "") throw new ZipError(phrase("fault.workbook.none"));
  const shared = texts(read("xl/sharedStrings.xml"), "si");
  const formatOf = cellFormats(read("xl/styles.xml"));
  const from1904 = countsFrom1904(book);
  yield* sheetRows(read(firstSheet(book, read)), { shared, formatOf, from1904 });
}

/** The name of the first sheet that is shown. */
function firstSheet(book: string, read: (name: string) => string): string {
  const id = RELATION.exec(shownSheet(book))?.[1];
  if (id === undefined) return FIRST;
  for (const { name, isEnd, attributes } of tagsOf(read("xl/_rels/workbook.xml.rels"))) {
    if (name !== "Relationship" || isEnd || attributeOf(attributes, "Id") !== id) continue;
    const target = attributeOf(attributes, "Target") ?? "";
    return target.startsWith("/") ? target.slice(1) : `xl/${target}`;
  }
  return FIRST;
}

const FIRST = "xl/worksheets/sheet1.xml";
const RELATION = /\s\w{1,64}:id="([^"]*)"/;

/** What is said of the first sheet that is not hidden. */
function shownSheet(book: string): string {
  for (const { name, isEnd, attributes } of tagsOf(book)) {
    const isHidden = /^(?:hidden|veryHidden)$/.test(attributeOf(attributes, "state") ?? "");
    if (name === "sheet" && !isEnd && !isHidden) return attributes;
  }
  return "";
}

function countsFrom1904(book: string): boolean {
  for (const { name, attributes } of tagsOf(book)) {
    if (name === "workbookPr") return /^(?:1|true)$/.test(attributeOf(attributes, "date1904") ?? "");
  }
  return false;
}
