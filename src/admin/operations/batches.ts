import { isoOrNull } from "../../core/clock.ts";
import { causePhrase } from "../../core/import-row.ts";
import { createYielder } from "../../core/slices.ts";
import type { Reader } from "../../db/read.ts";
import { accountUlid } from "../../domain/accounts/accounts.ts";
import type { KeyMode } from "../../domain/accounts/api-key.ts";
import {
  type BatchRecord,
  batchRecord,
  batchUlids,
  batchView,
  findBatch,
  rejectionsByReason,
  warningsOf,
} from "../../domain/messages/batches.ts";
import type { BatchPlace } from "../../domain/messages/billing.ts";
import type { CancelReason } from "../../domain/messages/cancel.ts";
import { leftOutCount, rowsOf } from "../../domain/messages/import-rows.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import type { AdminContext } from "./context.ts";
import { operation } from "./operation.ts";
import { ACCOUNT, BATCH, limit, MODE, optional, word } from "./parameters.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import { findAccountByMode } from "./sandboxes.ts";
import { checkLimit } from "./typed-values.ts";

const MAX_BATCHES = 1000;

/** A batch as `GET /batches/{batch_id}` shows it, without its rejections. */
type BatchFigures = ReturnType<typeof batchView>;

export type BatchPage = {
  readonly account_id: string;
  readonly batches: readonly BatchFigures[];
  /** The batch to list on from; null when this is the last page. */
  readonly next_before: string | null;
};

/** Up to `limit` batches of an account, newest first, all or those before the batch that `before` names. */
export async function batchList(
  context: AdminContext,
  accountId: string,
  before: string | null,
  limit: number,
  mode: KeyMode = "live",
): Promise<AdminOutcome<BatchPage>> {
  const checked = checkLimit(limit, MAX_BATCHES);
  if (!checked.ok) return checked;
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
  return done({ account_id: ulid, batches, next_before: next });
}

export type BatchView = { readonly account_id: string } & BatchFigures & {
    /** When it reached its last status; null before. */
    readonly ended_at: string | null;
    /** Null unless it was called off. */
    readonly cancellation: { readonly code: CancelReason; readonly reason: string | null } | null;
    /** How many recipients were rejected for each reason. */
    readonly rejections_by_reason: Readonly<Record<string, number>>;
    /** What its client was told of its tags. */
    readonly warnings: unknown;
    /** Rows of the file it was sent out of that were no recipients: how many, and the first of them. */
    readonly unreadable: number;
    readonly unreadable_rows: readonly { readonly line: number; readonly cause: Phrase | "" }[];
  };

const MAX_UNREADABLE_SHOWN = 1000;
const NO_RECIPIENTS = ["UNREADABLE", "ALREADY_REACHED"] as const;

/** One batch: its figures, its money, why it failed or was called off, and what its rejections were for. */
export async function batchShow(context: AdminContext, batchId: string): Promise<AdminOutcome<BatchView>> {
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
  const rows = unreadable === 0 ? [] : rowsOf(read, now.value.id, NO_RECIPIENTS, 0, MAX_UNREADABLE_SHOWN);
  return done({
    account_id: accountUlid(read, accountId),
    ...batchView(row),
    ended_at: isoOrNull(endedAtMs),
    cancellation: cancelReason === null ? null : { code: cancelReason, reason: cancelNote },
    rejections_by_reason: rejections,
    warnings: warningsOf(row),
    unreadable,
    unreadable_rows: rows.map(({ line, cause }) => ({ line, cause: causePhrase(cause) ?? "" })),
  });
}

/** The batch that a text names by its id, whichever account's it is; one that nobody was answered for is not there yet. */
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
    params: { account: ACCOUNT, before: optional(BATCH), limit: limit(100), mode: MODE },
    run: (context, { account, before, limit: most, mode }) => batchList(context, account, before, most, mode),
  }),
  "batch show": operation({
    does: "reads",
    params: { batch: word("BATCH", BATCH) },
    run: (context, { batch }) => batchShow(context, batch),
  }),
};
