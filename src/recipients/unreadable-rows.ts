/** What is kept of rows that are no recipients, so that whoever is asked for them finds them: the number, and what a text asks for. */
import type { Columns } from "./columns.ts";
import { type Cell, type FileRecipient, MOST_UNREADABLE_KEPT } from "./file-row.ts";
import { unmarked } from "./read-row.ts";
import type { BadRow } from "./recipients.ts";

/** A row that is no recipient, as far as a batch keeps it. */
export type UnreadableRow = {
  readonly line: number;
  /** What stands in the place of its number. */
  readonly written: string;
  readonly cause: string;
  /** What the tags of the text would be filled in with; null: nothing. */
  readonly attributes: Readonly<Record<string, string>> | null;
  readonly client_reference: string | null;
};

/** Characters of all of them together. */
const MOST_CHARACTERS = 2 * 1024 * 1024;
const LONGEST_WRITTEN = 40;
const LONGEST_REFERENCE = 64;
/** Characters of what the tags of one would be filled in with: longer, it is not kept, for half of a value is none. */
const LONGEST_VALUES = 2000;
const BLANK: Cell = { text: "" };

/** The first rows that are no recipients, with the columns that the text asks for and no others. `tags`: in their normal form (NFC). */
export function unreadableRows(
  bad: readonly BadRow[],
  columns: Columns,
  tags: ReadonlySet<string>,
): readonly UnreadableRow[] {
  const rows: UnreadableRow[] = [];
  let characters = 0;
  for (const row of bad.slice(0, MOST_UNREADABLE_KEPT)) {
    const kept = keptOf(row, columns, tags);
    characters += JSON.stringify(kept).length;
    if (characters > MOST_CHARACTERS) break;
    rows.push(kept);
  }
  return rows;
}

/** A row that could be read and is sent nothing, as a batch keeps it. */
export function keptRecipient(
  { msisdn, attributes = {}, client_reference: reference }: FileRecipient,
  { line, cause }: Pick<UnreadableRow, "line" | "cause">,
  tags: ReadonlySet<string>,
): UnreadableRow {
  const asked = Object.entries(attributes).filter(([name]) => tags.has(name.normalize("NFC")));
  return {
    ...{ line, written: msisdn, cause },
    ...{ attributes: asked.length === 0 ? null : Object.fromEntries(asked) },
    client_reference: reference ?? null,
  };
}

/** The same of a recipient that is to be rejected, at a place of the batch. */
export function keptRejected(
  recipient: FileRecipient,
  { line, place }: { readonly line: number; readonly place: number },
  tags: ReadonlySet<string>,
): UnreadableRow {
  return keptRecipient(recipient, { line, cause: `it was rejected, as recipient ${place}` }, tags);
}

/** Those of such rows that a batch keeps: all, or none where they are too many, for half of them would be told as all. */
export function allOrNone(rows: readonly UnreadableRow[]): readonly UnreadableRow[] {
  const characters = rows.reduce((sum, row) => sum + JSON.stringify(row).length, 0);
  return rows.length > MOST_UNREADABLE_KEPT || characters > MOST_CHARACTERS ? [] : rows;
}

function keptOf(
  { line, cells, cause }: BadRow,
  { msisdn, reference, attributes }: Columns,
  tags: ReadonlySet<string>,
): UnreadableRow {
  const textAt = (place: number, most: number) =>
    clean(unmarked((cells[place] ?? BLANK).text.trim()).slice(0, most));
  const asked = attributes.flatMap((name, place) =>
    name !== null && tags.has(name.normalize("NFC")) ? [{ name, text: (cells[place] ?? BLANK).text }] : [],
  );
  const length = asked.reduce((sum, { text }) => sum + text.length, 0);
  const isKept = length > 0 && length <= LONGEST_VALUES;
  const values = isKept ? asked.filter(({ text }) => text !== "") : [];
  return {
    ...{ line, written: textAt(msisdn, LONGEST_WRITTEN).replace(/^'/, "").trim(), cause: clean(cause) },
    attributes: isKept
      ? Object.fromEntries(values.map(({ name, text }) => [name, clean(unmarked(text))]))
      : null,
    client_reference: reference === null ? null : textAt(reference, LONGEST_REFERENCE) || null,
  };
}

/** What a database and a spreadsheet can hold of a text. */
function clean(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
