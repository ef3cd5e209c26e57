/** One row of a file: the line it begins on, from 1, and its cells as they are meant, without quotes. */
export type CsvRow = { readonly line: number; readonly cells: readonly string[] };

/** A quote opens a cell and nothing ends the cell, so that nobody can tell where its row ends. `line`: where it opens, from 1. */
export class UnclosedQuote extends Error {
  override name = "UnclosedQuote";
  constructor(readonly line: number) {
    super(
      `line ${line}: a quote opens there and is not closed; close it, or write it twice within quotes where it is part of a text`,
    );
  }
}

type Cell = { readonly content: string; readonly end: number };

const SEPARATORS = [",", ";", "\t"];
/** How spreadsheets name the separator of a file to each other, before its first row. */
const SEPARATOR_LINE = /^"?sep=([,;|\t])"?(?:\r\n|\r|\n|$)/i;

/**
 * Reads comma-separated values (RFC 4180) one row at a time: quoted cells may hold separators, line ends and doubled
 * quotes. The separator is the one that a first line `sep=;` names, which is no row, else whichever of comma, semicolon and
 * tab the first line holds first, since spreadsheets in French write semicolons. Blank lines are passed over; a quote that stands
 * inside of a cell, or that is closed before the end of its cell, is text like any other.
 * @throws UnclosedQuote
 */
export function* csvRows(text: string): Generator<CsvRow> {
  const named = SEPARATOR_LINE.exec(text);
  const [head, separator = separatorOf(text)] = named ?? [""];
  const cellAt = cellReader(text, separator);
  let line = head === "" ? 1 : 2;
  let at = head.length;
  while (at < text.length) {
    const beginsOn = line;
    const cells: string[] = [];
    for (;;) {
      const { content, end } = cellAt(at, line);
      cells.push(content.trim());
      line += lineEnds(text.slice(at, end));
      at = end;
      if (text[at] !== separator) break;
      at += 1;
    }
    if (text.startsWith("\r\n", at)) at += 1;
    at += 1;
    line += 1;
    if (cells.some((content) => content !== "")) yield { line: beginsOn, cells };
  }
}

/** Reads the cell that begins at a place, which stands on a line. */
function cellReader(text: string, separator: string): (at: number, line: number) => Cell {
  const plain = new RegExp(`[^${separator}\\r\\n]*`, "y");
  const afterQuote = new RegExp(`" *(?=[${separator}\\r\\n]|$)`, "y");
  return (at, line) => {
    plain.lastIndex = at;
    const [unquoted = ""] = plain.exec(text) ?? [];
    const asText = { content: unquoted, end: at + unquoted.length };
    if (text[at] !== '"') return asText;
    const close = closingQuote(text, at);
    if (close === null) throw new UnclosedQuote(line);
    afterQuote.lastIndex = close;
    if (afterQuote.test(text)) {
      return { content: text.slice(at + 1, close).replaceAll('""', '"'), end: afterQuote.lastIndex };
    }
    if (close > asText.end) throw new UnclosedQuote(line);
    return asText;
  };
}

/** The quote that closes the one at `at`: the next that is not doubled. */
function closingQuote(text: string, at: number): number | null {
  for (let from = at + 1; ; ) {
    const close = text.indexOf('"', from);
    if (close < 0) return null;
    if (text[close + 1] !== '"') return close;
    from = close + 2;
  }
}

function separatorOf(text: string): string {
  const firstLine = /^[^\r\n]*/.exec(text)?.[0] ?? "";
  const places = SEPARATORS.map((separator) => ({ separator, at: firstLine.indexOf(separator) }));
  const present = places.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at);
  return present[0]?.separator ?? ",";
}

function lineEnds(text: string): number {
  return text.includes("\n") || text.includes("\r") ? (text.match(/\r\n|\r|\n/g)?.length ?? 0) : 0;
}
