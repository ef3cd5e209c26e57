/** The rows of a file that nothing is sent for, as they stand there, so that they can be corrected and brought again. */

import type { RowCause, RowId } from "../../core/import-row.ts";
import { getOwn } from "../../core/own-value.ts";
import { accepted, type Outcome, refuse } from "../../core/refusals.ts";
import { readHead } from "./headings.ts";
import { type FileRecipient, readColumns, readOrigin, readRow } from "./row-reader.ts";
import { bodyRows, NO_RECIPIENTS, type ReadOptions, withRows } from "./spreadsheet.ts";

export type LeftOutRow = {
  readonly line: number;
  /** The id that it has already; null of a row without one. */
  readonly id: RowId | null;
  readonly cells: readonly string[];
  /** Why it is no recipient; null of one that is. */
  readonly cause: RowCause | null;
  /** Why nothing is sent to a recipient: the code that `rejected` has for its line. */
  readonly reason: string | null;
  /** What it repeats where its number stands in an earlier row, else null. */
  readonly repeat: Repeat | null;
};

/** Cells of all such rows together: a row of a sheet may name its last column alone. */
const MAX_CELLS = 5_000_000;

export type LeftOutRows = {
  /** What the columns are called; null where the first row is a recipient already. */
  readonly headings: readonly string[] | null;
  /** The place of the column of numbers, and that of the ids that the file has already. */
  readonly msisdn: number;
  readonly rowId: number | null;
  readonly rows: readonly LeftOutRow[];
};

/**
 * Rows that cannot be read, and those whose line is among `rejected`, in the order of the file. `read`: the number in E.164, null for none.
 */
export function leftOutRows(
  bytes: Uint8Array,
  options: ReadOptions,
  rejected: ReadonlyMap<number, string>,
  read: (written: string) => string | null,
): Outcome<LeftOutRows, "INVALID_FILE"> {
  return withRows<LeftOutRows>(bytes, options, (rows) => {
    const head = readHead(rows, options);
    if (!head.ok) return head;
    if (head.value === null) return NO_RECIPIENTS;
    const found = readColumns(head.value.row, options.column, head.value.isChosen);
    if (!found.ok) return found;
    const columns = found.value;
    const left: LeftOutRow[] = [];
    const repeatOf = createRepeatReader(read);
    let count = 0;
    for (const row of bodyRows(head.value, columns)) {
      const cells = row.cells.map(({ text }) => text);
      const one = readRow(row, columns, options);
      const cause = "cause" in one ? one.cause : null;
      const repeat = "cause" in one ? null : repeatOf(one, row.line);
      const reason = rejected.get(row.line) ?? null;
      if (cause === null && reason === null) continue;
      left.push({ line: row.line, id: readOrigin(row, columns), cells, cause, reason, repeat });
      count += cells.length;
      if (count > MAX_CELLS) {
        return refuse("INVALID_FILE.left_out");
      }
    }
    return accepted({
      headings: columns.isHeadless ? null : head.value.row.cells.map(({ text }) => text),
      msisdn: columns.msisdn,
      rowId: columns.rowId,
      rows: left,
    });
  });
}

// Rows of a file whose number stands in an earlier row: the first of them counts, and people are told which and what they differ in.

/** A column in which a row reads otherwise than the first one with its number; "" where one of them has nothing. */
type Difference = { readonly column: string; readonly first: string; readonly here: string };

export type Repeat = {
  readonly line: number;
  /** The line of the first row with the number. */
  readonly first: number;
  readonly differs: readonly Difference[];
};

const MAX_VALUE_LENGTH = 60;

/**
 * Called with each row in the order of the file: what it repeats; null where it is the first with its number. `read`: E.164, null for none.
 */
export function createRepeatReader(read: (written: string) => string | null) {
  const first = new Map<string, { readonly line: number; readonly recipient: FileRecipient }>();
  return (recipient: FileRecipient, line: number): Repeat | null => {
    const msisdn = read(recipient.msisdn);
    if (msisdn === null) return null;
    const before = first.get(msisdn);
    if (before) return { line, first: before.line, differs: differences(before.recipient, recipient) };
    first.set(msisdn, { line, recipient });
    return null;
  };
}

function differences(before: FileRecipient, here: FileRecipient): readonly Difference[] {
  const there = valuesIn(before);
  const own = valuesIn(here);
  return [...new Set([...Object.keys(there), ...Object.keys(own)])].flatMap((column) => {
    const [one = "", other = ""] = [getOwn(there, column), getOwn(own, column)];
    return one === other
      ? []
      : [{ column, first: one.slice(0, MAX_VALUE_LENGTH), here: other.slice(0, MAX_VALUE_LENGTH) }];
  });
}

function valuesIn({ attributes = {}, client_reference: reference }: FileRecipient) {
  return reference === undefined ? attributes : { ...attributes, client_reference: reference };
}
