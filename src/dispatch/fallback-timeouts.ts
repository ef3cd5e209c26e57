/** Messages that go on by their fallback after a silence, and the end of those that do not arrive by it either. */

import type { Settings } from "../config/live-config.ts";
import type { Clock } from "../core/clock.ts";
import type { Store } from "../db/store.ts";
import type { Tx } from "../db/writer.ts";
import { type FactSession, openFacts } from "../domain/messages/apply-facts.ts";
import {
  type DueFallback,
  findDueFallbacks,
  hasUntimedLegs,
  lookAgainAt,
} from "../domain/messages/fallback-legs.ts";
import { isMessageHeld } from "../domain/messages/restore-holds.ts";

type FallbackTimeoutsDeps = {
  readonly settings: Settings;
  readonly store: Pick<Store, "read" | "write">;
  readonly clock: Clock;
  /** A batch has messages for another worker. */
  readonly offer: (batchId: number) => void;
};

/** Messages looked at in one transaction. */
const STEP = 100;
const REST_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Between two checks of a message that is held. */
const HELD_LOOK_MS = 60_000;

/**
 * One round: each message without a receipt in time goes on by its fallback. True when there may be more to do. Where no number
 * is configured and nothing of one is left, nothing is checked.
 */
export function fallbackTimeouts({
  store,
  clock,
  settings,
  offer,
}: FallbackTimeoutsDeps): () => Promise<boolean> {
  let isLeft = true;
  return async () => {
    const { whatsapp, delivery } = settings.now();
    const isUsed = Object.keys(whatsapp.numbers).length > 0;
    if (!isUsed && !isLeft) return false;
    // For a message whose turn has not come no time is known yet.
    isLeft =
      isUsed ||
      hasUntimedLegs(store.read) ||
      findDueFallbacks(store.read, Number.MAX_SAFE_INTEGER, 1).length > 0;
    if (findDueFallbacks(store.read, clock.nowMs(), 1).length === 0) return false;
    const timeoutMs = delivery.receipt_timeout_hours * HOUR_MS;
    const { looked, again } = await store.write((tx) => {
      const nowMs = clock.nowMs();
      const due = findDueFallbacks(tx, nowMs, STEP);
      const session = openFacts(tx, nowMs);
      for (const way of due) look(tx, session, way, { nowMs, timeoutMs });
      session.close();
      return { looked: due.length, again: [...session.queuedAgain] };
    });
    for (const batchId of again) offer(batchId);
    return looked === STEP;
  };
}

function look(
  tx: Tx,
  session: FactSession,
  { messageId, stage, status, expiresAt, sentAt, operatorCode }: DueFallback,
  { nowMs, timeoutMs }: { readonly nowMs: number; readonly timeoutMs: number },
): void {
  if (stage === "FIRST") {
    session.apply({ kind: "first_silent", messageId });
    return;
  }
  switch (status) {
    case "QUEUED": {
      // It may have left before a restore, and nobody has decided.
      if (isMessageHeld(tx, messageId)) {
        lookAgainAt(tx, messageId, nowMs + HELD_LOOK_MS);
        return;
      }
      if (expiresAt !== null && expiresAt > nowMs) {
        lookAgainAt(tx, messageId, expiresAt);
        return;
      }
      const code = operatorCode === null ? "EXPIRED_IN_QUEUE" : "OPERATOR_THROTTLED";
      session.apply({ kind: "given_up", messageId, error: { code, operatorCode } });
      return;
    }
    case "SENT": {
      const untilMs = (sentAt ?? nowMs) + timeoutMs;
      if (untilMs > nowMs) lookAgainAt(tx, messageId, untilMs);
      else session.apply({ kind: "receipt_overdue", messageId });
      return;
    }
    default:
      // Its answer is awaited elsewhere.
      lookAgainAt(tx, messageId, nowMs + REST_MS);
  }
}
