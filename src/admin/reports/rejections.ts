/** The recipients of a batch that were rejected, with the reason of each. */
import { accountUlid } from "../../domain/accounts/accounts.ts";
import { findBatch, type RejectionObject, rejectionsOf } from "../../domain/messages/batches.ts";
import { findAnyBatch } from "../operations/batches.ts";
import type { AdminContext } from "../operations/context.ts";
import { operation } from "../operations/operation.ts";
import { BATCH, limit, otherwise, whole, word } from "../operations/parameters.ts";
import { type AdminOutcome, done } from "../operations/refusal.ts";
import { checkLimit } from "../operations/typed-values.ts";

const MAX_REJECTIONS = 5000;

export type RejectionsPage = {
  readonly batch_id: string;
  readonly account_id: string;
  readonly rejections: readonly RejectionObject[];
  /** The place in the submission to go on from; null when this is all. */
  readonly next_from: number | null;
};

/** Up to `limit` rejected recipients from a place in the submission on, in its order. */
export function batchRejections(
  { store: { read } }: AdminContext,
  batchId: string,
  from: number,
  limit: number,
): AdminOutcome<RejectionsPage> {
  const checked = checkLimit(limit, MAX_REJECTIONS);
  if (!checked.ok) return checked;
  const batch = findAnyBatch(read, batchId);
  if (!batch.ok) return batch;
  const { accountId, ulid } = batch.value;
  const row = findBatch(read, accountId, ulid);
  const found = row ? rejectionsOf(read, row, from, limit + 1) : [];
  const rejections = found.slice(0, limit);
  return done({
    batch_id: ulid,
    account_id: accountUlid(read, accountId),
    rejections,
    next_from: found.length > limit ? (found[limit]?.index ?? null) : null,
  });
}

export const REJECTION_OPERATIONS = {
  "batch rejections": operation({
    does: "reads",
    params: {
      batch: word("BATCH", BATCH),
      from: otherwise(0, whole("N", { minimum: 0, maximum: 1_000_000 })),
      limit: limit(100),
    },
    run: (context, { batch, from, limit: most }) => batchRejections(context, batch, from, most),
  }),
};
