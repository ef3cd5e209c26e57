import type { Tx } from "../../db/write.ts";
import { applyChannelOptOut } from "../../domain/inbound/opt-out.ts";
import { recipientOf } from "../../domain/messages/part-lookup.ts";
import type { PostRef } from "./facts-of-posts.ts";
import { notePreference } from "./preferences.ts";

/**
 * Meta refused a post since its user takes no marketing any more: the number is sent none by anybody's sender on it. `saidAtMs`: when Meta
 * refused it; the user may have taken it back since.
 */
export function noteMetaOptOut(
  tx: Tx,
  { messageId, operator }: PostRef,
  { saidAtMs, nowMs }: { readonly saidAtMs: number; readonly nowMs: number },
): void {
  const msisdn = recipientOf(tx, messageId);
  if (!notePreference(tx, { operator, msisdn, isStop: true, saidAtMs })) return;
  applyChannelOptOut(tx, { operator, msisdn, source: "META", word: null }, nowMs);
}
