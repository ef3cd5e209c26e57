/**
 * Renders the answer of a command for people: values by name and tables fitted to the terminal's width; numbers, instants
 * and codes in the reader's form.
 */
import type { TableShape } from "../admin/command.ts";
import {
  alignColumns,
  columnWidths,
  escapeControls,
  groupThousands,
  measureWidth,
  wrapText,
} from "../core/terminal-text.ts";
import { type Locale, phrase } from "../i18n/phrase.ts";
import { renderIn } from "../i18n/text.ts";
import { renderLabel, renderValue } from "./labels.ts";
import { type Display, PLAIN } from "./terminal.ts";

/**
 * An answer as a person reads it: values by name, rows as a table, an object inside under its name. `shapes` pick the
 * columns of the tables.
 */
export function renderData(
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
  const told = columns.filter((column) => rows.some((row) => readMember(row, column) !== undefined));
  return {
    [title]: rows.map((row) => Object.fromEntries(told.map((column) => [column, readMember(row, column)]))),
  };
}

function hasMember(row: Row, path: string): boolean {
  const value = readMember(row, path);
  return value !== null && value !== undefined;
}

/** The member of an object that a name leads to; a dot leads into an object inside. */
export function readMember(row: Row, path: string): unknown {
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
    const label = renderIn(locale, phrase("cli.label", { name: shownLabel(name, locale) }));
    if (isTable(value) && value.length > 0) {
      const title = width === null ? [label] : wrapText(label, width);
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

/** Wraps values that do not fit; one without a blank stays whole, so that it can be copied. */
function foldedValues(
  rows: readonly (readonly [label: string, value: string])[],
  width: number | null,
): (readonly string[])[] {
  if (width === null) return [...rows];
  const room = Math.max(24, width - Math.max(0, ...rows.map(([label]) => measureWidth(label))) - INDENT);
  return rows.flatMap(([label, value]) =>
    value.includes(" ")
      ? wrapText(value, room).map((line, at) => [at === 0 ? label : "", line])
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

export type Row = Readonly<Record<string, unknown>>;

/** Between two columns. */
const GAP = 2;

/**
 * Rows as a table under its heads. Without a terminal nothing is wrapped. A table that does not fit gets heads of several lines; if
 * it still does not, its widest column of sentences is wrapped; and if there is no room for that, each row becomes a block
 * (docs/administration.md#what-people-read).
 */
function tableLines(rows: readonly Row[], look: Display): string[] {
  const { width, locale, paint } = look;
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const heads = names.map((name) => shownLabel(name, locale).toUpperCase());
  const cells = rows.map((row) => names.map((name) => shownCell(name, row[name], look)));
  if (width === null) return alignColumns([heads, ...cells]);
  const right = new Set(names.flatMap((name, column) => (isOfCounts(rows, name) ? [column] : [])));
  for (const head of [[heads], stacked(heads)]) {
    if (totalWidth([...head, ...cells]) > width) continue;
    const lines = alignColumns([...head, ...cells], right);
    return lines.map((line, at) => (at < head.length ? paint.head(line) : line));
  }
  for (const head of [[heads], stacked(heads)]) {
    const folded = foldedCells([...head, ...cells], width);
    if (folded === null) continue;
    const lines = alignColumns(folded, right);
    return lines.map((line, at) => (at < head.length ? paint.head(line) : line));
  }
  return rows.flatMap((row) => ["", ...blockOf(row, names, { width, locale })]).slice(1);
}

/** A column narrower than this is no pleasure to read. */
const MIN_FOLDED = 32;

/** Rows whose widest cells, where they are sentences, take several lines; null where that does not make them fit. */
function foldedCells(rows: readonly (readonly string[])[], width: number): string[][] | null {
  const widths = columnWidths(rows);
  const widest = widths.indexOf(Math.max(...widths));
  const room = width - totalWidth(rows) + (widths[widest] ?? 0);
  if (room < MIN_FOLDED) return null;
  const words = rows.flatMap((row) => (row[widest] ?? "").split(" "));
  if (words.some((word) => measureWidth(word) > room)) return null;
  return rows.flatMap((row) =>
    wrapText(row[widest] ?? "", room).map((line, at) =>
      row.map((cell, column) => (column === widest ? line : at === 0 ? cell : "")),
    ),
  );
}

/** A column of numbers; what is missing does not count. */
function isOfCounts(rows: readonly Row[], name: string): boolean {
  const values = rows.map((row) => row[name]).filter((value) => value !== null && value !== undefined);
  return values.length > 0 && values.every((value) => isCount(name, value));
}

/** Heads a word a line, each at the foot of its column. */
function stacked(heads: readonly string[]): string[][] {
  const words = heads.map((head) => head.split(" "));
  const height = Math.max(...words.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    words.map((of) => of[line - (height - of.length)] ?? ""),
  );
}

function totalWidth(rows: readonly (readonly string[])[]): number {
  const widths = columnWidths(rows);
  return widths.reduce((sum, width) => sum + width + GAP, -GAP);
}

type BlockLook = { readonly width: number; readonly locale: Locale };

/** One row as lines of names and values, below the value of its first column; what it has not is left out. */
function blockOf(row: Row, names: readonly string[], look: BlockLook): string[] {
  const { width, locale } = look;
  const [first, ...rest] = names;
  if (first === undefined) return ["-"];
  const others = rest.filter((name) => row[name] !== null && row[name] !== undefined);
  const labels = others.map((name) =>
    renderIn(locale, phrase("cli.label", { name: shownLabel(name, locale) })),
  );
  const indent = 2 + Math.max(0, ...labels.map(measureWidth)) + GAP;
  return [
    ...wrapText(shownCell(first, row[first], look), width),
    ...others.flatMap((name, at) => {
      const label = `  ${labels[at] ?? ""}`;
      const [begin = "", ...more] = wrapText(shownCell(name, row[name], look), Math.max(20, width - indent));
      return [label.padEnd(indent) + begin, ...more.map((line) => " ".repeat(indent) + line)];
    }),
  ];
}

// How one value of an answer is written.

/** Names of numbers that count nothing: they are written as they are. */
const NO_COUNTS = /(^|_)(port|connection|sequence|part|schema|status|id)$/;

/** Whether people read a member's value as a number: grouped and aligned at its end. */
function isCount(name: string, value: unknown): value is number {
  return typeof value === "number" && !NO_COUNTS.test(name);
}

/** One value on one line. Control characters are shown, not obeyed: a name must not steer the terminal. */
function cellOf(value: unknown, locale: Locale): string {
  if (value === null || value === undefined) return "-";
  if (typeof value === "boolean") return renderIn(locale, phrase(value ? "cli.yes" : "cli.no"));
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) {
    return value.length === 0
      ? renderIn(locale, phrase("cli.none"))
      : value.map((item) => cellOf(item, locale)).join(", ");
  }
  if (isTally(value)) {
    const counts = Object.entries(value).map(([name, count]) => `${shownLabel(name, locale)} ${count}`);
    return counts.length === 0 ? "-" : counts.join(", ");
  }
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return escapeControls(text);
}

/** The name of a member as its reader says it. Some are no names of ours: a client's own attributes have theirs. */
function shownLabel(name: string, locale: Locale): string {
  return escapeControls(renderLabel(name, locale));
}

/** Counts by name. */
function isTally(value: unknown): value is Readonly<Record<string, number>> {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((each) => typeof each === "number")
  );
}

/**
 * A member's value as it is displayed. A terminal gets counts in groups of three digits, shares in percent, and instants
 * without `T`, `Z` and thousandths.
 */
function shownCell(
  name: string,
  value: unknown,
  { width, locale }: Pick<Display, "width" | "locale">,
): string {
  const text = cellOf(worded(name, value, locale), locale);
  if (width === null) return text;
  if (isCount(name, value)) return name.endsWith("_share") ? percent(value, locale) : grouped(value, locale);
  return text.replace(INSTANT, "$1 $2");
}

/** An instant in UTC, with or without thousandths. */
const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.\d+)?(?:Z|\+00:00)$/;

/** A share of the whole, in percent with one decimal at most. */
function percent(share: number, locale: Locale): string {
  return `${grouped(Math.round(share * 1000) / 10, locale)} %`;
}

/** A word of ours, or each of a list of them, as its reader says it. */
function worded(name: string, value: unknown, locale: Locale): unknown {
  if (Array.isArray(value)) return value.map((one) => worded(name, one, locale));
  return typeof value === "string" ? renderValue(name, value, locale) : value;
}

/** A number in groups of three digits, apart by blanks, as amounts may be typed. */
function grouped(value: number, locale: Locale): string {
  const [whole = "", fraction] = String(value).split(".");
  const groups = groupThousands(whole, " ");
  return fraction === undefined
    ? groups
    : `${groups}${renderIn(locale, phrase("cli.decimal_point"))}${fraction}`;
}
