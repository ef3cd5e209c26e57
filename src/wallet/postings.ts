import type { Xof } from "../base/money.ts";
import type { Tx } from "../store/write.ts";

/** The books of an account; the schema says what each holds. */
export type Book = "CASH" | "FUNDS" | "RESERVED" | "EARNED";

export type PostingKind = "TOPUP" | "ADJUSTMENT" | "RESERVE" | "CHARGE" | "RELEASE";

export type Posting = {
  readonly accountId: number;
  readonly kind: PostingKind;
  readonly debit: Book;
  readonly credit: Book;
  /** Above zero. */
  readonly amount: Xof;
  /** What made it: unique for ever, so that a repeat is a no-op. */
  readonly cause: string;
  readonly batchId: number | null;
  readonly note: string | null;
  readonly atMs: number;
};

/**
 * Writes one posting; false when its cause is in the books already, and then nothing was written. Entries of an account
 * never go back in time, even where the clock does: a statement of a closed month never changes.
 */
export function post(tx: Tx, posting: Posting): boolean {
  return (
    tx.run(
      `INSERT INTO ledger (account_id, kind, debit, credit, amount, cause, batch_id, note, created_at)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,
         max(?9, coalesce((SELECT created_at FROM ledger WHERE account_id = ?1 ORDER BY created_at DESC LIMIT 1), 0)))
       ON CONFLICT (cause) DO NOTHING`,
      posting.accountId,
      posting.kind,
      posting.debit,
      posting.credit,
      posting.amount,
      posting.cause,
      posting.batchId,
      posting.note,
      posting.atMs,
    ) === 1
  );
}
