/**
 * Text without a template that Meta prices as another category than its class: it stops, by its number and class, until a person says so, as a
 * template does (docs/behaviour.md#news-of-templates).
 */

import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import type { MessageClass } from "../../domain/accounts/classes.ts";

/** Text without a template, of a class by a number. */
export type DirectText = {
  /** The number's operator code. */
  readonly operator: string;
  readonly messageClass: MessageClass;
};

/** Such text that has stopped. */
export type StoppedText = DirectText & {
  /** What Meta priced it as. */
  readonly pricedAs: string;
  /** Epoch milliseconds. */
  readonly sinceMs: number;
};

/** Counts a delivery; the `most`th since somebody looked stops the text. Whether this one did. */
export function noteDirectPrice(
  tx: Tx,
  { operator, messageClass }: DirectText,
  { priced, postedMs, most }: { readonly priced: string; readonly postedMs: number; readonly most: number },
  nowMs: number,
): boolean {
  const counted = tx.run(
    `INSERT INTO whatsapp_direct_prices (operator, message_class, mispriced, priced_as) VALUES ($operator, $messageClass, 1, $priced)
     ON CONFLICT (operator, message_class) DO UPDATE SET mispriced = mispriced + 1, priced_as = $priced,
       stopped_at = iif(stopped_at IS NULL AND mispriced + 1 >= $most, $nowMs, stopped_at)
     WHERE released_at < $postedMs`,
    { operator, messageClass, priced, postedMs, most, nowMs },
  );
  return counted > 0 && tx.get<{ mispriced: number }>(COUNTED, operator, messageClass)?.mispriced === most;
}

const COUNTED = "SELECT mispriced FROM whatsapp_direct_prices WHERE operator = ? AND message_class = ?";

/** What Meta priced it as, of text that has stopped; null of text that may leave. */
export function findDirectStop(read: Reader, { operator, messageClass }: DirectText): string | null {
  const sql =
    "SELECT priced_as AS pricedAs FROM whatsapp_direct_prices WHERE operator = ? AND message_class = ? AND stopped_at IS NOT NULL";
  return read.known<{ pricedAs: string }>(sql, operator, messageClass)?.pricedAs ?? null;
}

/** All that has stopped, by number and class. */
export function readStoppedTexts(read: Reader): StoppedText[] {
  return read.all<StoppedText>(
    `SELECT operator, message_class AS messageClass, priced_as AS pricedAs, stopped_at AS sinceMs FROM whatsapp_direct_prices
     WHERE stopped_at IS NOT NULL ORDER BY operator, message_class`,
  );
}

/** Lets such text leave again; whether it had stopped. What was posted before counts no more. */
export function releaseDirect(tx: Tx, operator: string, messageClass: string, nowMs: number): boolean {
  const released = tx.run(
    `UPDATE whatsapp_direct_prices SET mispriced = 0, stopped_at = NULL, released_at = ?
     WHERE operator = ? AND message_class = ? AND stopped_at IS NOT NULL`,
    nowMs,
    operator,
    messageClass,
  );
  return released > 0;
}

/** A number has another operator code: what is counted and stopped there goes with it. */
export function moveDirectPrices(tx: Tx, from: string, to: string): void {
  tx.run("UPDATE OR REPLACE whatsapp_direct_prices SET operator = ? WHERE operator = ?", to, from);
}

/** Another object whenever something was written: then text that had stopped may leave. */
export function readDirectVersion(read: Reader): unknown {
  return read.known("SELECT count(stopped_at) AS stopped FROM whatsapp_direct_prices");
}
