import type { Xof } from "../../core/money.ts";
import type { Tx } from "../../db/writer.ts";

/** The books of an account; the schema says what each holds. */
export type Book = "CASH" | "FUNDS" | "RESERVED" | "EARNED";

export type PostingKind = "TOPUP" | "ADJUSTMENT" | "RESERVE" | "CHARGE" | "RELEASE";

type Posting = {
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
 * Writes one posting; false when its cause is in the books already, and then nothing was written. It bears the time that
 * it is given, whatever the entries before it bear: what was posted under a clock that ran ahead dates itself alone.
 */
export function post(tx: Tx, posting: Posting): boolean {
  return (
    tx.run(
      `INSERT INTO ledger (account_id, kind, debit, credit, amount, cause, batch_id, note, created_at)
       VALUES ($accountId, $kind, $debit, $credit, $amount, $cause, $batchId, $note, $atMs)
       ON CONFLICT (cause) DO NOTHING`,
      posting,
    ) === 1
  );
}
