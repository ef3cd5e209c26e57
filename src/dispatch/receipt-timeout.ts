/** The end of waiting for receipts that never come (docs/behaviour.md#states-of-a-message). */
import type { Clock } from "../core/clock.ts";
import { createYielder } from "../core/concurrency.ts";
import type { Store } from "../db/store.ts";
import { applyFacts } from "../domain/messages/apply-facts.ts";
import {
  type AwaitingBatch,
  awaitingBatches,
  awaitingMessages,
  recordAwaitingSince,
} from "../domain/messages/awaiting-outcome.ts";

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
