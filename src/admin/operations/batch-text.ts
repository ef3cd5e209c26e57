/** The text of a batch, for somebody who says why: who read it is in the audit list, before it is shown. */

import type { Reader } from "../../db/read.ts";
import { accountUlid } from "../../domain/accounts/accounts.ts";
import { batchText as bodyOf } from "../../domain/messages/batches.ts";
import { findTextBatch } from "../../domain/messages/corrections.ts";
import { fallbackOf } from "../../domain/messages/fallbacks.ts";
import { findAnyBatch } from "./batches.ts";
import { change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { type AdminOutcome, done } from "./refusal.ts";
import { checkWords } from "./typed-values.ts";

export type BatchTextView = {
  readonly batch_id: string;
  readonly account_id: string;
  /** As it was submitted, with its tags; null once it was forgotten (docs/behaviour.md#10-retention). */
  readonly text: string | null;
  /** What goes as an SMS where the first channel fails; null where nothing does, and once it was forgotten. */
  readonly fallback: string | null;
};

/** Shows a batch's text; the reason is kept, the text is not. Whose batch it is reads it as they like: null, and nothing is recorded. */
export async function batchText(
  context: AdminContext,
  batchId: string,
  reason: string | null,
): Promise<AdminOutcome<BatchTextView>> {
  if (reason === null) return toBatchTextView(context.store.read, batchId);
  const words = checkWords(reason, "INVALID_REASON", "reason", 500);
  if (!words.ok) return words;
  return change(context, (tx) => {
    const view = toBatchTextView(tx, batchId);
    if (!view.ok) return view;
    const { batch_id: subject, account_id } = view.value;
    const audit = { action: "batch text", subject, detail: { account_id, reason: words.value } };
    return done({ value: view.value, audit });
  });
}

function toBatchTextView(read: Reader, batchId: string): AdminOutcome<BatchTextView> {
  const batch = findAnyBatch(read, batchId);
  if (!batch.ok) return batch;
  const { id, ulid, accountId } = batch.value;
  return done({
    batch_id: ulid,
    account_id: accountUlid(read, accountId),
    text: bodyOf(read, findTextBatch(read, id)) || null,
    fallback: fallbackOf(read, id)?.body || null,
  });
}
