/** How many columns of a terminal a text takes. */
export function measureWidth(text: string): number {
  return Bun.stringWidth(text);
}

/** Rows of cells as lines with aligned columns, without blanks at the end; the columns `right` are aligned right. */
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

/** Wraps a text into lines of at most `width` columns, broken at blanks where there are any. */
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

/** As much of a text as fits `width` columns, and one character at least. */
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

/**
 * Terms and what they mean, the meanings wrapped in a column of their own where a line has `width` columns; null where it is no
 * terminal.
 */
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

/** Groups the digits of a whole number, with or without a sign, in threes from its end. */
export function groupThousands(digits: string, between: string): string {
  const sign = digits.startsWith("-") ? "-" : "";
  const bare = digits.slice(sign.length);
  const groups: string[] = [];
  for (let end = bare.length; end > 0; end -= 3) groups.unshift(bare.slice(Math.max(0, end - 3), end));
  return sign + groups.join(between);
}

// Escapes control and format characters, such as those that move a cursor (ECMA-48) or turn the direction of what follows (bidi marks),
// where they are printed: a terminal would obey them, and texts, names and addresses come from anybody.

/** Also unassigned and private characters and single surrogates, which terminals treat in unknown ways. */
const CONTROLS = /\p{C}/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A text on one line with each of them as JSON writes it, such as `\u001b`; within a JSON text it decodes to the same. */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (found) => SHORT[found] ?? unitsOf(found));
}

/** The same for a text in lines of our own, which stay lines. */
export function escapeLines(text: string): string {
  return text.split("\n").map(escapeControls).join("\n");
}

/** A value as a JSON text that contains none of them. */
export function printableJson(value: unknown): string {
  return escapeControls(JSON.stringify(value));
}

/** Each UTF-16 unit of a character as an escape: `\u` and four hexadecimal digits. */
function unitsOf(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");
}
