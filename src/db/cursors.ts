/** How far a pass over what only grows has come, by account and name: what lies before its cursor was handled. */
import type { Reader } from "./reader.ts";
import type { Tx } from "./writer.ts";

/** A place in an order: a time, or a stamp, and the row among those of one time. */
export type PassCursor = { readonly at: number; readonly rowId: number };

/** The cursor of a pass; before everything where it has not begun. */
export function readCursor(read: Reader, accountId: number, pass: string): PassCursor {
  const mark = read.get<PassCursor>(
    "SELECT at, row_id AS rowId FROM cursors WHERE account_id = ? AND pass = ?",
    accountId,
    pass,
  );
  return mark ?? { at: 0, rowId: 0 };
}

export function saveCursor(tx: Tx, accountId: number, pass: string, { at, rowId }: PassCursor): void {
  tx.run(
    `INSERT INTO cursors (account_id, pass, at, row_id) VALUES (?, ?, ?, ?)
     ON CONFLICT (account_id, pass) DO UPDATE SET at = excluded.at, row_id = excluded.row_id`,
    accountId,
    pass,
    at,
    rowId,
  );
}
