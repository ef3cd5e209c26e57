/**
 * Operations on batches: list, show and cancel, for administrators and for the clients who own them. Only messages that are
 * still queued can be cancelled.
 */
import { isoOrNull } from "../../core/clock.ts";
import { createYielder, runInBatches } from "../../core/concurrency.ts";
import { causePhrase } from "../../core/import-row.ts";
import { accepted, type Outcome, toRefusal } from "../../core/refusals.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { accountUlid } from "../../domain/accounts/accounts.ts";
import type { KeyMode } from "../../domain/accounts/api-keys.ts";
import {
  type BatchRecord,
  batchRecord,
  batchUlids,
  batchView,
  findBatch,
  parseWarnings,
  rejectionsByReason,
} from "../../domain/messages/batches.ts";
import type { BatchPlace } from "../../domain/messages/billing.ts";
import { calledOff, cancelQueuedMessages, requestCancellation } from "../../domain/messages/cancellation.ts";
import { leftOutCount, readRows } from "../../domain/messages/import-rows.ts";
import { type Change, type ChangeContext, change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { operation } from "./operation.ts";
import { ACCOUNT, BATCH, limit, MODE, optional, REASON, word } from "./parameters.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import { findAccountByMode } from "./sandboxes.ts";

const MAX_BATCHES = 1000;

/** A batch as `GET /batches/{batch_id}` shows it, without its rejections. */
type BatchFigures = ReturnType<typeof batchView>;

/** Up to `limit` batches of an account, newest first, all or those before the batch that `before` names. */
export async function batchList(
  context: AdminContext,
  accountId: string,
  before: string | null,
  limit: number,
  mode: KeyMode = "live",
) {
  const { read } = context.store;
  const account = findAccountByMode(read, accountId, mode);
  if (!account.ok) return account;
  const { id, ulid } = account.value;
  let end: BatchPlace = { createdAtMs: Number.MAX_SAFE_INTEGER, id: 0 };
  if (before !== null) {
    const batch = findAnyBatch(read, before);
    if (!batch.ok) return batch;
    if (batch.value.accountId !== id) return unknownBatch(before);
    end = batch.value;
  }
  const pause = createYielder(context.clock);
  const ulids = batchUlids(read, id, end, limit + 1);
  const batches: BatchFigures[] = [];
  for (const each of ulids.slice(0, limit)) {
    const row = findBatch(read, id, each);
    if (row) batches.push(batchView(row));
    await pause();
  }
  const next = ulids.length > limit ? (ulids[limit - 1] ?? null) : null;
  return done({
    account_id: ulid,
    batches,
    /** The batch to list on from; null when this is the last page. */
    next_before: next,
  });
}

const MAX_UNREADABLE_SHOWN = 1000;
const NO_RECIPIENTS = ["UNREADABLE", "ALREADY_REACHED"] as const;

/** One batch: its figures, its money, why it failed or was called off, and what its rejections were for. */
export async function batchShow(context: AdminContext, batchId: string) {
  const { read } = context.store;
  const found = findAnyBatch(read, batchId);
  if (!found.ok) return found;
  const rejections = await rejectionsByReason(read, context.clock, found.value.id);
  const now = findAnyBatch(read, batchId);
  if (!now.ok) return now;
  const { accountId, ulid, cancelReason, cancelNote, endedAtMs } = now.value;
  const row = findBatch(read, accountId, ulid);
  if (!row) return unknownBatch(batchId);
  const unreadable = leftOutCount(read, now.value.id);
  const rows = unreadable === 0 ? [] : readRows(read, now.value.id, NO_RECIPIENTS, 0, MAX_UNREADABLE_SHOWN);
  return done({
    account_id: accountUlid(read, accountId),
    ...batchView(row),
    /** When it reached its last status; null before. */
    ended_at: isoOrNull(endedAtMs),
    /** Null unless it was cancelled. */
    cancellation: cancelReason === null ? null : { code: cancelReason, reason: cancelNote },
    /** How many recipients were rejected for each reason. */
    rejections_by_reason: rejections,
    /** The warnings about its tags that its client got. */
    warnings: parseWarnings(row),
    /** Rows of the file it was sent out of that were no recipients: how many, and the first of them. */
    unreadable,
    unreadable_rows: rows.map(({ line, cause }) => ({ line, cause: causePhrase(cause) ?? "" })),
  });
}

/** Finds a batch of any account by id; one not answered yet does not exist. */
export function findAnyBatch(read: Reader, batchId: string): AdminOutcome<BatchRecord> {
  const batch = batchRecord(read, batchId.toUpperCase());
  return batch ? done(batch) : unknownBatch(batchId);
}

function unknownBatch(batchId: string) {
  return refuse("BATCH_NOT_FOUND", { id: batchId });
}

export const BATCH_OPERATIONS = {
  "batch list": operation({
    does: "reads",
    params: { account: ACCOUNT, before: optional(BATCH), limit: limit(100, MAX_BATCHES), mode: MODE },
    run: (context, { account, before, limit: most, mode }) => batchList(context, account, before, most, mode),
  }),
  "batch show": operation({
    does: "reads",
    params: { batch: word("BATCH", BATCH) },
    run: (context, { batch }) => batchShow(context, batch),
  }),
};

// Cancelling batches, for administrators and for the clients who own them (docs/behaviour.md#cancelling).

/** Messages cancelled in one transaction. */
const CANCEL_STEP = 250;

/** Cancels a batch of an account, if possible, and its queued messages; returns how many. */
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
 * Cancels for the batch's client. At the answer the batch is cancelled, and the first of its queued messages are too,
 * all of a small batch; the running server cancels the rest, as it does after a crash.
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
  /**
   * Cancels a batch and its queued messages, in steps; returns the batch afterwards. It is then CANCELLED, unless
   * messages that had left are still to be charged or released: those are waited for.
   * Cancelling twice is no error and keeps the first reason.
   */
  "batch cancel": operation({
    params: { batch: word("BATCH", BATCH), reason: REASON },
    run: async (context, { batch: batchId, reason }) => {
      const called = await change(context, (tx, nowMs) => {
        const batch = findAnyBatch(tx, batchId);
        if (!batch.ok) return batch;
        const { status, cancelReason } = batch.value;
        const made = createCancellation(tx, batch.value, reason, nowMs);
        return made.audit === null && cancelReason === null
          ? refuse("BATCH_NOT_CANCELLABLE", { status })
          : done(made);
      });
      if (!called.ok) return called;
      await cancelWhatWaits(context, called.value);
      return batchShow(context, batchId);
    },
  }),
};
