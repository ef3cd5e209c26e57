/**
 * Prices per segment that an account has for itself, by operator and message class, with their history and a check of prices
 * against it.
 */
import type { Xof } from "../../core/money.ts";
import { toLiveId } from "../../core/sandbox.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import type { MessageClass } from "./message-class.ts";

/** Which price of an account is meant. */
export type PriceOf = {
  readonly operator: string;
  /** Null: every class without a price of its own. */
  readonly messageClass: MessageClass | null;
};

/** What one segment to an operator costs an account, where that differs from the operator's own price. */
type AccountPrice = PriceOf & {
  /** Whole XOF per segment. */
  readonly amount: Xof;
};

/**
 * What one segment costs this account now: its price for the operator and class, else for the operator, else
 * `operatorPrice`, the operator's own; null when there is none (docs/behaviour.md#price). A batch keeps the price it
 * was accepted at. A sandbox has the prices of its account.
 */
export function findPrice(
  read: Reader,
  accountId: number,
  operator: string,
  messageClass: MessageClass,
  operatorPrice: Xof | undefined,
): Xof | null {
  const priceOf = (name: MessageClass | ""): Xof | undefined =>
    read.known<{ amount: number }>(
      "SELECT amount FROM account_prices WHERE account_id = ? AND operator = ? AND message_class = ?",
      toLiveId(accountId),
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
  recordChange(tx, accountId, price, price.amount, nowMs);
  tx.run(
    `INSERT INTO account_prices (account_id, operator, message_class, amount, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (account_id, operator, message_class)
     DO UPDATE SET amount = excluded.amount, created_at = excluded.created_at`,
    ...keyOf(accountId, price),
    price.amount,
    nowMs,
  );
}

/**
 * Takes an account's own price for an operator and class, or for all classes, away again, so that what stands behind
 * it counts; false when there is none.
 */
export function unsetPrice(tx: Tx, accountId: number, price: PriceOf, nowMs: number): boolean {
  const stands = tx.get(
    "SELECT 1 FROM account_prices WHERE account_id = ? AND operator = ? AND message_class = ?",
    ...keyOf(accountId, price),
  );
  if (!stands) return false;
  recordChange(tx, accountId, price, null, nowMs);
  tx.run(
    "DELETE FROM account_prices WHERE account_id = ? AND operator = ? AND message_class = ?",
    ...keyOf(accountId, price),
  );
  return true;
}

/** Adds a change to the history before it is made: it names the price that it finds, and so proves the one before it. */
function recordChange(tx: Tx, accountId: number, price: PriceOf, amount: Xof | null, nowMs: number): void {
  tx.insert(
    `INSERT INTO price_changes (account_id, operator, message_class, amount, created_at, previous_amount)
     VALUES (?1, ?2, ?3, ?4, ?5,
       (SELECT amount FROM account_prices WHERE account_id = ?1 AND operator = ?2 AND message_class = ?3))`,
    ...keyOf(accountId, price),
    amount,
    nowMs,
  );
}

function keyOf(accountId: number, price: PriceOf): [number, string, string] {
  return [accountId, price.operator, price.messageClass ?? ""];
}

type PriceRow<Amount> = {
  readonly operator: string;
  readonly message_class: MessageClass | "";
  readonly amount: Amount;
};

/** The account's own prices by operator, the one for all classes first. */
export function listPrices(read: Reader, accountId: number): AccountPrice[] {
  return read
    .all<PriceRow<number>>(
      `SELECT operator, message_class, amount FROM account_prices WHERE account_id = ?
       ORDER BY operator, message_class`,
      accountId,
    )
    .map((row) => ({ ...priceOf(row), amount: row.amount }));
}

/** One time that a price was set, or taken away: then `amount` is null. */
type PriceChange = PriceOf & { readonly atMs: number; readonly amount: Xof | null };

/** The newest `limit` changes of an account's prices, newest first. */
export function priceChanges(read: Reader, accountId: number, limit: number): PriceChange[] {
  return read
    .all<PriceRow<number | null> & { readonly at: number }>(
      `SELECT created_at AS at, operator, message_class, amount FROM price_changes WHERE account_id = ?
       ORDER BY id DESC LIMIT ?`,
      accountId,
      limit,
    )
    .map((row) => ({ atMs: row.at, ...priceOf(row), amount: row.amount }));
}

function priceOf(row: PriceRow<unknown>): PriceOf {
  return { operator: row.operator, messageClass: row.message_class === "" ? null : row.message_class };
}

/**
 * Prices that are not what their history says was set last, or that it says were taken away, and changes that found
 * another price than the one before them left.
 */
export function priceDifferences(read: Reader): Phrase[] {
  return [...standingDifferences(read), ...historyDifferences(read)];
}

type OperatorPriceRow = PriceRow<number | null> & { readonly ulid: string };

function standingDifferences(read: Reader): Phrase[] {
  return read
    .all<OperatorPriceRow & { readonly set: number | null }>(
      `WITH last AS (
         SELECT account_id, operator, message_class, amount AS "set" FROM price_changes
         WHERE id IN (SELECT max(id) FROM price_changes GROUP BY account_id, operator, message_class))
       SELECT a.ulid, operator, message_class, p.amount, last."set"
       FROM account_prices p FULL JOIN last USING (account_id, operator, message_class)
         JOIN accounts a ON a.id = account_id
       WHERE p.amount IS NOT last."set" ORDER BY account_id, operator, message_class`,
    )
    .map((row) =>
      phrase("fault.books.price.standing", {
        whose: pricePhrase(row),
        amount: amountPhrase(row.amount),
        set: row.set === null ? amountPhrase(null) : phrase("fault.books.price.plain", { amount: row.set }),
      }),
    );
}

function historyDifferences(read: Reader): Phrase[] {
  return read
    .all<OperatorPriceRow & { readonly id: number; readonly found: number | null }>(
      `SELECT h.id, a.ulid, h.operator, h.message_class, h.amount, h.found
       FROM (SELECT id, account_id, operator, message_class, previous_amount AS found,
           lag(amount) OVER (PARTITION BY account_id, operator, message_class ORDER BY id) AS amount
         FROM price_changes) h JOIN accounts a ON a.id = h.account_id
       WHERE h.found IS NOT h.amount ORDER BY h.id`,
    )
    .map((row) =>
      phrase("fault.books.price.change", {
        whose: pricePhrase(row),
        change: row.id,
        found: amountPhrase(row.found),
        left: amountPhrase(row.amount),
      }),
    );
}

function pricePhrase({ ulid: account, operator, message_class }: OperatorPriceRow): Phrase {
  return message_class
    ? phrase("fault.books.price.of_class", { account, operator, message_class })
    : phrase("fault.books.price.of_all", { account, operator });
}

function amountPhrase(amount: Xof | null): Phrase {
  return amount === null ? phrase("fault.books.price.none") : phrase("fault.books.price.amount", { amount });
}
