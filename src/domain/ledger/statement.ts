/** The statement of a wallet: its ledger entries in order, each with the balance after it. */
import type { Xof } from "../../core/money.ts";
import type { Reader } from "../../db/reader.ts";
import { standingBefore } from "./checkpoints.ts";
import type { Book, PostingKind } from "./wallet.ts";

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

/** The balance that the entries of an account made before `beforeMs` come to. */
export async function balanceBefore(
  read: Reader,
  accountId: number,
  beforeMs: number,
  pause: () => Promise<void> | undefined,
): Promise<Xof> {
  const { funds, reserved } = await standingBefore(read, accountId, beforeMs, pause);
  return funds + reserved;
}

/** Entries read in one go. */
const PAGE = 1000;

/**
 * The next entries of an account, oldest first, up to a thousand: those made from the instant of `after` on and before
 * `toMs`, without the entry that `after` names and those before it; the balance runs on from `opening`.
 */
export function statement(
  read: Reader,
  accountId: number,
  after: { readonly atMs: number; readonly id: number },
  toMs: number,
  opening: Xof,
): StatementEntry[] {
  let balance = opening;
  const rows = read.all<Row>(
    `SELECT id, created_at, kind, cause, note, amount, debit, credit
     FROM ledger WHERE account_id = ? AND (created_at, id) > (?, ?) AND created_at < ?
     ORDER BY created_at, id LIMIT ?`,
    accountId,
    after.atMs,
    after.id,
    toMs,
    PAGE,
  );
  return rows.map((row) => {
    const balanceChange = row.amount * (share(row.credit) - share(row.debit));
    balance += balanceChange;
    return {
      id: row.id,
      atMs: row.created_at,
      kind: row.kind,
      cause: row.cause,
      note: row.note,
      amount: row.amount,
      balanceChange,
      balance,
    };
  });
}
