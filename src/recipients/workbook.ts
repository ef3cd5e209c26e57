/** The rows of a workbook's first sheet (ECMA-376 part 1, SpreadsheetML). */
import type { FileRow } from "./file-row.ts";
import { sheetRows } from "./sheet-rows.ts";
import { dateStyles } from "./sheet-styles.ts";
import { attributeOf, texts } from "./xml.ts";
import { openZip, ZipError } from "./zip.ts";

/** 100,000 rows of twenty cells fit. */
const MOST_UNPACKED_BYTES = 128 * 1024 * 1024;

/**
 * Goes through the rows. Numbers are as they are kept, not as they are shown; dates are day/month/year.
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
  if (book === "") throw new ZipError("it is an archive, but no workbook");
  const shared = texts(read("xl/sharedStrings.xml"), "si");
  const isDate = dateStyles(read("xl/styles.xml"));
  const from1904 = /<(?:\w+:)?workbookPr\b[^>]*\bdate1904="(?:1|true)"/.test(book);
  yield* sheetRows(read(firstSheet(book, read)), { shared, isDate, from1904 });
}

/** The name of the first sheet that is shown. */
function firstSheet(book: string, read: (name: string) => string): string {
  const sheets = [...book.matchAll(/<(?:\w+:)?sheet\b([^>]*)>/g)].map(([, attributes = ""]) => attributes);
  const shown = sheets.find((sheet) => !/^(?:hidden|veryHidden)$/.test(attributeOf(sheet, "state") ?? ""));
  const id = /\b\w+:id="([^"]*)"/.exec(shown ?? "")?.[1];
  const relations = read("xl/_rels/workbook.xml.rels").matchAll(/<(?:\w+:)?Relationship\b([^>]*)>/g);
  for (const [, relation = ""] of relations) {
    if (id === undefined || attributeOf(relation, "Id") !== id) continue;
    const target = attributeOf(relation, "Target") ?? "";
    return target.startsWith("/") ? target.slice(1) : `xl/${target}`;
  }
  return "xl/worksheets/sheet1.xml";
}
