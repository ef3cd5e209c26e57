/** Which category Meta priced deliveries as, and what follows where it is another than that of their class. */

import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import { classOf } from "../../domain/messages/part-lookup.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { readBatchNote } from "./batch-note.ts";
import { noteDirectPrice } from "./direct-prices.ts";
import type { PostRef } from "./facts-of-posts.ts";
import { META_CATEGORIES } from "./match-template.ts";
import { readPostTraces } from "./posts.ts";
import type { CloudStatus } from "./statuses.ts";
import type { NumberTrouble } from "./trouble.ts";

/** So many such deliveries stop a template. */
const MAX_MISPRICED = 2;

/** Meta's words for what it prices by the category of a template; what is priced by something else says nothing of one. */
const CATEGORIES: ReadonlyMap<string, string> = new Map([
  ["authentication", "AUTHENTICATION"],
  ["authentication_international", "AUTHENTICATION"],
  ["utility", "UTILITY"],
  ["marketing", "MARKETING"],
  ["marketing_lite", "MARKETING"],
]);

/**
 * Counts a delivery that Meta priced as another category than its class goes by. The second one stops the template, or text without one of
 * its number and class, until a person releases it; what was posted before that counts no more then.
 */
export function notePriceCategory(
  tx: Tx,
  { messageId, n, operator }: PostRef,
  batchId: number,
  { isBillable, category }: Pick<CloudStatus, "isBillable" | "category">,
  nowMs: number,
): NumberTrouble | null {
  const priced = category === null ? undefined : CATEGORIES.get(category.toLowerCase());
  const messageClass = classOf(tx, batchId);
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

/** Lets a template that was stopped so be sent again, in every account that has it so; in how many. */
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
