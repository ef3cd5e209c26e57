/** Why somebody did not get a text: the batches that rejected their number, newest first. */
import { isoOrNull } from "../../core/clock.ts";
import { createYielder } from "../../core/concurrency.ts";
import { causePhrase } from "../../core/import-row.ts";
import { refused } from "../../core/refusals.ts";
import type { Reader } from "../../db/reader.ts";
import { accountById, accountUlid } from "../../domain/accounts/accounts.ts";
import { batchById, batchObject, findBatch, readRejections } from "../../domain/messages/batches.ts";
import { type BatchSpan, findRowsTo } from "../../domain/messages/import-rows.ts";
import { findBatchIdAt, findRejectionsBefore, LEFT_OUT_STEP } from "../../domain/messages/number-records.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { findAccountOrNull } from "../operations/account-names.ts";
import { findAnyBatch } from "../operations/batches.ts";
import type { AdminContext } from "../operations/context.ts";
import { createSearchReader, describeInvalidNumber } from "../operations/msisdn.ts";
import { operation } from "../operations/operation.ts";
import {
  BATCH,
  type InstantRange,
  limit,
  otherwise,
  readInstantRange,
  whole,
  word,
} from "../operations/parameters.ts";
import { done } from "../operations/refusal.ts";

/** As typed; what is null is not asked for. */
export type RejectedFilters = {
  readonly number: string;
  readonly account: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly limit: number;
};

/** Rejected recipients that one search goes through, of whatever account: about 100 ms. */
const MAX_LOOKED = 300_000;
const DAY_MS = 86_400_000;
/** How far back it is looked without `from`. */
const USUAL_DAYS = 31;
/** How far ids of batches may be from the time that they were accepted at: a clock may have gone back. */
const SLACK_MS = 3_600_000;
/** The reason code of an unreadable row. */
export const UNREADABLE = "UNREADABLE_ROW";
/** The reason code of a row whose number was in an earlier batch. */
export const TURN_BEFORE = "TURN_BEFORE";

/** Finds the newest batches that rejected a number, in slices beside other work. */
export async function findRejectedRecipient(
  { store: { read }, clock, config }: AdminContext,
  filters: RejectedFilters,
) {
  const { limit } = filters;
  const msisdn = createSearchReader(config)(filters.number);
  if (msisdn === null) {
    return refused("INVALID_MSISDN", describeInvalidNumber(config, filters.number));
  }
  const time = readInstantRange(filters, config.defaults.timezone, clock.nowMs(), USUAL_DAYS * DAY_MS);
  if (!time.ok) return time;
  const account = findAccountOrNull(read, filters.account);
  if (!account.ok) return account;
  const asked: RejectionQuery = {
    msisdn,
    accountId: account.value?.id ?? null,
    time: time.value,
    fromBatch: findBatchIdAt(read, time.value.fromMs - SLACK_MS),
    belowBatch: findBatchIdAt(read, time.value.toMs + SLACK_MS),
    // One more than is shown tells that there are more.
    most: limit + 1,
  };
  const { rows: rejected, backTo } = await rejectedTo(read, asked, createYielder(clock));
  const unread = findRowsTo(read, msisdn, asked, asked.most).flatMap(({ batchId, line, status, cause }) => {
    const reason = status === "ALREADY_REACHED" ? TURN_BEFORE : UNREADABLE;
    return rowOf(read, { batchId, line, cause: causePhrase(cause), position: null, reason }, asked);
  });
  const rows = [...rejected, ...unread].sort((a, b) => b.batchId - a.batchId);
  return done({
    msisdn,
    left_out: rows.slice(0, limit).map(({ batchId: _, ...row }) => row),
    /** More fit than are shown. */
    is_more: rows.length > limit,
    /** The search is complete back to here; null where it covers the whole period. */
    searched_back_to: rows.length > limit ? null : backTo,
  });
}

type RejectionQuery = BatchSpan & {
  readonly msisdn: string;
  readonly time: InstantRange;
  readonly most: number;
};

type Found = ReturnType<typeof rowOf>[number];

/** One batch that rejected a number. */
export type RejectingBatch = Omit<Found, "batchId">;

/** Those that were rejected; `backTo`: since when all of them were found, null where it was looked in all of the time. */
async function rejectedTo(read: Reader, asked: RejectionQuery, pause: () => Promise<void> | undefined) {
  const rows: Found[] = [];
  let place = { batchId: asked.belowBatch, position: 0 };
  for (let looked = 0; looked < MAX_LOOKED; looked += LEFT_OUT_STEP) {
    const { found, next } = findRejectionsBefore(read, asked.msisdn, place, asked.fromBatch);
    for (const one of found) {
      rows.push(...rowOf(read, { ...one, line: null, cause: null }, asked));
      if (rows.length === asked.most) return { rows, backTo: null };
    }
    if (next === null) return { rows, backTo: null };
    place = next;
    await pause();
  }
  return { rows, backTo: isoOrNull(batchById(read, place.batchId)?.created_at ?? null) };
}

type Once = {
  readonly batchId: number;
  readonly reason: string;
  readonly position: number | null;
  readonly line: number | null;
  readonly cause: Phrase | null;
};

/** Empty where the batch is another account's, a sandbox's, outside the period, or not answered yet. */
function rowOf(
  read: Reader,
  { batchId, position, reason, line, cause }: Once,
  { accountId, time: { fromMs, toMs } }: RejectionQuery,
) {
  const batch = batchById(read, batchId);
  if (!batch || batch.account_id <= 0 || batch.status === "VALIDATING") return [];
  if (accountId !== null && batch.account_id !== accountId) return [];
  if (batch.created_at < fromMs || batch.created_at >= toMs) return [];
  const account = accountById(read, batch.account_id);
  const { batch_id, sender, message_class, client_reference, created_at } = batchObject(batch);
  return [
    {
      batchId,
      batch_id,
      account_id: account?.ulid ?? "",
      account: account?.name ?? "",
      sender,
      message_class,
      /** What its client calls the batch. */
      client_reference,
      created_at,
      /** "UNREADABLE_ROW" for an unreadable row, "TURN_BEFORE" for one whose number was in an earlier batch. */
      reason_code: reason,
      /** The place of the recipient in the batch, from 0; null of a row that was none. */
      index: position,
      /** Of such a row, where it stood in the file, and why it could not be read. */
      line,
      cause,
    },
  ];
}

// The recipients of a batch that were rejected, with the reason of each.

const MAX_REJECTIONS = 5000;

/** Up to `limit` rejected recipients from a place in the submission on, in its order. */
export function batchRejections(
  { store: { read } }: AdminContext,
  batchId: string,
  from: number,
  limit: number,
) {
  const batch = findAnyBatch(read, batchId);
  if (!batch.ok) return batch;
  const { accountId, ulid } = batch.value;
  const row = findBatch(read, accountId, ulid);
  const found = row ? readRejections(read, row, from, limit + 1) : [];
  const rejections = found.slice(0, limit);
  return done({
    batch_id: ulid,
    account_id: accountUlid(read, accountId),
    rejections,

    /** The place in the submission to go on from; null when this is all. */
    next_from: found.length > limit ? (found[limit]?.index ?? null) : null,
  });
}

export const REJECTION_OPERATIONS = {
  "batch rejections": operation({
    does: "reads",
    params: {
      batch: word("BATCH", BATCH),
      from: otherwise(0, whole("N", { minimum: 0, maximum: 1_000_000 })),
      limit: limit(100, MAX_REJECTIONS),
    },
    run: (context, { batch, from, limit: most }) => batchRejections(context, batch, from, most),
  }),
};
