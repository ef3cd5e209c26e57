import type { Outcome } from "../base/failures.ts";
import { insertBatch, type NewBatch } from "../messages/insert.ts";
import { insertSubmitted, openValidating } from "../messages/submitted.ts";
import type { Tx } from "../store/write.ts";
import { type Intake, stillActive } from "./accept.ts";
import { RECIPIENTS_A_STEP, type RecipientList } from "./recipient-list.ts";
import { dropUnanswered } from "./staging.ts";

/**
 * Keeps a batch that is too large to be validated at once: every recipient is durable, in pieces, before the last
 * transaction makes the batch VALIDATING and remembers its answer. A crash before leaves nothing, and so does a
 * refusal, because the account was suspended meanwhile.
 */
export async function enqueueForValidation(
  { store }: Intake,
  batch: NewBatch,
  recipients: RecipientList,
  onAccepted: (tx: Tx) => void,
): Promise<Outcome<null>> {
  const id = await store.write((tx) => insertBatch(tx, batch, 0));
  let isAnswered = false;
  try {
    for (let piece = 0, at = 0; at < recipients.length; piece++, at += RECIPIENTS_A_STEP) {
      const step = jsonOf(recipients, at, at + RECIPIENTS_A_STEP);
      await store.write((tx) => insertSubmitted(tx, id, piece, step), "with the next");
    }
    const standing = await store.write((tx) => {
      const verdict = stillActive(tx, batch.accountId);
      if (!verdict.ok) return verdict;
      openValidating(tx, id);
      onAccepted(tx);
      return verdict;
    });
    isAnswered = standing.ok;
    return standing;
  } finally {
    if (!isAnswered) await dropUnanswered(store, { ...batch, id }, batch.timezone);
  }
}

function jsonOf(recipients: RecipientList, start: number, end: number): string {
  return recipients.json?.(start, end) ?? JSON.stringify(recipients.slice(start, end));
}
