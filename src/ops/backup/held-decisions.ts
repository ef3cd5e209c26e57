/** Applies a decision about messages held back by a restore to each of them. */

import type { Config } from "../../config/config.ts";
import type { Clock } from "../../core/clock.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import { shouldResend } from "../../dispatch/attempt.ts";
import type { RecoverClaim } from "../../dispatch/leases.ts";
import type { MessageClass } from "../../domain/accounts/message-class.ts";
import { type FactSession, openFacts } from "../../domain/messages/apply-facts.ts";
import {
  claimedMessage,
  findUnknownOutcome,
  type UnansweredClaim,
} from "../../domain/messages/awaiting-outcome.ts";
import { reconsiderBatch } from "../../domain/messages/batch-totals.ts";
import {
  endInFlightHold,
  type HeldMessage,
  hasDueMessages,
  holdValidated,
  isAnyValidatedSince,
  lastRestore,
  type RestoreDecision,
  releaseHeld,
  releaseMessage,
  startHeldBatch,
  takeDueMessages,
} from "../../domain/messages/restore-holds.ts";
import { recordNote } from "../../domain/messages/trace.ts";
import { phrase } from "../../i18n/phrase.ts";

/** What is done with a message that may have left. */
export type HeldMode = Exclude<RestoreDecision, "hold">;

type DecideDeps = {
  readonly recoverClaim: RecoverClaim;
  /** The highest number of an unmatched receipt in the copy: such receipts came before the message left, if it did. */
  readonly unmatchedBefore: number;
};

/**
 * Treats a message waiting for an operator as submitted and unanswered: its channel marks the outcome unknown, so that receipts, past or
 * later, match it. Where none came, it goes on as decided: by the channel's rule for unknown outcomes, once more while still
 * valid, or not at all.
 */
export function decideHeld(
  { recoverClaim, unmatchedBefore }: DecideDeps,
  tx: Tx,
  session: FactSession,
  held: Pick<HeldMessage, "messageId" | "operator">,
  mode: HeldMode,
  nowMs: number,
): void {
  const { messageId } = held;
  session.apply({ kind: "claimed", messageId, unmatchedBefore, mayHaveLeft: true });
  const message = claimedMessage(tx, messageId);
  // Its batch was cancelled: the message will be, and is held until then.
  if (message === null) return;
  releaseHeld(tx, held);
  recordNote(tx, messageId, { what: "restored", detail: phrase(`message.note.restored.${mode}`) }, nowMs);
  // `isTaken`: waits, so that what follows is decided here.
  recoverClaim(tx, session, { ...message, isTaken: mode !== "policy" }, nowMs);
  if (mode === "policy") return;
  // A receipt may have told its outcome by now.
  if (findUnknownOutcome(tx, messageId)?.isWaiting !== true) return;
  if (mode === "give-up") {
    session.apply({ kind: "refused", messageId, error: { code: "RESTORE_GIVEN_UP", operatorCode: null } });
  } else if (isWorthSending(message, nowMs)) {
    session.apply({ kind: "unanswered", messageId, next: "resend" });
  }
}

function isWorthSending({ expiresAt }: UnansweredClaim, nowMs: number): boolean {
  return nowMs < expiresAt;
}

/**
 * A message that was with an operator in the copy goes on as after any crash, whatever is decided about the others: by the rule of
 * its class where its channel resends unknown outcomes (`isSentAgain`).
 */
export function decideInFlight(
  policy: Config["delivery"]["unanswered"],
  tx: Tx,
  session: FactSession,
  flight: HeldMessage,
  isSentAgain: boolean,
  nowMs: number,
): void {
  const { messageId, messageClass, resends, expiresAt } = flight;
  const message = { messageClass: messageClass satisfies MessageClass, resends, expiresAt };
  if (!isSentAgain || !shouldResend(message, policy, nowMs)) {
    endInFlightHold(tx, flight);
    return;
  }
  releaseHeld(tx, flight);
  session.apply({ kind: "unanswered", messageId, next: "resend" });
}

/** Batches of one transaction that were scheduled in the copy. */
type ScheduledInCopy = {
  /**
   * Whether a message cannot have left, since its batch was not due when the old server last ran: it is released, and
   * waits on.
   */
  readonly isReleased: (
    message: Pick<HeldMessage, "messageId" | "batchStatus" | "scheduledAt">,
    diedAtMs: number,
  ) => boolean;
  /** A message was decided: its batch was due, and counts as started. */
  readonly start: (message: Pick<HeldMessage, "batchId" | "batchStatus">) => void;
  /** Call at the end: all of a batch may have been decided. */
  readonly close: (nowMs: number) => void;
};

export function scheduledInCopy(tx: Tx): ScheduledInCopy {
  const started = new Set<number>();
  return {
    isReleased: ({ messageId, batchStatus, scheduledAt }, diedAtMs) => {
      if (batchStatus !== "SCHEDULED" || (scheduledAt ?? 0) <= diedAtMs) return false;
      releaseMessage(tx, messageId);
      return true;
    },
    start: ({ batchId, batchStatus }) => {
      if (batchStatus !== "SCHEDULED" || started.has(batchId)) return;
      startHeldBatch(tx, batchId);
      started.add(batchId);
    },
    close: (nowMs) => {
      for (const batchId of started) reconsiderBatch(tx, batchId, nowMs);
    },
  };
}

/** Messages decided in one transaction. */
const STEP = 250;

type DueDeps = {
  readonly store: Store;
  readonly clock: Clock;
  readonly recoverClaim: RecoverClaim;
  /** Tells the dispatcher that messages of a batch may leave now. */
  readonly offer: (batchId: number) => void;
};

/**
 * One round of earlier decisions for messages that entered a queue since, such as those that fall back to another channel. True
 * when there may be more to do.
 */
export async function decideDue({ store, clock, recoverClaim, offer }: DueDeps): Promise<boolean> {
  const restore = lastRestore(store.read);
  if (restore === null) return false;
  const { unmatchedBefore, resumedAtMs } = restore;
  if (resumedAtMs !== null && isAnyValidatedSince(store.read)) {
    await store.write((tx) => holdValidated(tx, 1));
    return true;
  }
  if (!hasDueMessages(store.read)) return false;
  const due = await store.write((tx) => {
    const nowMs = clock.nowMs();
    const session = openFacts(tx, nowMs);
    const taken = takeDueMessages(tx, STEP);
    const scheduled = scheduledInCopy(tx);
    for (const held of taken) {
      const { decided } = held;
      if (decided === null || scheduled.isReleased(held, decided.diedAtMs)) continue;
      scheduled.start(held);
      decideHeld({ recoverClaim, unmatchedBefore }, tx, session, held, decided.waiting, nowMs);
    }
    session.close();
    scheduled.close(nowMs);
    return taken;
  });
  for (const batchId of new Set(due.map((held) => held.batchId))) offer(batchId);
  return due.length === STEP;
}
