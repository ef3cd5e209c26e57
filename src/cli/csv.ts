import type { CsvLine, CsvShape } from "../admin/command.ts";
import { toCsvField } from "../core/csv-line.ts";
import { isRow, isTable, readMember, type Row } from "./show.ts";

/**
 * The rows of an answer, the first list of `shapes` that it holds, as comma-separated values (RFC 4180), under a line of
 * column names and between the shape's own first and last line: a page that is not the first or last leaves them out. A text that a spreadsheet would take for a formula
 * gets an apostrophe before it.
 */
export function toCsv(
  data: unknown,
  shapes: readonly CsvShape[],
  page: { readonly isFirst: boolean; readonly isLast: boolean } = { isFirst: true, isLast: true },
): string {
  if (!isRow(data)) return "";
  const shape = shapes.find(({ rows }) => isTable(data[rows]));
  if (!shape) return "";
  const found = data[shape.rows];
  const rows = isTable(found) ? found : [];
  const { columns, first, last } = shape;
  const own = (line: CsvLine | undefined): string[][] =>
    line ? [columns.map((column) => ownField(line, column, data))] : [];
  const lines = [
    ...(page.isFirst ? [columns, ...own(first)] : []),
    ...rows.map((row) => columns.map((column) => toCsvField(readMember(row, column)))),
    ...(page.isLast ? own(last) : []),
  ];
  return lines.map((line) => `${line.join(",")}\r\n`).join("");
}

function ownField({ texts, members }: CsvLine, column: string, data: Row): string {
  const member = members[column];
  return toCsvField(texts[column] ?? (member === undefined ? null : readMember(data, member)));
}
