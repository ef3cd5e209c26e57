/**
 * Whose number it is that Meta calls a user by (docs/behaviour.md#consent-of-whatsapp). A user may show no number, and then is told by the
 * statuses of posts that reached it; or be called by another number than the one that is written to, as in Côte d'Ivoire, Benin,
 * Mexico, Argentina and Brazil, and then is told by the answers to posts.
 */

import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import { accountsRegisteredWith } from "../../domain/accounts/senders.ts";
import { applyPastOptOuts } from "../../domain/inbound/inbound.ts";
import { recipientOf } from "../../domain/messages/part-lookup.ts";
import { hasSentTo } from "../../domain/messages/recent-sends.ts";
import { applyPreference } from "./obey-preference.ts";
import { readMessagesToWaId, findMessageToUser, findPostByWamid } from "./posts.ts";
import { forgetPreferences, readPreferences } from "./preferences.ts";

/** A user as Meta names it in what the user says. */
export type NamedUser = {
  /** Digits; null for a user who shows no number. */
  readonly from: string | null;
  /** What stands for such a user at Meta. */
  readonly userId: string | null;
  /** Meta's id of the post that the user answered; null where there is none. */
  readonly answers: string | null;
};

/** Posts of a user that are looked at for the numbers that they went to: nobody has many. */
const MAX_POSTS = 50;

/**
 * The numbers by which a user is written to, E.164 with "+", the surest first: that of the post that was answered, then those for which
 * Meta named the user; where there is none, the user's own. None where nothing tells.
 */
export function readUserNumbers(tx: Tx, operator: string, { from, userId, answers }: NamedUser): string[] {
  const numbers = new Set<string>();
  const answered = answers === null ? null : findPostByWamid(tx, answers);
  if (answered !== null) addNumber(numbers, recipientOf(tx, answered.messageId));
  if (from !== null) {
    for (const number of readNumbersByWaId(tx, from)) numbers.add(number);
    // Some may write to it as it is.
    const own = `+${from}`;
    if (numbers.size === 0 || (!numbers.has(own) && isWrittenTo(tx, operator, own))) numbers.add(own);
  } else if (userId !== null && numbers.size === 0) {
    addNumber(numbers, numberOfUser(tx, userId) ?? "");
  }
  return [...numbers];
}

/** The numbers, E.164 with "+", of which Meta said that they are this user's, where the user is called by another; the latest first. */
export function readNumbersByWaId(read: Reader, waId: string): readonly string[] {
  const numbers = new Set<string>();
  for (const messageId of readMessagesToWaId(read, waId, MAX_POSTS))
    addNumber(numbers, recipientOf(read, messageId));
  return [...numbers];
}

/** What stands in place of a number that was erased is none. */
function addNumber(numbers: Set<string>, msisdn: string): void {
  if (msisdn.startsWith("+")) numbers.add(msisdn);
}

function isWrittenTo(tx: Tx, operator: string, msisdn: string): boolean {
  return accountsRegisteredWith(tx, operator).some((accountId) => hasSentTo(tx, accountId, msisdn));
}

/** The number of a user whom Meta calls so, E.164 with "+"; null where nothing tells it, or it was erased. */
function numberOfUser(read: Reader, userId: string): string | null {
  const messageId = findMessageToUser(read, userId);
  const msisdn = messageId === null ? null : recipientOf(read, messageId);
  return msisdn?.startsWith("+") ? msisdn : null;
}

/** In place of a number, what a preference is kept under until the user's is known. */
export function readUserName(userId: string): string {
  return `user:${userId}`;
}

/** A post to this message has reached a user whom Meta calls so: what the user said before is obeyed now. */
export function userIsKnown(tx: Tx, userId: string, messageId: number, nowMs: number): void {
  const msisdn = recipientOf(tx, messageId);
  if (!msisdn.startsWith("+")) return;
  applyPastOptOuts(tx, userId, null, msisdn, nowMs);
  const name = readUserName(userId);
  obeyAsOf(tx, name, msisdn, nowMs);
  forgetPreferences(tx, name);
}

/**
 * Meta says that a number, E.164 with "+", is a user's whom it calls by another, before that is written down. The first time what the user
 * said before is obeyed: it was taken for the other's. Whether it is the first time.
 */
export function numberIsNamed(tx: Tx, waId: string, msisdn: string, nowMs: number): boolean {
  if (readNumbersByWaId(tx, waId).includes(msisdn)) return false;
  const other = `+${waId}`;
  applyPastOptOuts(tx, other, other, msisdn, nowMs);
  obeyAsOf(tx, other, msisdn, nowMs);
  return true;
}

/** Does for a number what was said of marketing under another name. */
function obeyAsOf(tx: Tx, name: string, msisdn: string, nowMs: number): void {
  for (const { operator, saidAt, isStop } of readPreferences(tx, name))
    applyPreference(tx, { operator, msisdn, saidAtMs: saidAt, isStop: isStop === 1 }, nowMs);
}
