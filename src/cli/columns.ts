/** How many places of a terminal a text takes. */
export function widthOf(text: string): number {
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
        const blanks = " ".repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell)));
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
      widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
    }
  }
  return widths;
}
