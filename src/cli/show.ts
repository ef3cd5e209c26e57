import { alignColumns, foldedAt, widthOf } from "../base/columns.ts";
import type { TableShape } from "../control/command.ts";
import { cellOf, shownCell } from "./cell.ts";
import { type Display, PLAIN } from "./look.ts";
import { type Row, tableLines } from "./table.ts";

export type { Row } from "./table.ts";

/**
 * An answer as a person reads it: values by name, rows as a table, an object inside under its name. `shapes` pick the
 * columns of the tables.
 */
export function showData(
  data: unknown,
  shapes: TableShape | readonly TableShape[] = [],
  look: Display = PLAIN,
): string {
  return `${linesOf(narrowed(data, [shapes].flat()), look).join("\n")}\n`;
}

function narrowed(data: unknown, shapes: readonly TableShape[]): unknown {
  if (!isRow(data)) return data;
  const shaped: Record<string, unknown> = { ...data };
  for (const { rows } of shapes) if (isTable(data[rows])) delete shaped[rows];
  for (const { rows: name, columns, title = name } of shapes) {
    const rows = data[name];
    if (!isTable(rows)) continue;
    const told = columns.filter((column) => rows.some((row) => memberOf(row, column) !== undefined));
    shaped[title] = rows.map((row) =>
      Object.fromEntries(told.map((column) => [column, memberOf(row, column)])),
    );
  }
  return shaped;
}

/** The member of an object that a name leads to; a dot leads into an object inside. */
export function memberOf(row: Row, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => (isRow(value) ? value[name] : undefined), row);
}

/** How far what stands under a name is moved in. */
const INDENT = 2;

function linesOf(data: unknown, look: Display): string[] {
  const { width, say, paint } = look;
  if (!isRow(data)) return [cellOf(data, say)];
  const inner = { ...look, width: width === null ? null : width - INDENT };
  const plain: [label: string, value: string][] = [];
  const blocks: string[] = [];
  for (const [name, value] of Object.entries(data)) {
    const label = `${say.label(name)}${say.colon}`;
    if (isTable(value) && value.length > 0) {
      blocks.push("", paint.head(label), ...indent(tableLines(value, inner)));
    } else if (isRow(value)) {
      blocks.push("", paint.head(label), ...indent(linesOf(value, inner)));
    } else {
      plain.push([label, shownCell(name, value, look)]);
    }
  }
  const lines = [...alignColumns(foldedValues(plain, width)), ...blocks];
  return lines[0] === "" ? lines.slice(1) : lines;
}

/** Values in several lines where one has not room for them; one without a blank stays whole, so that it can be copied. */
function foldedValues(
  rows: readonly (readonly [label: string, value: string])[],
  width: number | null,
): (readonly string[])[] {
  if (width === null) return [...rows];
  const room = Math.max(24, width - Math.max(0, ...rows.map(([label]) => widthOf(label))) - INDENT);
  return rows.flatMap(([label, value]) =>
    value.includes(" ")
      ? foldedAt(value, room).map((line, at) => [at === 0 ? label : "", line])
      : [[label, value]],
  );
}

export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A list of objects; an empty list counts, because what it would hold cannot be seen. */
export function isTable(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.every(isRow);
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => (line === "" ? "" : " ".repeat(INDENT) + line));
}
