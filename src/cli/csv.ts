import type { TableShape } from "../admin/command.ts";
import { isRow, isTable } from "./show.ts";

/**
 * The rows of an answer, the first list of `shapes` that it holds, as comma-separated values (RFC 4180), under a line of column names. A text that a
 * spreadsheet would take for a formula gets an apostrophe before it.
 */
export function csvOf(data: unknown, shapes: readonly TableShape[]): string {
  const shape = shapes.find(({ rows }) => isRow(data) && isTable(data[rows]));
  if (!shape || !isRow(data)) return "";
  const found = data[shape.rows];
  const rows = isTable(found) ? found : [];
  const { columns } = shape;
  const lines = [columns, ...rows.map((row) => columns.map((column) => field(row[column])))];
  return lines.map((line) => `${line.join(",")}\r\n`).join("");
}

function field(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
