/** The end of what waits in the queue and is not sent any more: given up, or cancelled. */
import type { Clock } from "../core/clock.ts";
import { runInBatches } from "../core/concurrency.ts";
import { errorFields, type Log } from "../core/log.ts";
import type { Store } from "../db/store.ts";
import { applyFacts } from "../domain/messages/apply-facts.ts";
import { type CancelledBatch, cancelQueuedMessages } from "../domain/messages/cancellation.ts";
import type { MessageError } from "../domain/messages/message-status.ts";
import { readWaitingMessages, type WaitingPlace } from "../domain/messages/queue.ts";

/** Messages ended in one transaction, so that a large batch makes nobody wait. */
const STEP = 250;

type GiveUpDeps = { readonly store: Store; readonly clock: Clock; readonly log: Log };

/**
 * Ends every message of a batch that waits for an operator, whether it is due or not. One whose last word from the
 * operator was to try later ends OPERATOR_THROTTLED when its validity is over.
 */
export async function giveUpQueued(
  { store, clock, log }: GiveUpDeps,
  batch: WaitingPlace,
  error: MessageError,
): Promise<void> {
  try {
    const given = await runInBatches(STEP, () =>
      store.write((tx) => {
        const facts = readWaitingMessages(tx, batch, STEP).map(({ id, operatorCode }) => ({
          kind: "given_up" as const,
          messageId: id,
          error:
            error.code === "EXPIRED_IN_QUEUE" && operatorCode !== null
              ? { code: "OPERATOR_THROTTLED" as const, operatorCode }
              : error,
        }));
        return applyFacts(tx, facts, clock.nowMs()).length;
      }),
    );
    if (given === 0) return;
    const { batchId, operator } = batch;
    log.warn("messages given up", { batch: batchId, operator, reason: error.code, messages: given });
  } catch (failure) {
    log.error("messages could not be given up", { batch: batch.batchId, ...errorFields(failure) });
  }
}

/** Cancels and releases what waits of batches that were cancelled. */
type BatchCancellations = {
  /** Begins with a batch, unless it is under way. What can't be written is found again in the queue. */
  readonly begin: (batch: CancelledBatch) => void;
  /** Resolves when none is under way. */
  readonly idle: () => Promise<void>;
};

export function batchCancellations(deps: GiveUpDeps): BatchCancellations {
  const underWay = new Map<number, Promise<void>>();
  return {
    begin: (batch) => {
      if (underWay.has(batch.id)) return;
      underWay.set(
        batch.id,
        cancelQueued(deps, batch).finally(() => underWay.delete(batch.id)),
      );
    },
    idle: async () => {
      await Promise.all(underWay.values());
    },
  };
}

async function cancelQueued({ store, clock, log }: GiveUpDeps, batch: CancelledBatch): Promise<void> {
  try {
    await runInBatches(STEP, () => store.write((tx) => cancelQueuedMessages(tx, batch, clock.nowMs(), STEP)));
  } catch (failure) {
    log.error("messages could not be cancelled", { batch: batch.id, ...errorFields(failure) });
  }
}
