import type { TableShape } from "../admin/command.ts";
import { alignColumns, foldedAt, widthOf } from "../core/columns.ts";
import { phrase } from "../i18n/phrase.ts";
import { spokenIn } from "../i18n/text.ts";
import { cellOf, shownCell, shownLabel } from "./cell.ts";
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
  const shaped: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(data)) {
    const own = shapes.filter(({ rows }) => rows === name);
    if (own.length === 0 || !isTable(value)) shaped[name] = value;
    else for (const shape of own) Object.assign(shaped, tableOf(value, shape));
  }
  return shaped;
}

/** The rows of a table as its shape picks them, under its title; nothing where none is to be shown. */
function tableOf(all: readonly Row[], { rows: name, columns, title = name, having }: TableShape) {
  const rows = having ? all.filter((row) => having.some((column) => hasMember(row, column))) : all;
  if (having && rows.length === 0) return {};
  const told = columns.filter((column) => rows.some((row) => memberOf(row, column) !== undefined));
  return {
    [title]: rows.map((row) => Object.fromEntries(told.map((column) => [column, memberOf(row, column)]))),
  };
}

function hasMember(row: Row, path: string): boolean {
  const value = memberOf(row, path);
  return value !== null && value !== undefined;
}

/** The member of an object that a name leads to; a dot leads into an object inside. */
export function memberOf(row: Row, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => (isRow(value) ? value[name] : undefined), row);
}

/** How far what stands under a name is moved in. */
const INDENT = 2;

function linesOf(data: unknown, look: Display): string[] {
  const { width, locale, paint } = look;
  if (!isRow(data)) return [cellOf(data, locale)];
  const inner = { ...look, width: width === null ? null : width - INDENT };
  const plain: [label: string, value: string][] = [];
  const blocks: string[] = [];
  for (const [name, value] of Object.entries(data)) {
    const label = spokenIn(locale, phrase("cli.label", { name: shownLabel(name, locale) }));
    if (isTable(value) && value.length > 0) {
      const title = width === null ? [label] : foldedAt(label, width);
      blocks.push("", ...title.map(paint.head), ...indent(tableLines(value, inner)));
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
