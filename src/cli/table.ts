import { alignColumns, columnWidths, foldedAt, widthOf } from "../core/columns.ts";
import { type Locale, phrase } from "../i18n/phrase.ts";
import { spokenIn } from "../i18n/text.ts";
import { isCount, shownCell, shownLabel } from "./cell.ts";
import type { Display } from "./look.ts";

export type Row = Readonly<Record<string, unknown>>;

/** Between two columns. */
const GAP = 2;

/**
 * Rows as a table under its heads. Where the look is of no terminal nothing is folded. A table that does not fit gets heads of
 * several lines; if it still does not, its widest column of sentences is folded; and if there is no room for that, each row is a block
 * (docs/administration.md#what-people-read).
 */
export function tableLines(rows: readonly Row[], look: Display): string[] {
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
const LEAST_FOLDED = 32;

/** Rows whose widest cells, where they are sentences, take several lines; null where that does not make them fit. */
function foldedCells(rows: readonly (readonly string[])[], width: number): string[][] | null {
  const widths = columnWidths(rows);
  const widest = widths.indexOf(Math.max(...widths));
  const room = width - totalWidth(rows) + (widths[widest] ?? 0);
  if (room < LEAST_FOLDED) return null;
  const words = rows.flatMap((row) => (row[widest] ?? "").split(" "));
  if (words.some((word) => widthOf(word) > room)) return null;
  return rows.flatMap((row) =>
    foldedAt(row[widest] ?? "", room).map((line, at) =>
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
    spokenIn(locale, phrase("cli.label", { name: shownLabel(name, locale) })),
  );
  const indent = 2 + Math.max(0, ...labels.map(widthOf)) + GAP;
  return [
    ...foldedAt(shownCell(first, row[first], look), width),
    ...others.flatMap((name, at) => {
      const label = `  ${labels[at] ?? ""}`;
      const [begin = "", ...more] = foldedAt(shownCell(name, row[name], look), Math.max(20, width - indent));
      return [label.padEnd(indent) + begin, ...more.map((line) => " ".repeat(indent) + line)];
    }),
  ];
}
