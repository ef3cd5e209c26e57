/** Recovers claims that have no lease, and lets old unknown outcomes and old unmatched receipts expire. */
import type { Config } from "../../config/config.ts";
import type { Settings } from "../../config/live-config.ts";
import type { Store } from "../../db/store.ts";
import { expireUnanswered } from "../../dispatch/lease-recovery.ts";
import { toUnansweredFact, toWaitFact } from "../../dispatch/unanswered.ts";
import type { RecoverClaim } from "../../dispatch/worker.ts";
import { acceptedParts } from "../../domain/messages/queue.ts";
import { isPayloadClaim } from "./long-messages.ts";
import { recordUnanswered } from "./submit-results.ts";
import { adjacent } from "./submit-sm.ts";
import { deleteOldUnknownOutcomes } from "./unknown-outcomes.ts";
import { dropOldUnmatchedReceipts, UNMATCHED_KEPT_MS } from "./unmatched-receipts.ts";

/**
 * Recovers a claimed message without a lease. Each segment that was not accepted may be with the operator: its outcome is
 * unknown. Those that were to leave in one submit share one outcome, since one receipt is about all of them. The message goes
 * on as its class says, but what the operator is known to have taken is not sent again.
 */
export function recoverClaim(settings: Pick<Settings, "now">): RecoverClaim {
  return (tx, session, message, nowMs) => {
    const { messageId, attempts: attempt, segments, isTaken } = message;
    const accepted = acceptedParts(tx, messageId);
    const missing = Array.from({ length: segments }, (_, index) => index + 1).filter(
      (part) => !accepted.has(part),
    );
    const isWhole = segments > 1 && isPayloadClaim(tx, { messageId, attempt });
    for (const parts of isWhole ? adjacent(missing) : missing.map((part) => [part]))
      recordUnanswered(tx, session, { ...message, parts, sentSegment: null }, message.claimedAt, nowMs);
    const policy = settings.now().delivery.unanswered;
    session.apply(isTaken ? toWaitFact(messageId, policy, nowMs) : toUnansweredFact(message, policy, nowMs));
  };
}

/** Unknown outcomes deleted in one transaction. */
const STEP = 250;

/**
 * One round: gives up waiting for unanswered submits whose time is over, and deletes old unmatched receipts and unknown
 * outcomes that no receipt can settle any more. True when there may be more to do.
 */
export function expireUnknownOutcomes(store: Store, config: Config, nowMs: number): Promise<boolean> {
  return store.write((tx) => {
    const { wait_hours } = config.delivery.unanswered;
    const given = expireUnanswered(tx, nowMs);
    const dropped =
      dropOldUnmatchedReceipts(tx, nowMs) +
      deleteOldUnknownOutcomes(tx, nowMs - wait_hours * 3_600_000 - UNMATCHED_KEPT_MS, STEP);
    return given + dropped > 0;
  });
}
