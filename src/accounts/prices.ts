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

/**
 * Sets an account's price for an operator and class, or for all classes, and keeps the change in the history. Batches
 * accepted before keep their price.
 */
export function setPrice(tx: Tx, accountId: number, price: AccountPrice, nowMs: number): void {
  const values = [accountId, price.operator, price.messageClass ?? "", price.amount, nowMs];
  tx.run(
    `INSERT INTO account_prices (account_id, operator, message_class, amount, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (account_id, operator, message_class)
     DO UPDATE SET amount = excluded.amount, created_at = excluded.created_at`,
    ...values,
  );
  tx.insert(
    "INSERT INTO price_changes (account_id, operator, message_class, amount, created_at) VALUES (?, ?, ?, ?, ?)",
    ...values,
  );
}

type PriceRow = {
  readonly operator: string;
  readonly message_class: MessageClass | "";
  readonly amount: number;
};

/** The account's own prices by operator, the one for all classes first. */
export function listPrices(read: Reader, accountId: number): AccountPrice[] {
  return read
    .all<PriceRow>(
      `SELECT operator, message_class, amount FROM account_prices WHERE account_id = ?
       ORDER BY operator, message_class`,
      accountId,
    )
    .map(priceRecord);
}

/** The newest `limit` prices that were ever set for an account, newest first. */
export function priceChanges(
  read: Reader,
  accountId: number,
  limit: number,
): (AccountPrice & { readonly atMs: number })[] {
  return read
    .all<PriceRow & { readonly at: number }>(
      `SELECT created_at AS at, operator, message_class, amount FROM price_changes WHERE account_id = ?
       ORDER BY id DESC LIMIT ?`,
      accountId,
      limit,
    )
    .map((row) => ({ atMs: row.at, ...priceRecord(row) }));
}

function priceRecord(row: PriceRow): AccountPrice {
  return {
    operator: row.operator,
    messageClass: row.message_class === "" ? null : row.message_class,
    amount: row.amount,
  };
}
