/** Recovers posts whose messages have no lease: after a crash, and after a long silence. */

import { toWhatsAppNumber } from "../../config/config.ts";
import type { Settings } from "../../config/live-config.ts";
import type { Clock } from "../../core/clock.ts";
import type { Store } from "../../db/store.ts";
import type { RecoverClaim } from "../../dispatch/worker.ts";
import { openFacts } from "../../domain/messages/apply-facts.ts";
import { firstLegEndsAt, restartFirstLegTimer } from "../../domain/messages/fallback-legs.ts";
import { noteOutcomeUnknown } from "./post-facts.ts";
import {
  closePost,
  dropExpiredStatuses,
  isPosting,
  isPostOverdue,
  isStatusOld,
  noteAnswer,
  notePost,
  readLatestPostNumber,
  readOverduePosts,
  UNMATCHED_STATUS_MS,
} from "./posts.ts";

const STEP = 250;

/**
 * Recovers a claimed message of this channel that has no lease: Meta may have it, so it is never posted again. Others go to `rest`. A
 * post that the appliance before a restore may have made, unknown to the copy, is noted as one without an answer: other posts get
 * other numbers, and the time of the leg begins with it.
 */
export function recoverPosts(rest: RecoverClaim): RecoverClaim {
  return (tx, session, message, nowMs) => {
    const number = toWhatsAppNumber(message.operator);
    if (number === null) {
      rest(tx, session, message, nowMs);
      return;
    }
    const { messageId } = message;
    if (!isPosting(tx, messageId)) {
      notePost(tx, messageId, number, nowMs);
      restartFirstLegTimer(tx, messageId, nowMs);
    }
    noteAnswer(tx, { messageId, n: readLatestPostNumber(tx, messageId) }, { state: "UNANSWERED" });
    noteOutcomeUnknown(session, message, firstLegEndsAt(tx, messageId) ?? message.expiresAt, nowMs);
  };
}

/**
 * One round: closes messages for which no status has come for too long, and deletes statuses that match no message. True when there
 * may be more to do. Where no number is configured and nothing of one is left, nothing is read.
 */
export function closeSilent({ store, clock, settings }: SilenceDeps): () => Promise<boolean> {
  let isLeft = true;
  return async () => {
    const isUsed = Object.keys(settings.now().whatsapp.numbers).length > 0;
    if (!isUsed && !isLeft) return false;
    isLeft = isUsed || isPostOverdue(store.read, Number.MAX_SAFE_INTEGER);
    return closeStep(store, clock.nowMs());
  };
}

type SilenceDeps = { readonly store: Store; readonly clock: Clock; readonly settings: Settings };

async function closeStep(store: Store, nowMs: number): Promise<boolean> {
  const parkedBeforeMs = nowMs - UNMATCHED_STATUS_MS;
  if (!isPostOverdue(store.read, nowMs) && !isStatusOld(store.read, parkedBeforeMs)) return false;
  return store.write((tx) => {
    const overdue = readOverduePosts(tx, nowMs, STEP);
    const session = openFacts(tx, nowMs);
    for (const post of overdue) {
      closePost(tx, post);
      session.apply({ kind: "receipt_overdue", messageId: post.messageId, isFree: true, firstWay: true });
    }
    session.close();
    return overdue.length + dropExpiredStatuses(tx, parkedBeforeMs, STEP) >= STEP;
  });
}
