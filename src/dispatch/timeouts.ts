/**
 * Ends what time alone ends: waiting for receipts that never come (docs/behaviour.md#states-of-a-message), and for a
 * first leg of which nothing is heard, after which a message goes on by its fallback.
 */
import type { Settings } from "../config/live-config.ts";
import type { Clock } from "../core/clock.ts";
import { createYielder } from "../core/concurrency.ts";
import type { Store } from "../db/store.ts";
import type { Tx } from "../db/writer.ts";
import { applyFacts, type FactSession, openFacts } from "../domain/messages/apply-facts.ts";
import {
  type AwaitingBatch,
  awaitingBatches,
  awaitingMessages,
  recordAwaitingSince,
} from "../domain/messages/awaiting-outcome.ts";
import {
  type DueFallback,
  findDueFallbacks,
  hasUntimedLegs,
  scheduleReview,
} from "../domain/messages/fallback-legs.ts";
import { isMessageHeld } from "../domain/messages/restore-holds.ts";

type ReceiptTimeoutDeps = {
  readonly store: Pick<Store, "read" | "write">;
  readonly clock: Clock;
  /** How long a receipt is waited for. */
  readonly timeoutMs: number;
};

/** Batches looked through in one round, rows read in one go, and messages ended in one transaction. */
const BATCHES = 100;
const ROWS = 2000;
const STEP = 250;

/**
 * A batch is searched at most once in this many milliseconds for each of its messages: 100,000 of them once in ten minutes, a
 * single one as soon as it is due.
 */
const REST_A_MESSAGE_MS = 6;

/**
 * One round: gives up waiting for receipts of messages that were SENT too long ago. Reads only batches of which one may have
 * been; each is searched in slices and moves on to when its next one may be. True when there is more to do.
 */
export async function expireMissingReceipts(
  { store, clock, timeoutMs }: ReceiptTimeoutDeps,
  isStopping: () => boolean = () => false,
): Promise<boolean> {
  const beforeMs = clock.nowMs() - timeoutMs;
  const batches = awaitingBatches(store.read, beforeMs, BATCHES);
  const pause = createYielder(clock);
  let ended: number[] = [];
  let looked: { readonly batch: AwaitingBatch; readonly oldestMs: number | null }[] = [];

  const write = async (): Promise<void> => {
    const [messageIds, done] = [ended, looked];
    ended = [];
    looked = [];
    if (messageIds.length + done.length === 0) return;
    await store.write((tx) => {
      const facts = messageIds.map((messageId) => ({ kind: "receipt_overdue" as const, messageId }));
      applyFacts(tx, facts, clock.nowMs());
      for (const { batch, oldestMs } of done) {
        const restMs = (batch.endId - batch.firstId) * REST_A_MESSAGE_MS;
        recordAwaitingSince(tx, batch, Math.max(oldestMs ?? clock.nowMs(), beforeMs + restMs));
      }
    });
  };

  for (const batch of batches) {
    let oldestMs: number | null = null;
    for (let fromId = batch.firstId; fromId < batch.endId; fromId += ROWS) {
      for (const { id, sentAt } of awaitingMessages(
        store.read,
        fromId,
        Math.min(fromId + ROWS, batch.endId),
      )) {
        if (sentAt >= beforeMs) oldestMs = Math.min(oldestMs ?? sentAt, sentAt);
        else if (ended.push(id) === STEP) await write();
      }
      const turn = pause();
      if (turn !== undefined) await turn;
      if (isStopping()) return false;
    }
    looked.push({ batch, oldestMs });
  }
  await write();
  return batches.length > 0;
}

// Messages that go on by their fallback after a silence, and the end of those that do not arrive by it either.

type FallbackTimeoutsDeps = {
  readonly settings: Settings;
  readonly store: Pick<Store, "read" | "write">;
  readonly clock: Clock;
  /** A batch has messages for another worker. */
  readonly offer: (batchId: number) => void;
};

/** Messages looked at in one transaction. */
const MESSAGES_A_STEP = 100;
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
      const due = findDueFallbacks(tx, nowMs, MESSAGES_A_STEP);
      const session = openFacts(tx, nowMs);
      for (const way of due) look(tx, session, way, { nowMs, timeoutMs });
      session.close();
      return { looked: due.length, again: [...session.queuedAgain] };
    });
    for (const batchId of again) offer(batchId);
    return looked === MESSAGES_A_STEP;
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
        scheduleReview(tx, messageId, nowMs + HELD_LOOK_MS);
        return;
      }
      if (expiresAt !== null && expiresAt > nowMs) {
        scheduleReview(tx, messageId, expiresAt);
        return;
      }
      const code = operatorCode === null ? "EXPIRED_IN_QUEUE" : "OPERATOR_THROTTLED";
      session.apply({ kind: "given_up", messageId, error: { code, operatorCode } });
      return;
    }
    case "SENT": {
      const untilMs = (sentAt ?? nowMs) + timeoutMs;
      if (untilMs > nowMs) scheduleReview(tx, messageId, untilMs);
      else session.apply({ kind: "receipt_overdue", messageId });
      return;
    }
    default:
      // Its answer is awaited elsewhere.
      scheduleReview(tx, messageId, nowMs + REST_MS);
  }
}
