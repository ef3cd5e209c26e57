/** Batches whose messages may not leave until something of their account changes, such as one that is suspended. */
import type { QueuedBatch } from "../messages/queue.ts";

export type HeldBatches = {
  readonly add: (batch: QueuedBatch) => void;
  readonly get: (batchId: number) => QueuedBatch | null;
  /** False when it is not held. */
  readonly remove: (batchId: number) => boolean;
  /** Takes out those that an account has at this moment, one with each step. */
  readonly takeOf: (accountId: number) => Iterable<QueuedBatch>;
  readonly clear: () => void;
};

export function heldBatches(): HeldBatches {
  const batches = new Map<number, QueuedBatch>();
  const ofAccount = new Map<number, Map<number, QueuedBatch>>();
  return {
    add: (batch) => {
      batches.set(batch.batchId, batch);
      const its = ofAccount.get(batch.accountId) ?? new Map<number, QueuedBatch>();
      its.set(batch.batchId, batch);
      ofAccount.set(batch.accountId, its);
    },
    get: (batchId) => batches.get(batchId) ?? null,
    remove: (batchId) => {
      const batch = batches.get(batchId);
      if (!batch) return false;
      batches.delete(batchId);
      const its = ofAccount.get(batch.accountId);
      its?.delete(batchId);
      if (its?.size === 0) ofAccount.delete(batch.accountId);
      return true;
    },
    takeOf: function* (accountId) {
      const its = ofAccount.get(accountId);
      ofAccount.delete(accountId);
      for (const batch of its?.values() ?? []) {
        if (batches.delete(batch.batchId)) yield batch;
      }
    },
    clear: () => {
      batches.clear();
      ofAccount.clear();
    },
  };
}
