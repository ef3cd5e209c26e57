import type { TableShape } from "../admin/command.ts";
import { alignColumns } from "./columns.ts";

export type Row = Readonly<Record<string, unknown>>;

/**
 * An answer as a person reads it: values by name, rows as a table, an object inside under its name. `shapes` pick the
 * columns of the tables.
 */
export function showData(data: unknown, shapes: TableShape | readonly TableShape[] = []): string {
  return `${linesOf(narrowed(data, [shapes].flat())).join("\n")}\n`;
}

function narrowed(data: unknown, shapes: readonly TableShape[]): unknown {
  if (!isRow(data)) return data;
  const shaped: Record<string, unknown> = { ...data };
  for (const { rows } of shapes) if (isTable(data[rows])) delete shaped[rows];
  for (const { rows: name, columns, title = name } of shapes) {
    const rows = data[name];
    const pick = (row: Row) => Object.fromEntries(columns.map((column) => [column, memberOf(row, column)]));
    if (isTable(rows)) shaped[title] = rows.map(pick);
  }
  return shaped;
}

/** The member of an object that a name leads to; a dot leads into an object inside. */
export function memberOf(row: Row, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => (isRow(value) ? value[name] : undefined), row);
}

function linesOf(data: unknown): string[] {
  if (!isRow(data)) return [cell(data)];
  const plain: string[][] = [];
  const blocks: string[] = [];
  for (const [name, value] of Object.entries(data)) {
    const label = words(name);
    if (isTable(value) && value.length > 0) {
      blocks.push("", `${label}:`, ...indent(table(value)));
    } else if (isRow(value)) {
      blocks.push("", `${label}:`, ...indent(linesOf(value)));
    } else {
      plain.push([`${label}:`, cell(value)]);
    }
  }
  const lines = [...alignColumns(plain), ...blocks];
  return lines[0] === "" ? lines.slice(1) : lines;
}

function table(rows: readonly Row[]): string[] {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const heads = columns.map((name) => words(name).toUpperCase());
  return alignColumns([heads, ...rows.map((row) => columns.map((name) => cell(row[name])))]);
}

/** One value on one line. Control characters are shown, not obeyed: a name must not steer the terminal. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return "-";
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) {
    return value.length === 0 ? "(none)" : value.map(cell).join(", ");
  }
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.replace(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1));
}

export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A list of objects; an empty list counts, because what it would hold cannot be seen. */
export function isTable(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.every(isRow);
}

function words(name: string): string {
  return name.replaceAll(/[_.]/g, " ");
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => (line === "" ? "" : `  ${line}`));
}
