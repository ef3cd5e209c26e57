import { accepted } from "../../core/failures.ts";
import type { NewBatch } from "../messages/insert.ts";
import { insertSubmitted, openValidating } from "../messages/submitted.ts";
import { type Conclusion, NO_SUMS, stillActive } from "./open.ts";
import { RECIPIENTS_A_STEP, type RecipientList } from "./recipient-list.ts";
import type { IntakeOutcome } from "./refusals.ts";
import { withStagedBatch } from "./staging.ts";
import type { IntakeDeps } from "./terms.ts";

/**
 * Keeps a batch that is too large to be validated at once: every recipient is durable, in pieces, before the last
 * transaction makes the batch VALIDATING and concludes. A crash before leaves nothing that counts, and so does a refusal,
 * because the account was suspended meanwhile.
 */
export function keepForValidation<T>(
  deps: IntakeDeps,
  batch: NewBatch,
  recipients: RecipientList,
  conclusion: Conclusion<T>,
): Promise<IntakeOutcome<T>> {
  const { store } = deps;
  return withStagedBatch(deps, batch, 0, async (id) => {
    for (let piece = 0, at = 0; at < recipients.length; piece++, at += RECIPIENTS_A_STEP) {
      const step = jsonOf(recipients, at, at + RECIPIENTS_A_STEP);
      await store.write((tx) => insertSubmitted(tx, id, piece, step), "with the next");
    }
    return store.write((tx): IntakeOutcome<T> => {
      const verdict = stillActive(tx, batch.accountId);
      if (!verdict.ok) return verdict;
      openValidating(tx, id);
      const kept = {
        id,
        ulid: batch.ulid,
        clientReference: batch.clientReference,
        status: "VALIDATING",
        sums: NO_SUMS,
        rejections: [],
        warnings: [],
        filled: null,
      } as const;
      return accepted(conclusion(tx, kept));
    });
  });
}

function jsonOf(recipients: RecipientList, start: number, end: number): string {
  return recipients.json?.(start, end) ?? JSON.stringify(recipients.slice(start, end));
}
