/** What delivery owes to messages that nobody is looking after: after a crash, a lost answer, a missing receipt. */
import type { Config } from "../config/config.ts";
import { applyFacts } from "../messages/apply-facts.ts";
import type { Fact } from "../messages/facts.ts";
import { abandonedMessages, overdueReceipts, overdueUnanswered } from "../messages/overdue.ts";
import type { Store } from "../store/store.ts";
import { dropOldParkedReceipts } from "./receipts.ts";
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
      const facts = messages.map((message) => unansweredFact(message, config.delivery.unanswered, nowMs));
      applyFacts(tx, facts, nowMs);
      return messages.length;
    });
    rescued += found;
    if (found < STEP) return rescued;
  }
}

/**
 * One round: gives up waiting for unanswered submits and for receipts whose time is over, and drops old parked
 * receipts. True when there may be more to do.
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
    dropOldParkedReceipts(tx, nowMs);
    return facts.length > 0;
  });
}
