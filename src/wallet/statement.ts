import type { Xof } from "../base/money.ts";
import type { Reader } from "../store/read.ts";
import type { Book, PostingKind } from "./postings.ts";

/** One line of a statement. */
export type StatementEntry = {
  readonly id: number;
  readonly atMs: number;
  readonly kind: PostingKind;
  readonly cause: string;
  readonly note: string | null;
  readonly amount: Xof;
  /** What the entry did to the balance: a reservation and its release do nothing to it. */
  readonly balanceChange: Xof;
  /** The balance (funds and reserved) after the entry, counting entries in the ledger only. */
  readonly balance: Xof;
};

type Row = {
  id: number;
  created_at: number;
  kind: PostingKind;
  cause: string;
  note: string | null;
  amount: number;
  debit: Book;
  credit: Book;
};

/** The part of the balance a book is: FUNDS and RESERVED are the account's own, the others are not. */
function share(book: Book): 0 | 1 {
  return book === "FUNDS" || book === "RESERVED" ? 1 : 0;
}

/** The ledger of an account from its beginning, oldest first, with running balance; `fromMs` ≤ entry < `toMs`. */
export function* statement(
  read: Reader,
  accountId: number,
  fromMs: number,
  toMs: number,
): Iterable<StatementEntry> {
  let balance = 0;
  const rows = read.each<Row>(
    `SELECT id, created_at, kind, cause, note, amount, debit, credit
     FROM ledger WHERE account_id = ? ORDER BY id`,
    accountId,
  );
  for (const row of rows) {
    const balanceChange = row.amount * (share(row.credit) - share(row.debit));
    balance += balanceChange;
    if (row.created_at < fromMs || row.created_at >= toMs) continue;
    yield {
      id: row.id,
      atMs: row.created_at,
      kind: row.kind,
      cause: row.cause,
      note: row.note,
      amount: row.amount,
      balanceChange,
      balance,
    };
  }
}
