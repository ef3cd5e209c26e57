/** One row of a file: the line it begins on, from 1, and its cells as they are meant, without quotes. */
export type CsvRow = { readonly line: number; readonly cells: readonly string[] };

const SEPARATORS = [",", ";", "\t"];

/**
 * Reads comma-separated values (RFC 4180) one row at a time: quoted cells may hold separators, line ends and doubled
 * quotes. The separator is whichever of comma, semicolon and tab the first line holds first, since spreadsheets in
 * French write semicolons. Blank lines are passed over; a quote that is never closed is text like any other.
 */
export function* csvRows(text: string): Generator<CsvRow> {
  const separator = separatorOf(text);
  const cell = new RegExp(`"([^"]*(?:""[^"]*)*)"(?=[${separator}\\r\\n]|$)|([^${separator}\\r\\n]*)`, "y");
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const beginsOn = line;
    const cells: string[] = [];
    for (;;) {
      cell.lastIndex = at;
      const found = cell.exec(text);
      const [whole = "", quoted, plain = ""] = found ?? [];
      cells.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"').trim());
      line += lineEnds(whole);
      at += whole.length;
      if (text[at] !== separator) break;
      at += 1;
    }
    if (text.startsWith("\r\n", at)) at += 1;
    at += 1;
    line += 1;
    if (cells.some((content) => content !== "")) yield { line: beginsOn, cells };
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
