/** The rows of a file that nothing is sent for, as they stand there, so that they can be corrected and brought again. */
import { accepted, type Outcome } from "../base/failures.ts";
import { type Columns, columnsOf } from "./columns.ts";
import { readRow } from "./read-row.ts";
import { type ReadOptions, withRows } from "./recipients.ts";

export type LeftOutRow = {
  readonly line: number;
  readonly cells: readonly string[];
  /** Why it is no recipient; null of one that is. */
  readonly cause: string | null;
  /** Why nothing is sent to a recipient: the code that `rejected` has for its line. */
  readonly reason: string | null;
};

export type LeftOutRows = {
  /** What the columns are called; null where the first row is a recipient already. */
  readonly headings: readonly string[] | null;
  /** The place of the column of numbers. */
  readonly msisdn: number;
  readonly rows: readonly LeftOutRow[];
};

/** Whose number stands further up gets the text there: sent again, it would be paid a second time. */
const IS_SENT_ALREADY = "DUPLICATE_IN_BATCH";

/**
 * Rows that cannot be read, and those whose line is among `rejected`, in the order of the file. Without those that repeat a number: what is
 * brought again is only what got nothing.
 */
export function leftOutRows(
  bytes: Uint8Array,
  options: ReadOptions,
  rejected: ReadonlyMap<number, string>,
): Outcome<LeftOutRows, "INVALID_FILE"> {
  return withRows<LeftOutRows>(bytes, options.mostUnpackedBytes, (rows) => {
    const left: LeftOutRow[] = [];
    let columns: Columns | null = null;
    let headings: readonly string[] | null = null;
    for (const row of rows) {
      const cells = row.cells.map(({ text }) => text);
      if (columns === null) {
        const found = columnsOf(row, options.column);
        if (!found.ok) return found;
        columns = found.value;
        if (!columns.isHeadless) {
          headings = cells;
          continue;
        }
      }
      const read = readRow(row, columns, options.isNumber);
      const cause = "cause" in read ? read.cause : null;
      const reason = rejected.get(row.line) ?? null;
      if (reason === IS_SENT_ALREADY) continue;
      if (cause !== null || reason !== null) left.push({ line: row.line, cells, cause, reason });
    }
    return accepted({ headings, msisdn: columns?.msisdn ?? 0, rows: left });
  });
}
