import type { Clock } from "../base/clock.ts";
import type { Log } from "../base/log.ts";
import { errorFields } from "../base/log.ts";
import { applyFacts } from "../messages/apply-facts.ts";
import type { MessageError } from "../messages/message-error.ts";
import { waitingMessages } from "../messages/queue.ts";
import type { WaitingPlace } from "../messages/waiting.ts";
import type { Store } from "../store/store.ts";

/** Messages ended in one transaction, so that nobody waits for a large batch that is given up. */
const STEP = 250;

export type GiveUpDeps = { readonly store: Store; readonly clock: Clock; readonly log: Log };

/**
 * Ends every message of a batch that waits for an operator, whether it is due or not. One whose last word from the
 * operator was to try later ends OPERATOR_THROTTLED when its validity is over.
 */
export async function giveUpQueued(
  deps: GiveUpDeps,
  batch: WaitingPlace,
  error: MessageError,
): Promise<void> {
  try {
    let given = 0;
    for (;;) {
      const ended = await deps.store.write((tx) => {
        const messages = waitingMessages(tx, batch, STEP);
        const facts = messages.map(({ id, operatorCode }) => ({
          kind: "given_up" as const,
          messageId: id,
          error:
            error.code === "EXPIRED_IN_QUEUE" && operatorCode !== null
              ? { code: "OPERATOR_THROTTLED" as const, operatorCode }
              : error,
        }));
        return applyFacts(tx, facts, deps.clock.nowMs()).length;
      });
      given += ended;
      if (ended < STEP) break;
    }
    if (given > 0) {
      deps.log.warn("messages given up", {
        batch: batch.batchId,
        operator: batch.operator,
        reason: error.code,
        messages: given,
      });
    }
  } catch (failure) {
    deps.log.error("messages could not be given up", { batch: batch.batchId, ...errorFields(failure) });
  }
}
