/** How many places of a terminal a text takes. */
export function measureWidth(text: string): number {
  return Bun.stringWidth(text);
}

/**
 * Rows of cells as lines whose columns stand under each other, without blanks at the end; the columns `right` are aligned
 * there.
 */
export function alignColumns(
  rows: readonly (readonly string[])[],
  right: ReadonlySet<number> = new Set(),
): string[] {
  const widths = columnWidths(rows);
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const blanks = " ".repeat(Math.max(0, (widths[column] ?? 0) - measureWidth(cell)));
        return right.has(column) ? blanks + cell : cell + blanks;
      })
      .join("  ")
      .trimEnd(),
  );
}

/** The widest cell of each column. */
export function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, measureWidth(cell));
    }
  }
  return widths;
}

/** A text in lines of at most `width` places, broken at blanks where there are any. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (measureWidth(rest) > width) {
    const fitting = beginningOf(rest, width);
    const blank = rest[fitting.length] === " " ? fitting.length : fitting.lastIndexOf(" ");
    const at = blank > 0 ? blank : fitting.length;
    lines.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return [...lines, rest];
}

/** As much of a text as `width` places hold, and one character at least. */
function beginningOf(text: string, width: number): string {
  let taken = "";
  let used = 0;
  for (const character of text) {
    used += measureWidth(character);
    if (used > width && taken !== "") return taken;
    taken += character;
  }
  return taken;
}

/** Terms and what they mean, the meanings folded under each other where a line has `width` places; null where it is no terminal. */
export function renderDefinitions(
  rows: readonly (readonly [term: string, meaning: string])[],
  width: number | null,
): string[] {
  if (width === null) return alignColumns(rows);
  const indent = Math.max(0, ...rows.map(([term]) => measureWidth(term))) + 2;
  const room = Math.max(24, width - indent);
  return alignColumns(
    rows.flatMap(([term, meaning]) =>
      wrapText(meaning, room).map((line, at) => [at === 0 ? term : "", line]),
    ),
  );
}
