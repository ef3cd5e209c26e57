/** What delivery owes to messages that nobody is looking after: after a crash, a lost answer, a missing receipt. */
import type { Config } from "../config/config.ts";
import { applyFacts, openFacts } from "../messages/apply-facts.ts";
import type { Fact } from "../messages/facts.ts";
import {
  type AbandonedMessage,
  claimedMessage,
  claimedMessages,
  FIRST_CLAIMED,
  overdueUnanswered,
} from "../messages/overdue.ts";
import { acceptedParts } from "../messages/queue.ts";
import type { Store } from "../store/store.ts";
import type { Tx } from "../store/write.ts";
import { forgetOldDoubts } from "./doubts.ts";
import { recordUnanswered } from "./outcome.ts";
import { dropOldParkedReceipts, PARKED_FOR_MS } from "./parked-receipts.ts";
import { unansweredFact } from "./unanswered.ts";

/** Messages looked after in one transaction. */
const STEP = 250;

/**
 * Looks for messages that are SUBMITTED and that nobody holds: claimed by a process that is gone, or whose end could not
 * be written. No answer to them will come, so each goes on as its class says. `isHeld` tells of those that a line of
 * this process holds; it is asked inside the transaction. How many were found.
 */
export async function rescueClaims(
  store: Store,
  config: Config,
  nowMs: number,
  isHeld: (messageId: number) => boolean = () => false,
): Promise<number> {
  let rescued = 0;
  for (let after = FIRST_CLAIMED; ; ) {
    const page = claimedMessages(store.read, after, STEP);
    const last = page.at(-1);
    if (!last) return rescued;
    after = last;
    const unheld = page.filter(({ messageId }) => !isHeld(messageId));
    if (unheld.length === 0) continue;
    rescued += await store.write((tx) => {
      const session = openFacts(tx, nowMs);
      const found = unheld
        .filter(({ messageId }) => !isHeld(messageId))
        .map(({ messageId }) => claimedMessage(tx, messageId))
        .filter((message) => message !== null);
      for (const message of found) {
        for (const part of unacceptedParts(tx, message)) {
          const departed = { ...message, parts: [part], departure: null };
          recordUnanswered(tx, session, departed, message.claimedAt, nowMs);
        }
        session.apply(unansweredFact(message, config.delivery.unanswered, nowMs));
      }
      session.close();
      return found.length;
    });
  }
}

function unacceptedParts(tx: Tx, { messageId, segments }: AbandonedMessage): number[] {
  const accepted = acceptedParts(tx, messageId);
  return Array.from({ length: segments }, (_, index) => index + 1).filter((part) => !accepted.has(part));
}

/**
 * One round: gives up waiting for unanswered submits whose time is over, and drops old parked receipts and doubts that
 * no receipt can end any more. True when there may be more to do.
 */
export function rescueOverdue(store: Store, config: Config, nowMs: number): Promise<boolean> {
  return store.write((tx) => {
    const facts: Fact[] = overdueUnanswered(tx, nowMs, STEP).map((messageId) => ({
      kind: "outcome_unknown",
      messageId,
    }));
    applyFacts(tx, facts, nowMs);
    const { wait_hours } = config.delivery.unanswered;
    const dropped =
      dropOldParkedReceipts(tx, nowMs) +
      forgetOldDoubts(tx, nowMs - wait_hours * 3_600_000 - PARKED_FOR_MS, STEP);
    return facts.length + dropped > 0;
  });
}
