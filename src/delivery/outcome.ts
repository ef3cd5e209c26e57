import type { Config } from "../config/config.ts";
import type { FactSession } from "../messages/apply-facts.ts";
import type { QueuedBatch } from "../messages/queue.ts";
import { canonicalId } from "../smpp/message-id.ts";
import type { Tx } from "../store/write.ts";
import { backoffMs } from "./answer.ts";
import type { Attempt, AttemptEnd } from "./attempt.ts";
import { applyParkedReceipts, hasParkedReceipts } from "./receipts.ts";
import { unansweredFact } from "./unanswered.ts";

/** A segment, or all of a message in one, accepted under an id. */
export type AcceptedSegments = {
  readonly messageId: number;
  readonly parts: readonly number[];
  readonly operator: string;
  /** As received; empty where the operator gave none. */
  readonly smscId: string;
  /** The operator sends receipts. */
  readonly receipts: boolean;
};

/** Writes down that an operator accepted segments, and applies receipts that came before this response. */
export function recordAccepted(tx: Tx, session: FactSession, accepted: AcceptedSegments): void {
  const { messageId, operator, smscId } = accepted;
  for (const part of accepted.parts) {
    session.apply({
      kind: "part_accepted",
      messageId,
      part,
      operator,
      smscId,
      smscKey: canonicalId(smscId),
      final: !accepted.receipts,
    });
  }
  if (hasParkedReceipts(tx, operator)) applyParkedReceipts(tx, session, operator, smscId);
}

/** Writes down how a claim ended; when the message is to be looked at again, or null if it is not queued. */
export function recordEnd(
  session: FactSession,
  attempt: Attempt,
  end: AttemptEnd,
  policy: Config["delivery"]["unanswered"],
  nowMs: number,
): number | null {
  const { batch, message } = attempt.candidate;
  const messageId = message.id;
  switch (end.kind) {
    case "accepted":
      return null;
    case "refused":
      session.apply({ kind: "refused", messageId, error: end.error });
      return null;
    case "retry": {
      const notBeforeMs = end.keepsPlace ? 0 : nowMs + backoffMs(attempt.number);
      session.apply({ kind: "postponed", messageId, notBeforeMs, operatorCode: end.operatorCode });
      return Math.max(notBeforeMs, nowMs);
    }
    case "not_written":
      session.apply({ kind: "not_written", messageId });
      return nowMs;
    case "unanswered":
      session.apply(unansweredFact(unansweredOf(batch, messageId, message.resends), policy, nowMs));
      return nowMs;
  }
}

export function unansweredOf(batch: QueuedBatch, messageId: number, resends: number) {
  return { messageId, messageClass: batch.messageClass, resends, expiresAt: batch.expiresAt };
}
