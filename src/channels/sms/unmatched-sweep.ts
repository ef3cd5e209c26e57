/**
 * Settles unmatched receipts a step at a time where no response does: operators share an account since, an account is known by
 * now to mark its receipts, or not to, and time passes.
 * Unmarked texts that look like receipts (docs/behaviour.md#marked-receipts) are receipts once their account
 * is known to send them so, and subscribers' texts when a marked one comes, or when nothing was known for too long.
 */
import type { Clock } from "../../core/clock.ts";
import type { Reader } from "../../db/reader.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import { type InboundRules, receiveInbound } from "../../domain/inbound/inbound.ts";
import { type FactSession, openFacts } from "../../domain/messages/apply-facts.ts";
import { hasUnswept, noteSwept } from "../../domain/messages/operator-codes.ts";
import { retryUnmatchedReceipt } from "./delivery-receipts.ts";
import { accountToSweep, noteAccountSwept, readReceiptMarking } from "./receipt-detection.ts";
import { receivedText } from "./received-text.ts";
import {
  deleteUnmatchedReceipt,
  listUnmarkedAfter,
  listUnmatchedAfter,
  oldestWithText,
  readUnmatchedText,
  UNMATCHED_KEPT_MS,
  type UnmatchedReceipt,
} from "./unmatched-receipts.ts";

/** Receipts settled in one transaction. */
const STEP = 100;

/**
 * One step at each call; true when there may be more. A round that a stop cuts short begins again at the next start.
 */
export function unmatchedSweep(store: Store, clock: Clock, rules: InboundRules): () => Promise<boolean> {
  let round: { readonly of: string | null; readonly after: number } | null = null;

  /** The account whose texts are to be settled, or null for all receipts of changed families; undefined for neither. */
  const due = (): string | null | undefined =>
    accountToSweep(store.read) ?? (hasUnswept(store.read) ? null : undefined);

  const stepOf = (of: string | null): Promise<number | null> => {
    const after = round?.of === of ? round.after : 0;
    return store.write((tx) => {
      const session = openFacts(tx, clock.nowMs());
      let last: number | null;
      if (of === null) {
        const page = listUnmatchedAfter(tx, after, STEP);
        for (const parked of page) retryUnmatchedReceipt(tx, session, parked);
        last = page.length < STEP ? null : (page.at(-1)?.rowId ?? null);
        if (last === null) noteSwept(tx);
      } else {
        last = settleTexts(tx, session, rules, { account: of, after, limit: STEP });
        if (last === null) noteAccountSwept(tx, of);
      }
      session.close();
      return last;
    });
  };

  return async () => {
    const of = due();
    if (of === undefined) return false;
    const last = await stepOf(of);
    round = last === null ? null : { of, after: last };
    return true;
  };
}

/** One step: makes unmatched texts inbound texts when their account stayed unknown for too long. True when there may be more. */
export async function expireUnmatchedTexts(
  store: Store,
  clock: Clock,
  rules: InboundRules,
): Promise<boolean> {
  if (!hasOldTexts(store.read, clock.nowMs())) return false;
  return (await store.write((tx) => giveUpTexts(tx, rules, clock.nowMs(), STEP))) === STEP;
}

/**
 * Settles a page of an account's unmatched texts after one, by what is known of the account now: returns the last of them, or null
 * when there are no more.
 */
export function settleTexts(
  tx: Tx,
  session: FactSession,
  rules: InboundRules,
  { account, after, limit }: { readonly account: string; readonly after: number; readonly limit: number },
): number | null {
  const page = listUnmarkedAfter(tx, account, after, limit);
  const isNone = readReceiptMarking(tx, account) === "marked";
  for (const parked of page) {
    if (isNone) becomeText(tx, rules, parked);
    else retryUnmatchedReceipt(tx, session, parked);
  }
  return page.length < limit ? null : (page.at(-1)?.rowId ?? null);
}

/** Whether the oldest unmatched text has waited long enough. */
function hasOldTexts(read: Reader, nowMs: number): boolean {
  return oldestWithText(read, 1).some(({ receivedAtMs }) => receivedAtMs < nowMs - UNMATCHED_KEPT_MS);
}

/** Makes inbound texts of the oldest unmatched texts whose time is over; how many. */
export function giveUpTexts(tx: Tx, rules: InboundRules, nowMs: number, limit: number): number {
  const old = oldestWithText(tx, limit).filter(
    ({ receivedAtMs }) => receivedAtMs < nowMs - UNMATCHED_KEPT_MS,
  );
  for (const parked of old) becomeText(tx, rules, parked);
  return old.length;
}

/** A receipt stored before texts were is left to its age. */
function becomeText(tx: Tx, rules: InboundRules, parked: UnmatchedReceipt): void {
  const message = readUnmatchedText(tx, parked.rowId);
  if (!message) return;
  const { operator, connection, receivedAtMs } = parked;
  receiveInbound(tx, rules, { operator, connection: connection ?? 1 }, receivedText(message), receivedAtMs);
  deleteUnmatchedReceipt(tx, parked);
}
