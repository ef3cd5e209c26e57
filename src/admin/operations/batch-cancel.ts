/** Calling batches off, for administrators and for the clients whose batches they are (docs/behaviour.md#cancelling). */

import { accepted, type Outcome, toRefusal } from "../../core/failures.ts";
import { runInBatches } from "../../core/slices.ts";
import type { Tx } from "../../db/write.ts";
import { accountUlid } from "../../domain/accounts/accounts.ts";
import { type BatchRecord, batchRecord } from "../../domain/messages/batches.ts";
import { calledOff, requestCancellation, cancelQueuedMessages } from "../../domain/messages/cancel.ts";
import { type BatchView, batchShow, findAnyBatch } from "./batches.ts";
import { type Change, type ChangeContext, change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { operation } from "./operation.ts";
import { BATCH, REASON, word } from "./parameters.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import { checkWords } from "./typed-values.ts";

/** Messages cancelled in one transaction. */
const CANCEL_STEP = 250;

/**
 * Calls a batch off and cancels what of it waits, a step at a time; the answer is the batch afterwards. It is
 * CANCELLED then, unless messages that had left already are still to be charged or released: those are waited for.
 * Calling off what was called off already is no error and keeps the first reason.
 */
export async function batchCancel(
  context: AdminContext,
  batchId: string,
  reason: string,
): Promise<AdminOutcome<BatchView>> {
  const words = checkWords(reason, "INVALID_REASON", "reason", 500);
  if (!words.ok) return words;
  const called = await change(context, (tx, nowMs) => {
    const batch = findAnyBatch(tx, batchId);
    if (!batch.ok) return batch;
    const { status, cancelReason } = batch.value;
    const made = createCancellation(tx, batch.value, words.value, nowMs);
    return made.audit === null && cancelReason === null
      ? refuse("BATCH_NOT_CANCELLABLE", { status })
      : done(made);
  });
  if (!called.ok) return called;
  await cancelWhatWaits(context, called.value);
  return batchShow(context, batchId);
}

/** Calls a batch of an account off, if it can be, and cancels what of it waits; how many messages. */
export async function cancelBatch(
  context: AdminContext,
  { accountId, batchId }: { readonly accountId: number; readonly batchId: number },
  note: string,
): Promise<number> {
  const { store, clock, server } = context;
  await store.write((tx) => {
    requestCancellation(tx, batchId, "CANCELLED", note, clock.nowMs());
    tx.afterCommit(() => server?.changed({ kind: "batch", accountId, batchId }));
  });
  return cancelWhatWaits(context, batchId);
}

/** The states that a batch cannot be called off in any more. CANCELLED is what was asked for. */
const OVER = ["SETTLED", "REJECTED", "FAILED"];

/**
 * The same as its client asks for it. It is called off when the answer comes, and the first of its waiting messages are
 * cancelled, all of a small batch; the running server cancels the rest, as it does after a crash.
 */
export function createClientCancel(contextOf: (actor: string) => ChangeContext) {
  return async (
    { accountId, actor }: { readonly accountId: number; readonly actor: string },
    batchId: string,
    reason: string | null,
  ): Promise<Outcome<null, "NOT_FOUND" | "BATCH_ENDED">> => {
    const context = contextOf(actor);
    const { store, clock } = context;
    const called = await change<number | string | null>(context, (tx, nowMs) => {
      const batch = batchRecord(tx, batchId);
      if (batch?.accountId !== accountId) return done({ value: null, audit: null });
      if (OVER.includes(batch.status)) return done({ value: batch.status, audit: null });
      return done(createCancellation(tx, batch, reason, nowMs));
    });
    if (!called.ok || called.value === null) return refuse("NOT_FOUND");
    if (typeof called.value === "string") {
      return { ok: false, refusal: toRefusal("BATCH_ENDED", { status: called.value }) };
    }
    const off = calledOff(store.read, called.value);
    if (off) await store.write((tx) => cancelQueuedMessages(tx, off, clock.nowMs(), CANCEL_STEP));
    return accepted(null);
  };
}

/** Calls a batch off; there is no audit entry where it was before, or has ended. */
function createCancellation(
  tx: Tx,
  { id, ulid, accountId }: BatchRecord,
  reason: string | null,
  nowMs: number,
): Change<number> {
  const isNew = requestCancellation(tx, id, "CANCELLED", reason, nowMs);
  const detail = { account_id: accountUlid(tx, accountId), reason: reason ?? undefined };
  return {
    value: id,
    audit: isNew ? { action: "batch cancel", subject: ulid, detail } : null,
    concern: { kind: "batch", accountId, batchId: id },
  };
}

/** A step at a time, so that other writers get their turn in between. */
async function cancelWhatWaits({ store, clock }: AdminContext, batchId: number): Promise<number> {
  const batch = calledOff(store.read, batchId);
  if (!batch) return 0;
  return runInBatches(CANCEL_STEP, () =>
    store.write((tx) => cancelQueuedMessages(tx, batch, clock.nowMs(), CANCEL_STEP)),
  );
}

export const BATCH_CANCEL_OPERATIONS = {
  "batch cancel": operation({
    params: { batch: word("BATCH", BATCH), reason: REASON },
    run: (context, { batch, reason }) => batchCancel(context, batch, reason),
  }),
};
