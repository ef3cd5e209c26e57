/** What delivery owes to messages that nobody is looking after: after a crash, a lost answer, a missing receipt. */
import type { Config } from "../config/config.ts";
import { applyFacts, openFacts } from "../messages/apply-facts.ts";
import { forgetOldDoubts } from "../messages/departures.ts";
import type { Fact } from "../messages/facts.ts";
import {
  type AbandonedMessage,
  abandonedMessages,
  overdueReceipts,
  overdueUnanswered,
} from "../messages/overdue.ts";
import { acceptedParts } from "../messages/queue.ts";
import type { Store } from "../store/store.ts";
import type { Tx } from "../store/write.ts";
import { recordUnanswered } from "./outcome.ts";
import { dropOldParkedReceipts, PARKED_FOR_MS } from "./parked-receipts.ts";
import { unansweredFact } from "./unanswered.ts";

/** Messages looked after in one transaction. */
const STEP = 250;

/**
 * At the start of a process: whatever is SUBMITTED was claimed by a process that is gone, so its answer will not
 * come. How many there were.
 */
export async function rescueClaims(store: Store, config: Config, nowMs: number): Promise<number> {
  let rescued = 0;
  for (;;) {
    const found = await store.write((tx) => {
      const messages = abandonedMessages(tx, STEP);
      const session = openFacts(tx, nowMs);
      for (const message of messages) {
        for (const part of unacceptedParts(tx, message)) {
          const departed = { ...message, parts: [part], departure: null };
          recordUnanswered(tx, session, departed, message.claimedAt, nowMs);
        }
        session.apply(unansweredFact(message, config.delivery.unanswered, nowMs));
      }
      session.close();
      return messages.length;
    });
    rescued += found;
    if (found < STEP) return rescued;
  }
}

function unacceptedParts(tx: Tx, { messageId, segments }: AbandonedMessage): number[] {
  const accepted = acceptedParts(tx, messageId);
  return Array.from({ length: segments }, (_, index) => index + 1).filter((part) => !accepted.has(part));
}

/**
 * One round: gives up waiting for unanswered submits and for receipts whose time is over, and drops old parked
 * receipts and doubts that no receipt can end any more. True when there may be more to do.
 */
export function rescueOverdue(store: Store, config: Config, nowMs: number): Promise<boolean> {
  return store.write((tx) => {
    const facts: Fact[] = [
      ...overdueUnanswered(tx, nowMs, STEP).map((messageId) => ({
        kind: "outcome_unknown" as const,
        messageId,
      })),
      ...overdueReceipts(tx, nowMs - config.delivery.receipt_timeout_hours * 3_600_000, STEP).map(
        (messageId) => ({ kind: "receipt_overdue" as const, messageId }),
      ),
    ];
    applyFacts(tx, facts, nowMs);
    const { wait_hours } = config.delivery.unanswered;
    const dropped =
      dropOldParkedReceipts(tx, nowMs) +
      forgetOldDoubts(tx, nowMs - wait_hours * 3_600_000 - PARKED_FOR_MS, STEP);
    return facts.length + dropped > 0;
  });
}
