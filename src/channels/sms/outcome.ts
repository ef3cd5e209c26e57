import type { Tx } from "../../db/write.ts";
import type { FactSession } from "../../domain/messages/apply-facts.ts";
import type { PartTrace } from "../../domain/messages/facts.ts";
import { familyOf } from "../../domain/messages/operator-family.ts";
import { recipientOf } from "../../domain/messages/part-lookup.ts";
import { moveNamedPart } from "../../domain/messages/part-rows.ts";
import { type SentSegment, recordUnaccepted, toPartTrace } from "./departures.ts";
import { resolveByResponse, reopenUnknownOutcome } from "./doubts.ts";
import { canonicalId } from "./id-readings.ts";
import { numberKey } from "./number-key.ts";
import { hasUnmatchedReceipts } from "./parked-lookup.ts";
import { applyUnmatchedReceipts } from "./receipts.ts";

/** A segment, or all of a message in one, accepted under an id. */
export type AcceptedSegments = {
  readonly messageId: number;
  readonly parts: readonly number[];
  readonly operator: string;
  /** As received; empty where the operator gave none. */
  readonly remoteId: string;
  /** The operator sends receipts. */
  readonly receipts: boolean;
  /** How it left. */
  readonly sentSegment?: SentSegment;
  /** The answer was given up before. */
  readonly isLate?: boolean;
};

/** Writes down that an operator accepted segments, and applies receipts that came before this response. */
export function recordAccepted(tx: Tx, session: FactSession, accepted: AcceptedSegments): void {
  const { messageId, operator, remoteId, sentSegment } = accepted;
  const left = sentSegment && { trace: toPartTrace(tx, sentSegment) };
  for (const part of accepted.parts) {
    if (accepted.isLate) returnMessageId(tx, accepted, part, left?.trace ?? null);
    session.apply({
      kind: "part_accepted",
      messageId,
      part,
      operator,
      remoteId,
      remoteKey: canonicalId(remoteId),
      final: !accepted.receipts,
      ...left,
    });
  }
  if (accepted.isLate && sentSegment) {
    resolveByResponse(tx, messageId, accepted.parts[0] ?? 1, sentSegment.attempt);
  }
  if (hasUnmatchedReceipts(tx, familyOf(tx, operator))) {
    applyUnmatchedReceipts(tx, session, operator, { id: remoteId, msisdn: recipientOf(tx, messageId) });
  }
}

/**
 * An id that a receipt brought before its response, and that was taken for another segment's in doubt, is given to the one it is of.
 * The other is in doubt again.
 */
function returnMessageId(
  tx: Tx,
  { messageId, remoteId }: AcceptedSegments,
  part: number,
  trace: PartTrace | null,
): void {
  if (remoteId === "") return;
  const other = moveNamedPart(tx, messageId, part, canonicalId(remoteId), trace);
  if (other === null) return;
  const msisdn = recipientOf(tx, messageId);
  reopenUnknownOutcome(tx, messageId, other, numberKey(msisdn) ?? msisdn);
}

/** A submit_sm that left, and what it carried. */
export type SentSubmit = {
  readonly messageId: number;
  /** E.164 with "+". */
  readonly msisdn: string;
  readonly parts: readonly number[];
  readonly operator: string;
  /** Null where it is not known, as after a crash. */
  readonly sentSegment: SentSegment | null;
  /** Of one whose departure is not known: the highest number that a parked receipt had before it left, if that is known. */
  readonly parkedBefore?: number | null;
};

/** Writes down an answer that was no acceptance, in time or late, for the message's timeline. */
export function recordRefused(
  tx: Tx,
  departed: SentSubmit,
  answer: { readonly kind: "refused" | "put_off"; readonly commandStatus: number; readonly isLate: boolean },
  nowMs: number,
): void {
  const { messageId, sentSegment } = departed;
  const { firstPart, lastPart } = ends(departed.parts);
  const { kind, commandStatus } = answer;
  if (answer.isLate && sentSegment) resolveByResponse(tx, messageId, firstPart, sentSegment.attempt);
  const carried = { messageId, firstPart, lastPart, operator: departed.operator };
  recordUnaccepted(tx, { ...carried, sentSegment, end: { kind, commandStatus } }, nowMs);
}

/**
 * Writes down that nobody answered a submit which left at `writtenAtMs` or later: the operator may have it. A receipt that
 * came already and can be about no other message settles it, before it is decided whether it is sent again.
 */
export function recordUnanswered(
  tx: Tx,
  session: FactSession,
  { messageId, msisdn, parts, operator, sentSegment, parkedBefore = null }: SentSubmit,
  writtenAtMs: number,
  nowMs: number,
): void {
  // A few countries' numbers have less than eight digits: those are in doubt, and no receipt is held against them.
  const doubtKey = numberKey(msisdn) ?? msisdn;
  const end = { kind: "unanswered", writtenAtMs, doubtKey, parkedBefore } as const;
  recordUnaccepted(tx, { messageId, ...ends(parts), operator, sentSegment, end }, nowMs);
  applyUnmatchedReceipts(tx, session, operator, { id: "", msisdn });
}

function ends(parts: readonly number[]): { readonly firstPart: number; readonly lastPart: number } {
  return { firstPart: parts[0] ?? 1, lastPart: parts.at(-1) ?? 1 };
}
