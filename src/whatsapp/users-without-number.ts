/** Users who show no number: whose they are is told by the statuses of posts that reached them (docs/behaviour.md#consent-of-whatsapp). */
import { heedUnknown } from "../inbound/inbound.ts";
import { recipientOf } from "../messages/part-lookup.ts";
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";
import { obeyPreference } from "./obey-preference.ts";
import { messageToUser } from "./posts.ts";
import { forgetPreferences, preferencesOf } from "./preferences.ts";

/** The number of a user whom Meta calls so, E.164 with "+"; null where nothing tells it, or it was erased. */
export function numberOfUser(read: Reader, userId: string): string | null {
  const messageId = messageToUser(read, userId);
  const msisdn = messageId === null ? null : recipientOf(read, messageId);
  return msisdn?.startsWith("+") ? msisdn : null;
}

/** In place of a number, what a preference is kept under until the user's is known. */
export function nameOfUser(userId: string): string {
  return `user:${userId}`;
}

/** A post to this message has reached a user whom Meta calls so: what the user said before is obeyed now. */
export function userIsKnown(tx: Tx, userId: string, messageId: number, nowMs: number): void {
  const msisdn = recipientOf(tx, messageId);
  if (!msisdn.startsWith("+")) return;
  heedUnknown(tx, userId, msisdn, nowMs);
  const name = nameOfUser(userId);
  const said = preferencesOf(tx, name);
  if (said.length === 0) return;
  forgetPreferences(tx, name);
  for (const { operator, saidAt, isStop } of said)
    obeyPreference(tx, { operator, msisdn, saidAtMs: saidAt, isStop: isStop === 1 }, nowMs);
}
