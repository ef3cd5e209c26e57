import type { Clock } from "../../core/clock.ts";
import type { Candidate } from "../../dispatch/lanes.ts";
import type { OperatorQueue } from "../../dispatch/line-queue.ts";
import { MESSAGE_CLASSES, type MessageClass } from "../../domain/accounts/classes.ts";
import type { QueuedBatch } from "../../domain/messages/queue.ts";
import type { WhatsAppWorkerDeps } from "./line-deps.ts";

/**
 * Batches that wait because their number has written to as many users as it may in a day. Whoever was written to today, or wrote, waits for
 * nothing: only what is over is kept back, batch by batch, and the most urgent goes first when there is room again.
 */
export type DailyLimit = {
  /** Whether a message may leave as far as the day goes; else its batch is kept back. */
  readonly has: (candidate: Candidate) => boolean;
  /** Whether a batch is kept back. */
  readonly keeps: (batchId: number) => boolean;
  /** Lets as many batches go on as there is room for users. */
  readonly letIn: () => void;
  /** Lets all of them be looked at again: the limit may be another. */
  readonly letAll: () => void;
  /** A batch is at its end here. */
  readonly drop: (batchId: number) => void;
  /** When room comes, of the steady clock; null where nothing waits for it. */
  readonly nextMs: (nowMs: number) => number | null;
  readonly clear: () => void;
};

type DailyLimitDeps = Pick<WhatsAppWorkerDeps, "code" | "number" | "day"> & {
  readonly clock: Clock;
  readonly queue: () => OperatorQueue;
};

export function createDailyLimit({ code, number, day, clock, queue }: DailyLimitDeps): DailyLimit {
  const kept = new Map<number, QueuedBatch>();
  const byClass: Record<MessageClass, Map<number, QueuedBatch>> = {
    OTP: new Map(),
    TRANSACTIONAL: new Map(),
    MARKETING: new Map(),
  };
  const drop = (batchId: number): void => {
    const batch = kept.get(batchId);
    kept.delete(batchId);
    if (batch) byClass[batch.messageClass].delete(batchId);
  };
  const clear = (): void => {
    kept.clear();
    for (const messageClass of MESSAGE_CLASSES) byClass[messageClass].clear();
  };
  const letGo = (batch: QueuedBatch): void => {
    drop(batch.batchId);
    queue().requeued(batch, clock.nowMs());
  };
  return {
    has: ({ batch, message }) => {
      const { recipients_per_day: limit } = number();
      if (day.hasRoom(code, message.msisdn, limit, clock.nowMs())) return true;
      queue().settled(message.id);
      kept.set(batch.batchId, batch);
      byClass[batch.messageClass].set(batch.batchId, batch);
      // Its gate is asked, and holds it.
      queue().open(batch);
      return false;
    },
    drop,
    keeps: (batchId) => kept.has(batchId),
    letIn: () => {
      if (kept.size === 0) return;
      const { recipients_per_day: limit } = number();
      let room = limit === 0 ? kept.size : limit - day.usersOf(code, clock.nowMs());
      for (const messageClass of MESSAGE_CLASSES) {
        for (const batch of byClass[messageClass].values()) {
          if (room <= 0) return;
          room -= 1;
          letGo(batch);
        }
      }
    },
    letAll: () => {
      clear();
      queue().askAgain();
    },
    nextMs: (nowMs) => {
      if (kept.size === 0) return null;
      const wallMs = clock.nowMs();
      return nowMs + Math.max(1, (day.roomAtMs(code) ?? wallMs) - wallMs);
    },
    clear,
  };
}
