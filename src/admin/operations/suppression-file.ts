import { csvRows, UnclosedQuote } from "../../core/csv-rows.ts";
import { writtenPhrase } from "../../core/import-row.ts";
import { REPLACEMENT_CHARACTER } from "../../core/text-of.ts";
import { isMessageClass, MESSAGE_CLASSES, type MessageClass } from "../../domain/accounts/classes.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";

/** A number of a file, with the class it is to be suppressed for; null: every class. */
export type FileEntry = {
  readonly msisdn: string;
  readonly messageClass: MessageClass | null;
  readonly note: string | null;
};

/** A line that says nothing that could be done, and why. */
export type FileFault = { readonly line: number; readonly problem: Phrase };

export type FileReading = {
  /** Rows that say what could be done. */
  readonly numbers: number;
  /** How many say nothing, and the first of them: a file may have millions. */
  readonly faulty: number;
  readonly faults: readonly FileFault[];
};

/** How rows are read. A row without a class gets `otherwise`; null: every class. */
export type FileRules = {
  readonly otherwise: MessageClass | null;
  /** The number in E.164; null for none. */
  readonly readMsisdn: (text: string) => string | null;
};

/** Where a file has what; null: it has none of it. */
type Columns = {
  readonly msisdn: number;
  readonly messageClass: number | null;
  readonly note: number | null;
};

/** A file without a line of names: the number, then perhaps a class, then perhaps a note. */
const PLAIN: Columns = { msisdn: 0, messageClass: 1, note: 2 };
const MAX_NOTE_LENGTH = 200;

/** Faulty lines that are named. */
const MAX_FAULTS_NAMED = 1000;

/**
 * Counts what a file of opt-outs says, a row for each number, and names what is wrong with it. `pause` gives others their turn between
 * rows. Where a quote is not closed, nobody can tell which rows there are: then that is all there is to say.
 */
export async function readSuppressionFile(
  text: string,
  rules: FileRules,
  pause: () => Promise<void> | undefined,
): Promise<FileReading | UnclosedQuote> {
  const faults: FileFault[] = [];
  let [numbers, faulty] = [0, 0];
  try {
    for (const row of suppressionRows(text, rules)) {
      await pause();
      if (row === null) continue;
      if ("msisdn" in row) numbers += 1;
      else {
        faulty += 1;
        if (faults.length < MAX_FAULTS_NAMED) faults.push(row);
      }
    }
  } catch (error) {
    if (error instanceof UnclosedQuote) return error;
    throw error;
  }
  return { numbers, faulty, faults };
}

/**
 * Goes through the rows of such a file; null among many blank lines. A first row with a cell "msisdn" names the columns, of which
 * "message_class" (or "class") and "note" count and others are passed over, so that what `suppression list --csv` writes can be read back.
 * @throws UnclosedQuote
 */
export function* suppressionRows(text: string, rules: FileRules): Generator<FileEntry | FileFault | null> {
  let columns: Columns | null = null;
  for (const { line, cells } of csvRows(text)) {
    if (cells.length === 0) {
      yield null;
      continue;
    }
    if (columns === null) {
      const named = findColumns(cells);
      columns = named ?? PLAIN;
      if (named) continue;
    }
    const entry = readEntry(cells, columns, rules);
    yield "code" in entry ? { line, problem: entry } : entry;
  }
}

function findColumns(cells: readonly string[]): Columns | null {
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
  { otherwise, readMsisdn }: FileRules,
): FileEntry | Phrase {
  const cellAt = (place: number | null): string => (place === null ? "" : (cells[place] ?? ""));
  // The apostrophe that keeps a spreadsheet from taking "+226…" for a formula.
  const number = cellAt(columns.msisdn).replace(/^'/, "");
  const msisdn = readMsisdn(number);
  if (msisdn === null) return phrase("row.cause.NOT_A_NUMBER", { written: writtenPhrase(number) });
  const named = cellAt(columns.messageClass).toUpperCase();
  if (named !== "" && named !== "ALL" && !isMessageClass(named)) {
    return phrase("fault.suppression.class", {
      written: writtenPhrase(named),
      known: MESSAGE_CLASSES.join(", "),
    });
  }
  const note = cellAt(columns.note);
  if (note.includes(REPLACEMENT_CHARACTER)) return phrase("fault.suppression.note_lost");
  if (note.length > MAX_NOTE_LENGTH || /\p{Cc}/u.test(note)) {
    return phrase("fault.suppression.note", { most: MAX_NOTE_LENGTH });
  }
  const messageClass = named === "" ? otherwise : named === "ALL" ? null : named;
  return { msisdn, messageClass, note: note === "" ? null : note };
}
