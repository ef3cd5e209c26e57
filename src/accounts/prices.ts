import type { Xof } from "../base/money.ts";
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";
import type { MessageClass } from "./classes.ts";

/** What one segment to an operator costs an account, where that differs from the operator's own price. */
export type AccountPrice = {
  readonly operator: string;
  /** Null: every class without a price of its own. */
  readonly messageClass: MessageClass | null;
  /** Whole XOF per segment. */
  readonly amount: Xof;
};

/**
 * What one segment costs this account now: its price for the operator and class, else for the operator, else
 * `operatorPrice`, the operator's own; null when there is none (decisions.md section 5). A batch keeps the price it was accepted at.
 */
export function priceFor(
  read: Reader,
  accountId: number,
  operator: string,
  messageClass: MessageClass,
  operatorPrice: Xof | undefined,
): Xof | null {
  const priceOf = (name: MessageClass | ""): Xof | undefined =>
    read.get<{ amount: number }>(
      "SELECT amount FROM account_prices WHERE account_id = ? AND operator = ? AND message_class = ?",
      accountId,
      operator,
      name,
    )?.amount;
  return priceOf(messageClass) ?? priceOf("") ?? operatorPrice ?? null;
}

/** Sets an account's price for an operator and class, or for all classes; batches accepted before keep theirs. */
export function setPrice(tx: Tx, accountId: number, price: AccountPrice, nowMs: number): void {
  tx.run(
    `INSERT INTO account_prices (account_id, operator, message_class, amount, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (account_id, operator, message_class)
     DO UPDATE SET amount = excluded.amount, created_at = excluded.created_at`,
    accountId,
    price.operator,
    price.messageClass ?? "",
    price.amount,
    nowMs,
  );
}

/** The account's own prices by operator, the one for all classes first. */
export function listPrices(read: Reader, accountId: number): AccountPrice[] {
  return read
    .all<{ operator: string; message_class: MessageClass | ""; amount: number }>(
      `SELECT operator, message_class, amount FROM account_prices WHERE account_id = ?
       ORDER BY operator, message_class`,
      accountId,
    )
    .map((row) => ({
      operator: row.operator,
      messageClass: row.message_class === "" ? null : row.message_class,
      amount: row.amount,
    }));
}
