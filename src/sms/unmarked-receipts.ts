/**
 * What becomes of parked texts that look like receipts and bear no mark (docs/behaviour.md#marked-receipts): they
 * are receipts once their account is sure to send them so, and subscribers' texts when a marked one comes, or when nothing
 * was sure for as long as receipts are kept.
 */

import { type InboundRules, takeInbound } from "../inbound/inbound.ts";
import type { FactSession } from "../messages/apply-facts.ts";
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";
import {
  oldestWithText,
  PARKED_FOR_MS,
  type ParkedReceipt,
  unmarkedAfter,
  unpark,
} from "./parked-receipts.ts";
import { parkedText } from "./parked-texts.ts";
import { habitOf } from "./receipt-habit.ts";
import { retryParked } from "./receipts.ts";
import { receivedText } from "./received-text.ts";

/**
 * Settles a page of an account's parked texts after one, as the account is known by now: the last of them, or null when
 * there are no more.
 */
export function settleTexts(
  tx: Tx,
  session: FactSession,
  rules: InboundRules,
  { account, after, limit }: { readonly account: string; readonly after: number; readonly limit: number },
): number | null {
  const page = unmarkedAfter(tx, account, after, limit);
  const isNone = habitOf(tx, account) === "marked";
  for (const parked of page) {
    if (isNone) becomeText(tx, rules, parked);
    else retryParked(tx, session, parked);
  }
  return page.length < limit ? null : (page.at(-1)?.rowId ?? null);
}

/** Whether the oldest text that is parked has waited long enough. */
export function hasOldTexts(read: Reader, nowMs: number): boolean {
  return oldestWithText(read, 1).some(({ receivedAtMs }) => receivedAtMs < nowMs - PARKED_FOR_MS);
}

/** Of the oldest texts that were parked, makes those inbound texts whose time is over; how many. */
export function giveUpTexts(tx: Tx, rules: InboundRules, nowMs: number, limit: number): number {
  const old = oldestWithText(tx, limit).filter(({ receivedAtMs }) => receivedAtMs < nowMs - PARKED_FOR_MS);
  for (const parked of old) becomeText(tx, rules, parked);
  return old.length;
}

/** What has no text beside it was parked before texts were: it is left to its age. */
function becomeText(tx: Tx, rules: InboundRules, parked: ParkedReceipt): void {
  const message = parkedText(tx, parked.rowId);
  if (!message) return;
  const { operator, connection, receivedAtMs } = parked;
  takeInbound(tx, rules, { operator, connection: connection ?? 1 }, receivedText(message), receivedAtMs);
  unpark(tx, parked);
}
