import type { Outcome } from "../base/failures.ts";
import type { NewBatch } from "../messages/insert.ts";
import { insertSubmitted, openValidating } from "../messages/submitted.ts";
import type { Tx } from "../store/write.ts";
import { type Intake, stillActive } from "./accept.ts";
import { RECIPIENTS_A_STEP, type RecipientList } from "./recipient-list.ts";
import { withStagedBatch } from "./staging.ts";

/**
 * Keeps a batch that is too large to be validated at once: every recipient is durable, in pieces, before the last
 * transaction makes the batch VALIDATING and remembers its answer. A crash before leaves nothing that counts, and so
 * does a refusal, because the account was suspended meanwhile.
 */
export function enqueueForValidation(
  intake: Intake,
  batch: NewBatch,
  recipients: RecipientList,
  onAccepted: (tx: Tx) => void,
): Promise<Outcome<null>> {
  const { store } = intake;
  return withStagedBatch(intake, batch, 0, async (id) => {
    for (let piece = 0, at = 0; at < recipients.length; piece++, at += RECIPIENTS_A_STEP) {
      const step = jsonOf(recipients, at, at + RECIPIENTS_A_STEP);
      await store.write((tx) => insertSubmitted(tx, id, piece, step), "with the next");
    }
    return store.write((tx) => {
      const verdict = stillActive(tx, batch.accountId);
      if (!verdict.ok) return verdict;
      openValidating(tx, id);
      onAccepted(tx);
      return verdict;
    });
  });
}

function jsonOf(recipients: RecipientList, start: number, end: number): string {
  return recipients.json?.(start, end) ?? JSON.stringify(recipients.slice(start, end));
}
