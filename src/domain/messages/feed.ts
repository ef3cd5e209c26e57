/**
 * The feed: each message once, at its latest change, oldest first. Stamps are taken inside the writing
 * transaction (`feed-stamps.ts`), so whatever a reader sees at a stamp is all there will ever be below it.
 *
 * Messages that were moved carry their stamp. Those of a staged batch that nothing has happened to yet share the
 * run of stamps of their batch, so that accepting 100,000 of them does not write 100,000 rows twice. A page merges
 * the two.
 */
import type { Reader } from "../../db/reader.ts";
import { stampInRunUs, stampsBelow } from "./feed-stamps.ts";
import { MAX_RECIPIENTS } from "./insert.ts";
import {
  deriveStamp,
  MESSAGE_COLUMNS,
  type MessageObject,
  type MessageRow,
  messageObject,
} from "./message-view.ts";

export type FeedQuery = ReferenceQuery & {
  readonly accountId: number;
  /** Changes at or after this, epoch microseconds. */
  readonly sinceUs: number;
  /** 1 to 500. */
  readonly limit: number;
  /** Only the messages of this batch. */
  readonly batchUlid: string | null;
};

export type FeedPage = {
  readonly messages: MessageObject[];
  /** Where to go on: one microsecond after the last message, or where the query began when there is none. */
  readonly nextUs: number;
  readonly hasMore: boolean;
};

/** How much is looked at for a page of one batch. */
type FeedBounds = {
  /** A batch of so many messages at most is read whole and sorted. */
  readonly sorted: number;
  /** A larger one is looked for among so many changes of the account's feed. */
  readonly changes: number;
};

/** Either comes to a millisecond or two. */
const USUAL_BOUNDS: FeedBounds = { sorted: 2000, changes: 5000 };

type FeedBatch = { readonly id: number; readonly accepted: number; readonly createdAt: number };

/**
 * One page of the feed; null when the batch is missing or another account's. A page of a large batch is read in order out
 * of the account's changes as long as enough of it stands among as many as one looks at; else the batch is read whole.
 */
export function feedPage(read: Reader, query: FeedQuery, bounds = USUAL_BOUNDS): FeedPage | null {
  let batch: FeedBatch | null = null;
  if (query.batchUlid !== null) {
    batch = read.get<FeedBatch>(
      `SELECT id, accepted, created_at AS createdAt FROM batches
       WHERE ulid = ? AND account_id = ? AND status <> 'STAGING'`,
      query.batchUlid,
      query.accountId,
    );
    if (!batch) return null;
  }
  const fits = referenceTest(query);
  if (fits !== null) return pageOfReference(read, query, batch, fits, bounds);
  return pageOf(query, orderedRows(read, query, batch, query.limit + 1, bounds));
}

type PlacedRow = { readonly row: MessageRow; readonly stamp: number };

function inOrder(rows: readonly MessageRow[]): readonly PlacedRow[] {
  return rows.map((row) => ({ row, stamp: deriveStamp(row) })).sort((a, b) => a.stamp - b.stamp);
}

/** The next changes, as many as `limit` at least where there are. */
function orderedRows(
  read: Reader,
  query: FeedQuery,
  batch: FeedBatch | null,
  limit: number,
  bounds: FeedBounds,
): readonly PlacedRow[] {
  const moved = movedRows(read, query, batch, limit, bounds);
  return inOrder([...moved, ...untouchedRows(read, query, batch?.id ?? null, limit)]);
}

function pageOf(query: FeedQuery, rows: readonly PlacedRow[]): FeedPage {
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    messages: page.map(({ row }) => messageObject(row)),
    nextUs: last ? last.stamp + 1 : query.sinceUs,
    hasMore: rows.length > query.limit,
  };
}

/** Changes looked at for a page of a name that many have. */
const SCANNED = 800;

/** A page of what is called as asked. Where many are called so, it may be short although there are more: the cursor goes on. */
function pageOfReference(
  read: Reader,
  query: FeedQuery,
  batch: FeedBatch | null,
  fits: (row: MessageRow) => boolean,
  bounds: FeedBounds,
): FeedPage {
  const { accountId, batchUlid, limit, sinceUs } = query;
  const isMeant = (row: MessageRow): boolean => fits(row) && (batchUlid ?? row.batch_ulid) === row.batch_ulid;
  const few = fewByReference(read, accountId, query);
  if (few !== null) {
    return pageOf(
      query,
      inOrder(few.filter(isMeant)).filter(({ stamp }) => stamp >= sinceUs),
    );
  }
  const scanned = orderedRows(read, query, batch, SCANNED, bounds).slice(0, SCANNED);
  const found = scanned.filter(({ row }) => isMeant(row));
  const last = scanned.at(-1);
  return found.length > limit || !last
    ? pageOf(query, found)
    : { ...pageOf(query, found), nextUs: last.stamp + 1, hasMore: scanned.length === SCANNED };
}

/** Messages that carry their stamp, in its order. */
function movedRows(
  read: Reader,
  query: FeedQuery,
  batch: FeedBatch | null,
  limit: number,
  bounds: FeedBounds,
): readonly MessageRow[] {
  if (batch === null) {
    return read.all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM messages m JOIN batches b ON b.id = m.batch_id
       WHERE m.account_id = ? AND m.stamp_us >= ? ORDER BY m.stamp_us LIMIT ?`,
      query.accountId,
      query.sinceUs,
      limit,
    );
  }
  const near = batch.accepted > bounds.sorted ? movedNearby(read, query, batch, limit, bounds.changes) : null;
  return (
    near ??
    read.all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM batches b CROSS JOIN messages m
         ON m.id >= b.first_message_id AND m.id < b.first_message_id + b.accepted
       WHERE b.id = ? AND m.stamp_us >= ? ORDER BY m.stamp_us LIMIT ?`,
      batch.id,
      query.sinceUs,
      limit,
    )
  );
}

/** Changes of an account from a stamp on, read from the index alone. */
const CHANGES = `SELECT id, stamp_us, batch_id FROM messages
  WHERE account_id = ?1 + 0 AND stamp_us >= ?2 + 0 ORDER BY stamp_us LIMIT ?3`;

/** Those of a batch among the account's next changes; null where they may not be all that a page asks for. */
function movedNearby(
  read: Reader,
  { accountId, sinceUs }: FeedQuery,
  batch: FeedBatch,
  limit: number,
  changes: number,
): readonly MessageRow[] | null {
  // Nothing of a batch is stamped before the batch was there.
  const fromUs = Math.max(sinceUs, batch.createdAt * 1000);
  const rows = read.all<MessageRow>(
    `SELECT ${MESSAGE_COLUMNS} FROM (${CHANGES}) c CROSS JOIN messages m ON m.id = c.id
       CROSS JOIN batches b ON b.id = m.batch_id WHERE c.batch_id = ?4 LIMIT ?5`,
    accountId,
    fromUs,
    changes,
    batch.id,
    limit,
  );
  if (rows.length === limit) return rows;
  const looked = read.get<{ n: number }>(
    `SELECT count(*) AS n FROM (${CHANGES})`,
    accountId,
    fromUs,
    changes,
  );
  return looked && looked.n < changes ? rows : null;
}

/** What the stamps of the largest batch span. */
const MAX_RUN_US = stampInRunUs(0, MAX_RECIPIENTS);

type StagedBatch = { id: number; first_message_id: number; accepted: number; queued_stamp_us: number };

function untouchedRows(read: Reader, query: FeedQuery, batchId: number | null, limit: number): MessageRow[] {
  const batches = read.all<StagedBatch>(
    `SELECT id, first_message_id, accepted, queued_stamp_us FROM batches
     WHERE account_id = ?1 AND queued_stamp_us >= ?2 AND (?3 IS NULL OR id = ?3)
       AND EXISTS (SELECT 1 FROM messages m WHERE m.batch_id = batches.id AND m.stamp_us IS NULL)
     ORDER BY queued_stamp_us`,
    query.accountId,
    Math.max(0, query.sinceUs - MAX_RUN_US),
    batchId,
  );
  const rows: MessageRow[] = [];
  for (const batch of batches) {
    const skipped = stampsBelow(batch.queued_stamp_us, query.sinceUs);
    if (skipped >= batch.accepted) continue;
    rows.push(
      ...read.all<MessageRow>(
        `SELECT ${MESSAGE_COLUMNS} FROM messages m JOIN batches b ON b.id = m.batch_id
         WHERE m.batch_id = ? AND m.stamp_us IS NULL AND m.id >= ? ORDER BY m.id LIMIT ?`,
        batch.id,
        batch.first_message_id + skipped,
        limit - rows.length,
      ),
    );
    if (rows.length >= limit) break;
  }
  return rows;
}

// Final messages in the order in which they became so. A message becomes final once, and nothing moves its feed stamp
// afterwards (`transitions.ts`), so each stands exactly once in this order, at a place that no later commit can precede.

export type FinalMessage = MessageRow & { readonly stamp_us: number; readonly finalized_at: number };

/** A stretch of an account's feed. */
type FinalsPage = {
  readonly messages: readonly FinalMessage[];
  /** Everything up to this stamp was looked at; what became final since is above it. */
  readonly scannedToUs: number;
  /** Whether the feed goes on. */
  readonly hasMore: boolean;
};

/** How much of a feed is looked at in one go: changes, and final messages among them. */
type FeedStep = { readonly changes: number; readonly finals: number };

/**
 * The next final messages of an account's feed above `afterUs`, as far as one step reaches. Messages on their way are
 * passed over: they get a higher stamp when they become final.
 */
export function finalsAfter(read: Reader, accountId: number, afterUs: number, step: FeedStep): FinalsPage {
  const stretch = read.get<{ to: number | null; changes: number }>(
    `SELECT max(stamp_us) AS "to", count(*) AS changes FROM
       (SELECT stamp_us FROM messages WHERE account_id = ? AND stamp_us > ? ORDER BY stamp_us LIMIT ?)`,
    accountId,
    afterUs,
    step.changes,
  );
  const toUs = stretch?.to ?? null;
  if (toUs === null) return { messages: [], scannedToUs: afterUs, hasMore: false };
  const messages = read.all<FinalMessage>(
    `SELECT ${MESSAGE_COLUMNS} FROM messages m JOIN batches b ON b.id = m.batch_id
     WHERE m.account_id = ? AND m.stamp_us > ? AND m.stamp_us <= ? AND m.is_final = 1
     ORDER BY m.stamp_us LIMIT ?`,
    accountId,
    afterUs,
    toUs,
    step.finals,
  );
  const last = messages.at(-1);
  return last && messages.length === step.finals
    ? { messages, scannedToUs: last.stamp_us, hasMore: true }
    : { messages, scannedToUs: toUs, hasMore: stretch?.changes === step.changes };
}

/** How many final messages stand above `afterUs`, counted up to `most`. */
export function countFinals(read: Reader, accountId: number, afterUs: number, most: number): number {
  return (
    read.get<{ n: number }>(
      `SELECT count(*) AS n FROM
         (SELECT 1 FROM messages WHERE account_id = ? AND stamp_us > ? AND is_final = 1 LIMIT ?)`,
      accountId,
      afterUs,
      most,
    )?.n ?? 0
  );
}

// Messages by what their clients called them, or their batches (docs/behaviour.md#references).

/** Null, or left out: whatever it was called. */
type ReferenceQuery = {
  readonly clientReference?: string | null;
  readonly batchReference?: string | null;
};

/** Whether a message is called as asked; null where nothing is asked. */
function referenceTest({
  clientReference = null,
  batchReference = null,
}: ReferenceQuery): ((row: MessageRow) => boolean) | null {
  if (clientReference === null && batchReference === null) return null;
  return (row) =>
    (clientReference === null || row.client_reference === clientReference) &&
    (batchReference === null || row.batch_client_reference === batchReference);
}

/** So many messages of one name are read at once and put in order: two or three milliseconds. */
const FEW = 500;
const FEW_BATCHES = 50;

/**
 * All messages of an account that are called as asked, in no order; null where they are many, since a name need not be unique. Those
 * of a batch that is not open are not there yet.
 */
export function fewByReference(
  read: Reader,
  accountId: number,
  { clientReference = null, batchReference = null }: ReferenceQuery,
): readonly MessageRow[] | null {
  if (clientReference !== null) {
    const rows = read.all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM message_references n CROSS JOIN messages m ON m.id = n.message_id
         JOIN batches b ON b.id = m.batch_id
       WHERE n.account_id = ? AND n.client_reference = ? AND coalesce(m.stamp_us, b.queued_stamp_us) IS NOT NULL LIMIT ?`,
      accountId,
      clientReference,
      FEW + 1,
    );
    return rows.length > FEW ? null : rows;
  }
  const batches = read.all<{ id: number; accepted: number }>(
    `SELECT id, accepted FROM batches WHERE account_id = ? AND client_reference = ? AND status <> 'STAGING' LIMIT ?`,
    accountId,
    batchReference,
    FEW_BATCHES + 1,
  );
  const messages = batches.reduce((sum, { accepted }) => sum + accepted, 0);
  if (batches.length > FEW_BATCHES || messages > FEW) return null;
  return batches.flatMap(({ id }) =>
    read.all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM batches b CROSS JOIN messages m
         ON m.id >= b.first_message_id AND m.id < b.first_message_id + b.accepted WHERE b.id = ?`,
      id,
    ),
  );
}
