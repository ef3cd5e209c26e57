/**
 * Lists of an account's batches by what a client asks for, the newest first. A step looks at a few hundred rows of an index
 * in the order of acceptance, so that others have their turn between two of them; rare statuses have an index of their own, which
 * costs a batch that is sent and settled nothing.
 */
import type { Reader } from "../../db/read.ts";
import type { BatchStatus } from "./batch-status.ts";
import type { BatchPlace } from "./billing.ts";

/** The states that a client may ask for. */
export const LISTED_STATUSES = [
  ...(["VALIDATING", "SCHEDULED", "QUEUED", "SENDING"] as const),
  ...(["SETTLED", "REJECTED", "FAILED", "CANCELLED"] as const),
] satisfies readonly BatchStatus[];

export type ListedStatus = (typeof LISTED_STATUSES)[number];

/** Which batches are wanted. Times of acceptance are epoch milliseconds. */
export type BatchFilter = {
  /** Null: in any state. */
  readonly statuses: readonly ListedStatus[] | null;
  /** What their client called them; null: whatever it was. */
  readonly clientReference: string | null;
  /** Whether a name that their client gave them fits; absent: any does, and none. */
  readonly isNamed?: (name: string) => boolean;
  /** Accepted at this moment or later. */
  readonly fromMs: number;
  /** Accepted before this moment. */
  readonly toMs: number;
};

export type FoundBatch = BatchPlace & {
  readonly ulid: string;
  readonly status: ListedStatus;
  readonly clientReference: string | null;
};

/** Rows looked at in one go. */
const STEP = 500;
/** Rows looked at for one page; then the page is what was found by then. */
const MAX_LOOKED = 20_000;

/** Batches in the order of acceptance, the newest first. */
export type BatchesFound = {
  readonly batches: readonly FoundBatch[];
  /** Where to go on: the public id of the last batch that was looked at; null when there is none behind. */
  readonly after: string | null;
};

/**
 * Up to `limit` batches of an account behind a place, or from the newest on. Where few of very many fit, it may be fewer although
 * there are more behind.
 */
export async function findBatches(
  read: Reader,
  accountId: number,
  filter: BatchFilter,
  behind: BatchPlace | null,
  limit: number,
  pause: () => Promise<void> | undefined,
): Promise<BatchesFound> {
  const { statuses } = filter;
  const wanted: readonly string[] | null = statuses;
  const most = wanted === null && !filter.isNamed ? Math.min(STEP, limit + 1) : STEP;
  const batches: FoundBatch[] = [];
  let last: FoundBatch | null = null;
  let place: BatchPlace = behind ?? { createdAtMs: Number.MAX_SAFE_INTEGER, id: 0 };
  for (let looked = 0; looked < MAX_LOOKED; looked += most) {
    const rows = nextRows(read, accountId, filter, place, most);
    for (const row of rows) {
      const fits = wanted?.includes(row.status) !== false && hasName(row, filter);
      if (fits && batches.length === limit) return { batches, after: last?.ulid ?? null };
      if (fits) batches.push(row);
      last = row;
    }
    if (rows.length < most || !last) return { batches, after: null };
    place = last;
    await pause();
  }
  return { batches, after: last?.ulid ?? null };
}

/** Whether the name of a batch is one that is looked for. */
export function hasName(
  { clientReference }: Pick<FoundBatch, "clientReference">,
  { isNamed }: Pick<BatchFilter, "isNamed">,
): boolean {
  return !isNamed || (clientReference !== null && isNamed(clientReference));
}

/** The statuses of the index that holds what went another way than most. */
const SET_APART: readonly string[] = ["VALIDATING", "SCHEDULED", "REJECTED", "FAILED", "CANCELLED"];
const IS_SET_APART = "status IN ('VALIDATING', 'SCHEDULED', 'REJECTED', 'FAILED', 'CANCELLED')";

function nextRows(
  read: Reader,
  accountId: number,
  { statuses, clientReference, fromMs, toMs }: BatchFilter,
  behind: BatchPlace,
  limit: number,
): FoundBatch[] {
  const isRare = statuses?.every((status) => SET_APART.includes(status)) === true;
  const [index, which] =
    clientReference !== null
      ? ["batches_by_reference", "status <> 'STAGING' AND client_reference = ?"]
      : isRare
        ? ["batches_set_apart", IS_SET_APART]
        : ["batches_of_account", "status <> 'STAGING'"];
  const from = toMs <= behind.createdAtMs ? { createdAtMs: toMs, id: 0 } : behind;
  return read.all<FoundBatch>(
    `SELECT id, ulid, created_at AS createdAtMs, status, client_reference AS clientReference
     FROM batches INDEXED BY ${index}
     WHERE account_id = ? AND (created_at, id) < (?, ?) AND created_at >= ? AND ${which}
     ORDER BY created_at DESC, id DESC LIMIT ?`,
    accountId,
    from.createdAtMs,
    from.id,
    fromMs,
    ...(clientReference === null ? [] : [clientReference]),
    limit,
  );
}

/** Batches of whatever account below a row id, sandboxes apart, the newest first. */
export function batchesBelow(
  read: Reader,
  belowId: number,
  limit: number,
): (FoundBatch & { readonly accountId: number })[] {
  return read.all(
    `SELECT id, ulid, account_id AS accountId, created_at AS createdAtMs, status, client_reference AS clientReference
     FROM batches WHERE id < ? AND status <> 'STAGING' AND account_id > 0 ORDER BY id DESC LIMIT ?`,
    belowId,
    limit,
  );
}
