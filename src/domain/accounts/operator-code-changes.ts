/** What accounts have under an operator's code: registrations of their senders, and prices of their own. */
import type { Xof } from "../../core/money.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import type { MessageClass } from "./message-class.ts";

/** How many registrations and prices stand under one code. */
export type CodeUsage = {
  readonly operator: string;
  readonly registrations: number;
  readonly prices: number;
};

/** Every code that registrations or prices stand under, configured or not: an operator's, or, of registrations, that of a route. */
export function codesInUse(read: Reader): CodeUsage[] {
  return read.all<CodeUsage>(
    `SELECT operator, sum(registrations) AS registrations, sum(prices) AS prices FROM (
       SELECT operator, count(*) AS registrations, 0 AS prices FROM sender_registrations GROUP BY operator
       UNION ALL
       SELECT operator, 0, count(*) FROM account_prices GROUP BY operator)
     GROUP BY operator ORDER BY operator`,
  );
}

/** What stands under one code; under an operator's with what its routes have. */
export function countUnderCode(read: Reader, code: string): CodeUsage {
  const sum = { operator: code, registrations: 0, prices: 0 };
  for (const { operator, registrations, prices } of codesInUse(read)) {
    if (operator !== code && !operator.startsWith(`${code}/`)) continue;
    sum.registrations += registrations;
    sum.prices += prices;
  }
  return sum;
}

/** An operator's code, and what the codes of its routes begin with. */
const OF_OPERATOR = "(operator = $operator OR operator BETWEEN $operator || '/' AND $operator || '/~')";

/**
 * Hands the registrations of one operator, and those of its routes, to another, or those of one route to another route; how many. One that
 * the other has already is kept once.
 */
export function moveRegistrations(tx: Tx, fromCode: string, toCode: string): number {
  tx.run(
    `INSERT INTO sender_registrations (sender_id, operator, created_at)
     SELECT sender_id, $toCode || substr(operator, length($operator) + 1), created_at
     FROM sender_registrations WHERE ${OF_OPERATOR}
     ON CONFLICT (sender_id, operator) DO NOTHING`,
    { operator: fromCode, toCode },
  );
  return tx.run(`DELETE FROM sender_registrations WHERE ${OF_OPERATOR}`, { operator: fromCode });
}

/** The codes of an operator's routes that registrations stand under, in order. */
export function registeredRoutes(read: Reader, operator: string): string[] {
  return codesInUse(read)
    .filter(({ operator: code, registrations }) => registrations > 0 && code.startsWith(`${operator}/`))
    .map(({ operator: code }) => code);
}

/** A price that an account had for both operators. */
type RetainedPrice = {
  readonly accountUlid: string;
  readonly accountName: string;
  /** Null: every class without a price of its own. */
  readonly messageClass: MessageClass | null;
  /** What stays, and what is gone with the code that was left. */
  readonly kept: Xof;
  readonly dropped: Xof;
};

/**
 * Moves the accounts' own prices for one operator to another, and keeps the change in the history. A price that the other has stays: those
 * are returned. How many went over.
 */
export function movePrices(
  tx: Tx,
  fromCode: string,
  toCode: string,
  nowMs: number,
): { readonly moved: number; readonly kept: RetainedPrice[] } {
  const kept = tx
    .all<Omit<RetainedPrice, "messageClass"> & { messageClass: MessageClass | "" }>(
      `SELECT a.ulid AS accountUlid, a.name AS accountName, there.message_class AS messageClass,
         there.amount AS kept, here.amount AS dropped
       FROM account_prices here
         JOIN account_prices there USING (account_id, message_class)
         JOIN accounts a ON a.id = here.account_id
       WHERE here.operator = ? AND there.operator = ? ORDER BY a.id, there.message_class`,
      fromCode,
      toCode,
    )
    .map((row) => ({ ...row, messageClass: row.messageClass === "" ? null : row.messageClass }));
  const moved = tx.run(
    `INSERT INTO price_changes (account_id, operator, message_class, amount, created_at, previous_amount)
     SELECT account_id, ?2, message_class, amount, ?3, NULL FROM account_prices here
     WHERE operator = ?1 AND NOT EXISTS (SELECT 1 FROM account_prices there WHERE there.account_id = here.account_id
       AND there.operator = ?2 AND there.message_class = here.message_class)`,
    fromCode,
    toCode,
    nowMs,
  );
  tx.run(
    `INSERT INTO account_prices (account_id, operator, message_class, amount, created_at)
     SELECT account_id, ?2, message_class, amount, ?3 FROM account_prices WHERE operator = ?1
     ON CONFLICT (account_id, operator, message_class) DO NOTHING`,
    fromCode,
    toCode,
    nowMs,
  );
  tx.run(
    `INSERT INTO price_changes (account_id, operator, message_class, amount, created_at, previous_amount)
     SELECT account_id, operator, message_class, NULL, ?2, amount FROM account_prices WHERE operator = ?1`,
    fromCode,
    nowMs,
  );
  tx.run("DELETE FROM account_prices WHERE operator = ?", fromCode);
  return { moved, kept };
}
