import { applyToldOptOut } from "../inbound/opt-out.ts";
import { recipientOf } from "../messages/part-lookup.ts";
import type { Tx } from "../store/write.ts";
import type { PostRef } from "./facts-of-posts.ts";

/** Meta refused a post since its user takes no marketing any more: the number is sent none by anybody's sender on it. */
export function stoppedAtMeta(tx: Tx, { messageId, operator }: PostRef, nowMs: number): void {
  const msisdn = recipientOf(tx, messageId);
  applyToldOptOut(tx, { operator, msisdn, source: "META", word: null }, nowMs);
}
