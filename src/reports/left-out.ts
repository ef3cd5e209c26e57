/** Why somebody did not get a text: the batches that their number was left out of, the newest first. */
import { accountById } from "../accounts/accounts.ts";
import { isoOrNull } from "../base/clock.ts";
import { slicer } from "../base/slices.ts";
import { batchById, batchObject } from "../messages/batches.ts";
import { batchIdAt, LEFT_OUT_STEP, type LeftOutOnce, leftOutBefore } from "../messages/rejected-to.ts";
import type { AdminContext } from "../operations/context.ts";
import { findAccount } from "../operations/find-account.ts";
import { readTypedSpan, type TypedSpan } from "../operations/instants.ts";
import { anyMsisdnReader } from "../operations/msisdn.ts";
import { type AdminOutcome, done, refuse } from "../operations/refusal.ts";
import { checkLimit } from "../operations/typed-values.ts";
import type { Reader } from "../store/read.ts";

/** As typed; what is null is not asked for. */
export type LeftOutFilters = {
  readonly number: string;
  readonly account: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly limit: number;
};

/** One batch that a number was left out of. */
export type BatchWithout = {
  readonly batch_id: string;
  readonly account_id: string;
  readonly account: string;
  readonly sender: string;
  readonly message_class: string;
  /** What its client calls the batch. */
  readonly client_reference: string | null;
  readonly created_at: string;
  readonly reason_code: string;
  /** The place of the recipient in the batch, from 0. */
  readonly index: number;
};

export type LeftOutView = {
  readonly msisdn: string;
  readonly left_out: readonly BatchWithout[];
  /** More fit than are shown. */
  readonly is_more: boolean;
  /** All that fits since then was found; null where it was looked for in all of the time that was asked for. */
  readonly searched_back_to: string | null;
};

const MOST_ROWS = 500;
/** Rejected recipients that one search goes through, of whatever account: about 100 ms. */
const MOST_LOOKED = 300_000;
const DAY_MS = 86_400_000;
/** How far back it is looked without `from`. */
const USUAL_DAYS = 31;
/** How far ids of batches may be from the time that they were accepted at: a clock may have gone back. */
const SLACK_MS = 3_600_000;
/** The newest batches that a number was left out of, in slices beside other work. */
export async function leftOutFind(
  { store: { read }, clock, config }: AdminContext,
  filters: LeftOutFilters,
): Promise<AdminOutcome<LeftOutView>> {
  const limit = checkLimit(filters.limit, MOST_ROWS);
  if (!limit.ok) return limit;
  const msisdn = anyMsisdnReader(config)(filters.number);
  if (msisdn === null) {
    return refuse("INVALID_MSISDN", `${JSON.stringify(filters.number)} is not a phone number`);
  }
  const nowMs = clock.nowMs();
  const time = readTypedSpan(filters, config.defaults.timezone, nowMs, USUAL_DAYS * DAY_MS);
  if (!time.ok) return time;
  const account = filters.account === null ? done(null) : findAccount(read, filters.account);
  if (!account.ok) return account;
  const accountId = account.value?.id ?? null;
  const fromBatch = batchIdAt(read, time.value.fromMs - SLACK_MS);
  const rows: BatchWithout[] = [];
  const pause = slicer(clock);
  let place = { batchId: batchIdAt(read, time.value.toMs + SLACK_MS), position: 0 };
  for (let looked = 0; looked < MOST_LOOKED; looked += LEFT_OUT_STEP) {
    const { found, next } = leftOutBefore(read, msisdn, place, fromBatch);
    for (const one of found) {
      const row = rowOf(read, one, accountId, time.value);
      if (row === null) continue;
      if (rows.length === limit.value)
        return done({ msisdn, left_out: rows, is_more: true, searched_back_to: null });
      rows.push(row);
    }
    if (next === null) return done({ msisdn, left_out: rows, is_more: false, searched_back_to: null });
    place = next;
    await pause();
  }
  const backTo = isoOrNull(batchById(read, place.batchId)?.created_at ?? null);
  return done({ msisdn, left_out: rows, is_more: false, searched_back_to: backTo });
}

/** Null where the batch is another account's, a sandbox's, of another time, or nobody was answered for it yet. */
function rowOf(
  read: Reader,
  { batchId, position, reason }: LeftOutOnce,
  accountId: number | null,
  { fromMs, toMs }: TypedSpan,
): BatchWithout | null {
  const batch = batchById(read, batchId);
  if (!batch || batch.account_id <= 0 || batch.status === "VALIDATING") return null;
  if (accountId !== null && batch.account_id !== accountId) return null;
  if (batch.created_at < fromMs || batch.created_at >= toMs) return null;
  const account = accountById(read, batch.account_id);
  const { batch_id, sender, message_class, client_reference, created_at } = batchObject(batch);
  return {
    ...{ batch_id, account_id: account?.ulid ?? "", account: account?.name ?? "", sender, message_class },
    ...{ client_reference, created_at, reason_code: reason, index: position },
  };
}
