import { isMessageClass, MESSAGE_CLASSES, type MessageClass } from "../accounts/classes.ts";
import { type CsvRow, csvRows, UnclosedQuote } from "../base/csv-rows.ts";

/** A number of a file, with the class it is to be suppressed for; null: every class. */
export type FileEntry = {
  readonly msisdn: string;
  readonly messageClass: MessageClass | null;
  readonly note: string | null;
};

/** A line that says nothing that could be done, and why. */
export type FileFault = { readonly line: number; readonly problem: string };

export type FileReading = {
  readonly entries: readonly FileEntry[];
  readonly faults: readonly FileFault[];
};

/** Where a file has what; null: it has none of it. */
type Columns = {
  readonly msisdn: number;
  readonly messageClass: number | null;
  readonly note: number | null;
};

/** A file without a line of names: the number, then perhaps a class, then perhaps a note. */
const PLAIN: Columns = { msisdn: 0, messageClass: 1, note: 2 };
const LONGEST_NOTE = 200;
const LONGEST_SHOWN = 40;

/**
 * Reads a file of opt-outs, a row for each number. A first row with a cell "msisdn" names the columns, of which
 * "message_class" (or "class") and "note" count and others are passed over, so that what `suppression list --csv`
 * writes can be read back. A row without a class gets `otherwise`. `pause` gives others their turn between rows. Where a quote is
 * not closed, nobody can tell which rows there are: then that is all there is to say.
 */
export async function readSuppressionFile(
  text: string,
  otherwise: MessageClass | null,
  readMsisdn: (text: string) => string | null,
  pause: () => Promise<void> | undefined,
): Promise<FileReading | UnclosedQuote> {
  try {
    return await readRows(csvRows(text), otherwise, readMsisdn, pause);
  } catch (error) {
    if (error instanceof UnclosedQuote) return error;
    throw error;
  }
}

async function readRows(
  rows: Iterable<CsvRow>,
  otherwise: MessageClass | null,
  readMsisdn: (text: string) => string | null,
  pause: () => Promise<void> | undefined,
): Promise<FileReading> {
  const entries: FileEntry[] = [];
  const faults: FileFault[] = [];
  let columns: Columns | null = null;
  for (const { line, cells } of rows) {
    await pause();
    if (columns === null) {
      const named = columnsOf(cells);
      columns = named ?? PLAIN;
      if (named) continue;
    }
    const entry = readEntry(cells, columns, otherwise, readMsisdn);
    if (typeof entry === "string") faults.push({ line, problem: entry });
    else entries.push(entry);
  }
  return { entries, faults };
}

function columnsOf(cells: readonly string[]): Columns | null {
  const names = cells.map((cell) => cell.toLowerCase());
  const placeOf = (...known: string[]): number | null => {
    const place = names.findIndex((name) => known.includes(name));
    return place < 0 ? null : place;
  };
  const msisdn = placeOf("msisdn");
  return msisdn === null
    ? null
    : { msisdn, messageClass: placeOf("message_class", "class"), note: placeOf("note") };
}

/** What a row says, or what is wrong with it. */
function readEntry(
  cells: readonly string[],
  columns: Columns,
  otherwise: MessageClass | null,
  readMsisdn: (text: string) => string | null,
): FileEntry | string {
  const cellAt = (place: number | null): string => (place === null ? "" : (cells[place] ?? ""));
  // The apostrophe that keeps a spreadsheet from taking "+226…" for a formula.
  const number = cellAt(columns.msisdn).replace(/^'/, "");
  const msisdn = readMsisdn(number);
  if (msisdn === null) return `${shown(number)} is not a phone number`;
  const named = cellAt(columns.messageClass).toUpperCase();
  if (named !== "" && named !== "ALL" && !isMessageClass(named)) {
    return `${shown(named)} is not a message class: ${MESSAGE_CLASSES.join(", ")} or all`;
  }
  const note = cellAt(columns.note);
  if (note.length > LONGEST_NOTE || /\p{Cc}/u.test(note)) {
    return `a note has at most ${LONGEST_NOTE} characters, and no control characters`;
  }
  const messageClass = named === "" ? otherwise : named === "ALL" ? null : named;
  return { msisdn, messageClass, note: note === "" ? null : note };
}

function shown(cell: string): string {
  return cell.length > LONGEST_SHOWN
    ? `${JSON.stringify(cell.slice(0, LONGEST_SHOWN))}…`
    : JSON.stringify(cell);
}
