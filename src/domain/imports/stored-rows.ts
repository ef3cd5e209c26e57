/**
 * What is stored of a file's rows with its batch beside the recipients: number, values, and why nothing is sent for them; bounded in
 * size.
 */
import type { ImportRow, RowCause, RowPlace } from "../../core/import-row.ts";
import { type Cell, type Columns, type FileRecipient, MAX_UNREADABLE_KEPT, unmarked } from "./row-reader.ts";
import type { BadRow } from "./spreadsheet.ts";

/** Characters of all of a kind together. */
const MAX_CHARACTERS = 2 * 1024 * 1024;
const MAX_WRITTEN_LENGTH = 40;
const MAX_REFERENCE_LENGTH = 64;
/** Characters of what the tags of one would be filled in with: longer, it is not kept, for half of a value is none. */
const MAX_VALUES_LENGTH = 2000;
const BLANK: Cell = { text: "" };

/** What rows are kept with. */
type Keeping = {
  /** What the text asks for, in their normal form (NFC): nothing else of a row is kept. */
  readonly tags: ReadonlySet<string>;
  /** The number that people would look for a row by; null where nobody can tell. */
  readonly soughtBy: (written: string) => string | null;
  /** Which row of an earlier batch's file the row of a line is; null of one without an id. */
  readonly originOf: (line: number) => RowPlace | null;
};

/** The first rows that are no recipients. */
export function toUnreadableRows(
  bad: readonly BadRow[],
  columns: Columns,
  keeping: Keeping,
): readonly ImportRow[] {
  const rows: ImportRow[] = [];
  let characters = 0;
  for (const row of bad.slice(0, MAX_UNREADABLE_KEPT)) {
    const kept = toUnreadable(row, columns, keeping);
    characters += JSON.stringify(kept).length;
    if (characters > MAX_CHARACTERS) break;
    rows.push(kept);
  }
  return rows;
}

function toUnreadable(
  { line, cells, cause }: BadRow,
  { msisdn, reference, attributes }: Columns,
  { tags, soughtBy, originOf }: Keeping,
): ImportRow {
  const textAt = (place: number, most: number) =>
    clean(unmarked((cells[place] ?? BLANK).text.trim()).slice(0, most));
  const asked = attributes.flatMap((name, place) =>
    name !== null && tags.has(name.normalize("NFC")) ? [{ name, text: (cells[place] ?? BLANK).text }] : [],
  );
  const length = asked.reduce((sum, { text }) => sum + text.length, 0);
  const isKept = length > 0 && length <= MAX_VALUES_LENGTH;
  const values = isKept ? asked.filter(({ text }) => text !== "") : [];
  const written = textAt(msisdn, MAX_WRITTEN_LENGTH).replace(/^'/, "").trim();
  return {
    line,
    status: "UNREADABLE",
    cause: cleanCause(cause),
    position: null,
    written,
    msisdn: soughtBy(written),
    cells: isKept ? Object.fromEntries(values.map(({ name, text }) => [name, clean(unmarked(text))])) : null,
    client_reference: reference === null ? null : textAt(reference, MAX_REFERENCE_LENGTH) || null,
    of: originOf(line),
  };
}

/** A row that is a recipient, and why nothing is sent for it. */
export type LeftOutRecipient = Pick<ImportRow, "line" | "status" | "cause" | "position"> & {
  readonly recipient: FileRecipient;
};

/** Recipients that are sent nothing: all, or none where they are too many, since half of them would be taken for all. */
export function toLeftOutRows(left: readonly LeftOutRecipient[], keeping: Keeping): readonly ImportRow[] {
  if (left.length > MAX_UNREADABLE_KEPT) return [];
  const rows = left.map((row) => toLeft(row, keeping));
  const characters = rows.reduce((sum, row) => sum + JSON.stringify(row).length, 0);
  return characters > MAX_CHARACTERS ? [] : rows;
}

function toLeft(
  { recipient: { msisdn: written, attributes = {}, client_reference: reference }, ...row }: LeftOutRecipient,
  { tags, soughtBy, originOf }: Keeping,
): ImportRow {
  const asked = Object.entries(attributes).filter(([name]) => tags.has(name.normalize("NFC")));
  return {
    ...row,
    written,
    msisdn: soughtBy(written),
    cells: asked.length === 0 ? null : Object.fromEntries(asked),
    client_reference: reference ?? null,
    of: originOf(row.line),
  };
}

/** Rows with an id that were accepted: their number, and which row of an earlier file each is. */
export function toCorrectedRows(
  rows: readonly Pick<ImportRow, "line" | "position" | "written">[],
  { soughtBy, originOf }: Pick<Keeping, "soughtBy" | "originOf">,
): readonly ImportRow[] {
  return rows.flatMap((row): readonly ImportRow[] => {
    const of = originOf(row.line);
    if (of === null) return [];
    const msisdn = soughtBy(row.written);
    return [{ ...row, status: "ACCEPTED", cause: null, msisdn, cells: null, client_reference: null, of }];
  });
}

/** A cause whose texts a database and a spreadsheet can hold. */
function cleanCause({ code, params }: RowCause): RowCause {
  const cleaned = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === "string" ? clean(value) : value,
  ]);
  return { code, params: Object.fromEntries(cleaned) } as RowCause;
}

function clean(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
