import type { TableShape } from "../admin/command.ts";
import { isRow, isTable } from "./show.ts";

/**
 * The rows of an answer as comma-separated values (RFC 4180), under a line of column names. A text that a
 * spreadsheet would take for a formula gets an apostrophe before it.
 */
export function csvOf(data: unknown, { rows: name, columns }: TableShape): string {
  const found = isRow(data) ? data[name] : null;
  const rows = isTable(found) ? found : [];
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
