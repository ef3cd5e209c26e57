/** Batches of one account or of all, by state, by what their client called them and by time, the newest first. */

import { createYielder } from "../../core/concurrency.ts";
import type { Reader } from "../../db/reader.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import {
  type BatchFilter,
  batchById,
  batchesBelow,
  batchView,
  findBatches,
  isAmong,
  LISTED_STATUSES,
  type ListedStatus,
} from "../../domain/messages/batches.ts";
import { leftOutCount } from "../../domain/messages/import-rows.ts";
import { findAccountOrNull, normaliseName } from "../operations/account-names.ts";
import { findAnyBatch } from "../operations/batches.ts";
import type { AdminContext } from "../operations/context.ts";
import { operation, type ValuesOf } from "../operations/operation.ts";
import {
  BATCH,
  FROM,
  limit,
  OF_ACCOUNT,
  optional,
  readInstantRange,
  TO,
  text,
} from "../operations/parameters.ts";
import { type AdminOutcome, done, refuse } from "../operations/refusal.ts";

const MAX_BATCHES = 500;

const FIND_PARAMETERS = {
  account: OF_ACCOUNT,
  /** One state, or several by comma. */
  status: optional(text("S", 100)),
  reference: optional(text("TEXT", 100)),
  from: FROM,
  to: TO,
  /** The batch to go on behind. */
  before: optional(BATCH),
  limit: limit(100, MAX_BATCHES),
};

/**
 * What is null is not asked for. `named`: a part of what their client called them, without case and accents; `withoutSmpp`: those that
 * came over SMPP are left out.
 */
export type BatchFindFilters = ValuesOf<typeof FIND_PARAMETERS> & {
  readonly named?: string | null;
  readonly withoutSmpp?: boolean;
};

/** Rows looked at in one go, and for one page in vain. */
const STEP = 500;
const MAX_LOOKED = 20_000;

/**
 * Looks through an index in the order of acceptance, in slices beside other work. Over all accounts a name of a client is
 * looked for account by account, because it is theirs. `next`: the batch to go on behind; null when nothing is left. With few that
 * fit, a page may be short although there is more.
 */
export async function batchFind(context: AdminContext, filters: BatchFindFilters) {
  const { clock, config, store } = context;
  const { read } = store;
  const { limit } = filters;
  const statuses = readStatuses(filters.status);
  if (!statuses.ok) return statuses;
  const time = readInstantRange(filters, config.defaults.timezone, clock.nowMs(), clock.nowMs());
  if (!time.ok) return time;
  const account = findAccountOrNull(read, filters.account);
  if (!account.ok) return account;
  const behind = filters.before === null ? done(null) : findAnyBatch(read, filters.before);
  if (!behind.ok) return behind;
  const filter: BatchFilter = {
    statuses: statuses.value,
    clientReference: filters.reference,
    withoutSmpp: filters.withoutSmpp ?? false,
    ...(filters.named ? { isNamed: partOfName(filters.named) } : {}),
    ...time.value,
  };
  if (account.value === null) {
    const belowId = behind.value?.id ?? Number.MAX_SAFE_INTEGER;
    const { ids, next } = await overAll(context, filter, belowId, limit);
    return done({ batches: await viewsOf(context, ids), next });
  }
  if (behind.value && behind.value.accountId !== account.value.id) {
    return refuse("BATCH_NOT_FOUND", { id: filters.before ?? "" });
  }
  const pause = createYielder(clock);
  const found = await findBatches(read, account.value.id, filter, behind.value, limit, () => pause());
  return done({
    batches: await viewsOf(
      context,
      found.batches.map(({ id }) => id),
    ),
    next: found.after,
  });
}

function partOfName(part: string): (name: string) => boolean {
  const wanted = normaliseName(part);
  return (name) => normaliseName(name).includes(wanted);
}

async function overAll(
  { store, clock }: AdminContext,
  filter: BatchFilter,
  belowId: number,
  limit: number,
): Promise<{ readonly ids: readonly number[]; readonly next: string | null }> {
  const { statuses, clientReference, fromMs, toMs } = filter;
  const pause = createYielder(clock);
  const ids: number[] = [];
  let below = belowId;
  let last: string | null = null;
  for (let looked = 0; looked < MAX_LOOKED; looked += STEP) {
    const rows = batchesBelow(store.read, below, STEP);
    for (const row of rows) {
      if (row.createdAtMs < fromMs) return { ids, next: null };
      const fits =
        row.createdAtMs < toMs &&
        (statuses === null || statuses.includes(row.status)) &&
        (clientReference === null || row.clientReference === clientReference) &&
        isAmong(row, filter);
      if (fits && ids.length === limit) return { ids, next: last };
      if (fits) ids.push(row.id);
      last = row.ulid;
    }
    if (rows.length < STEP) return { ids, next: null };
    below = rows.at(-1)?.id ?? 0;
    await pause();
  }
  return { ids, next: last };
}

async function viewsOf({ store, clock }: AdminContext, ids: readonly number[]) {
  const { read } = store;
  const pause = createYielder(clock);
  const named = new Map<number, ReturnType<typeof nameOf>>();
  const views = [];
  for (const id of ids) {
    const row = batchById(read, id);
    if (row) {
      const whose = named.get(row.account_id) ?? nameOf(read, row.account_id);
      named.set(row.account_id, whose);
      views.push({
        ...whose,
        ...batchView(row),
        /** Rows of the file it was sent out of that were no recipients: beside the rejected, who got nothing. */
        unreadable: leftOutCount(read, id),
      });
    }
    await pause();
  }
  return views;
}

function nameOf(read: Reader, id: number) {
  const account = accountById(read, id);
  return { account_id: account?.ulid ?? "", account: account?.name ?? "" };
}

function readStatuses(text: string | null): AdminOutcome<readonly ListedStatus[] | null> {
  if (text === null) return done(null);
  const asked = text.split(",").map((word) => word.trim().toUpperCase());
  const known = LISTED_STATUSES.filter((status) => asked.includes(status));
  const unknown = asked.find((word) => !known.some((status) => status === word));
  return unknown === undefined
    ? done(known)
    : refuse("INVALID_STATUS", { text: unknown, known: LISTED_STATUSES.join(", ") });
}

export const BATCH_FIND_OPERATIONS = {
  "batch find": operation({
    does: "reads",
    params: FIND_PARAMETERS,
    run: batchFind,
  }),
};
