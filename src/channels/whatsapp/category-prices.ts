/** Compares the category that Meta priced deliveries as with that of their class, and stops what is priced as another. */
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import type { MessageClass } from "../../domain/accounts/message-class.ts";
import { readMessageClass } from "../../domain/messages/segments.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { META_CATEGORIES, readBatchNote } from "./match-template.ts";
import type { NumberTrouble } from "./meta-errors.ts";
import type { CloudStatus, PostRef } from "./post-facts.ts";
import { readPostTraces } from "./posts.ts";

/** This many such deliveries stop a template. */
const MAX_MISPRICED = 2;

/** Meta's words for what it prices by the category of a template; what is priced by something else says nothing of the template. */
const CATEGORIES: ReadonlyMap<string, string> = new Map([
  ["authentication", "AUTHENTICATION"],
  ["authentication_international", "AUTHENTICATION"],
  ["utility", "UTILITY"],
  ["marketing", "MARKETING"],
  ["marketing_lite", "MARKETING"],
]);

/**
 * Counts a delivery that Meta priced as another category than its class has. The second one stops the template, or text without a template
 * of its number and class, until a person releases it; what was posted before the release counts no more.
 */
export function notePriceCategory(
  tx: Tx,
  { messageId, n, operator }: PostRef,
  batchId: number,
  { isBillable, category }: Pick<CloudStatus, "isBillable" | "category">,
  nowMs: number,
): NumberTrouble | null {
  const priced = category === null ? undefined : CATEGORIES.get(category.toLowerCase());
  const messageClass = readMessageClass(tx, batchId);
  if (!isBillable || priced === undefined || priced === META_CATEGORIES[messageClass]) return null;
  const note = readBatchNote(tx, batchId);
  if (note?.kind === "direct") {
    const text = { operator, messageClass };
    const postedMs = readPostTraces(tx, messageId).find((post) => post.n === n)?.postedMs ?? nowMs;
    const isNews = noteDirectPrice(tx, text, { priced, postedMs, most: MAX_MISPRICED }, nowMs);
    return isNews ? { kind: "direct", messageClass, priced } : null;
  }
  if (note === null) return null;
  const { wabaId, name, language } = note;
  tx.run(
    `UPDATE whatsapp_templates SET mispriced = mispriced + 1, priced_as = $priced,
       price_stopped_at = iif(price_stopped_at IS NULL AND mispriced + 1 >= $most, $nowMs, price_stopped_at)
     WHERE waba_id = $wabaId AND name = $name AND language = $language
       AND released_at < (SELECT posted_at FROM whatsapp_posts WHERE message_id = $messageId AND n = $n)`,
    { wabaId, name, language, messageId, n, priced, nowMs, most: MAX_MISPRICED },
  );
  return {
    kind: "template",
    wabaId,
    name,
    isNews: mispricedOf(tx, wabaId, name, language) === MAX_MISPRICED,
  };
}

function mispricedOf(
  read: Reader,
  ...key: readonly [wabaId: string, name: string, language: string]
): number {
  const sql = "SELECT mispriced FROM whatsapp_templates WHERE waba_id = ? AND name = ? AND language = ?";
  return read.get<{ mispriced: number }>(sql, ...key)?.mispriced ?? 0;
}

/** Releases a template that was stopped so, in every account that has it so; returns in how many. */
export function releaseTemplate(tx: Tx, name: string, language: string, nowMs: number): number {
  return tx.run(
    `UPDATE whatsapp_templates SET mispriced = 0, price_stopped_at = NULL, released_at = ?
     WHERE name = ? AND language = ? AND price_stopped_at IS NOT NULL`,
    nowMs,
    name,
    language,
  );
}

/** Why a template that was stopped so cannot be sent. */
export function toPriceFault(category: string): Phrase {
  return phrase("template.billed", { category });
}

// Text without a template that Meta prices as another category than its class: it stops, by its number and class, until a person releases
// it, as a template does (docs/behaviour.md#news-of-templates).

/** Text without a template, of a class by a number. */
type DirectText = {
  /** The number's operator code. */
  readonly operator: string;
  readonly messageClass: MessageClass;
};

/** Such text that has stopped. */
type StoppedText = DirectText & {
  /** What Meta priced it as. */
  readonly pricedAs: string;
  /** Epoch milliseconds. */
  readonly sinceMs: number;
};

/** Counts a delivery; the `most`th since the last release stops the text. Returns whether this one did. */
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

/** The category that Meta priced stopped text as; null for text that may leave. */
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

/** Releases such text; returns whether it had stopped. What was posted before counts no more. */
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

/** Moves counts and stops to a number's new operator code. */
export function moveDirectPrices(tx: Tx, from: string, to: string): void {
  tx.run("UPDATE OR REPLACE whatsapp_direct_prices SET operator = ? WHERE operator = ?", to, from);
}

/** Returns another object whenever something was written: then text that had stopped may leave. */
export function readDirectVersion(read: Reader): unknown {
  return read.known("SELECT count(stopped_at) AS stopped FROM whatsapp_direct_prices");
}
