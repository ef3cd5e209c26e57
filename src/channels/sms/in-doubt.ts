/**
 * Whose a receipt is that names an id nobody gave: the response that would have brought it was lost. It may settle
 * the submit that nobody answered, but money follows, so it must be the only one it can be about
 * (docs/behaviour.md#unanswered-submits).
 */

import type { Reader } from "../../db/read.ts";
import { awaitingAnswer, type Whereabouts, whereaboutsOf } from "../../domain/messages/part-lookup.ts";
import { split } from "../../text/segments.ts";
import { type UnknownOutcome, findUnknownOutcomes } from "./doubts.ts";
import { numberKey, numbersAgree } from "./number-key.ts";
import { wasSubmitted } from "./receipt-match.ts";

/** A receipt without an owner. */
export type ReceiptWithoutId = {
  /** Every operator it may belong to. */
  readonly family: readonly string[];
  /** The handset's, as the operator writes it. */
  readonly msisdn: string;
  /** Its number among the parked ones; null when it came this moment. */
  readonly unmatchedId: number | null;
  /** Said to be a receipt by more than its text, which a subscriber could have typed. */
  readonly isMarked: boolean;
  readonly text: string | null;
};

/**
 * The submit it must be about, with its message's number; null when there is none, or more than one. Its `submit date:` is
 * no evidence: it is another machine's clock in a zone of its own, and ours may have been set since.
 */
export function findUnansweredSubmit(read: Reader, receipt: ReceiptWithoutId): (UnknownOutcome & { readonly msisdn: string }) | null {
  const key = numberKey(receipt.msisdn);
  if (key === null || !receipt.isMarked) return null;
  const doubts = findUnknownOutcomes(read, receipt.family, key);
  if (doubts.length === 0) return null;
  const messages = new Map<number, Whereabouts>();
  for (const { messageId } of doubts) {
    const found = messages.get(messageId) ?? whereaboutsOf(read, messageId);
    if (found && numbersAgree(found.msisdn, receipt.msisdn)) messages.set(messageId, found);
  }
  const numbers = new Set([...messages.values()].map(({ msisdn }) => msisdn));
  const awaiting = [...numbers].flatMap((msisdn) => awaitingAnswer(read, receipt.family, msisdn));
  const isRival = awaiting.some(
    (other) => !messages.has(other.messageId) && wasSubmitted(other, receipt.unmatchedId),
  );
  if (isRival) return null;
  const fitting = doubts.filter((doubt) => {
    const message = messages.get(doubt.messageId);
    return message !== undefined && fits(doubt, message, receipt);
  });
  const [first] = fitting;
  const message = first && messages.get(first.messageId);
  if (!message || fitting.some(({ messageId }) => messageId !== first.messageId)) return null;
  const chosen = oneOf(fitting, message);
  // Of a text of several segments it may be about one whose response is still to come: that will bring its id.
  const isCopied = awaiting.some(
    ({ messageId, isUnderWay }) => messageId === first.messageId && isUnderWay === 1,
  );
  if (!chosen || (isCopied && message.segments > 1) || mayBeOfFewer(chosen, fitting)) return null;
  return { ...chosen, msisdn: message.msisdn };
}

function carriesSeveral({ firstPart, lastPart }: UnknownOutcome): boolean {
  return lastPart > firstPart;
}

/** Whether another copy in doubt carried other segments than one that carried several: a receipt of that says nothing of all of these. */
function mayBeOfFewer(chosen: UnknownOutcome, fitting: readonly UnknownOutcome[]): boolean {
  const isSame = (one: UnknownOutcome) => one.firstPart === chosen.firstPart && one.lastPart === chosen.lastPart;
  return carriesSeveral(chosen) && !fitting.every(isSame);
}

/**
 * The only one, or any of a text of one segment. Several segments of a text may change places, and the first will do, where each was
 * submitted once and none is submitted again: two copies of one segment would have two ids, and pass for two segments.
 */
function oneOf(fitting: readonly UnknownOutcome[], message: Whereabouts): UnknownOutcome | null {
  const [first] = fitting;
  if (!first || fitting.length === 1 || message.segments === 1) return first ?? null;
  const places = new Set(fitting.map(({ firstPart }) => firstPart));
  const isEachOnce =
    places.size === fitting.length && !fitting.some(({ firstPart }) => message.named.has(firstPart));
  return isEachOnce && message.status === "SUBMITTED" ? first : null;
}

function fits(doubt: UnknownOutcome, message: Whereabouts, receipt: ReceiptWithoutId): boolean {
  if (!wasSubmitted(doubt, receipt.unmatchedId)) return false;
  if (receipt.text === null) return true;
  return textAgrees(receipt.text, split(message.text).parts[doubt.firstPart - 1] ?? "");
}

/** Fewer letters and digits than this tell nothing. */
const MIN_LETTERS = 4;

/**
 * Whether what stands behind `Text:` may be our segment's beginning. Only plain letters and digits are held together,
 * since what operators make of the others differs; a text of hardly any agrees with everything.
 */
export function textAgrees(told: string, ours: string): boolean {
  const plain = (text: string) => text.replace(/[^0-9A-Za-z]/g, "");
  const said = plain(told);
  if (said.length < MIN_LETTERS) return true;
  const text = plain(ours);
  return text.startsWith(said) || (text.length >= MIN_LETTERS && said.startsWith(text));
}
