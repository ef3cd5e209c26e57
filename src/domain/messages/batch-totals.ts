/**
 * The counters and the status of a batch, as the facts of its messages move them: read once for a transaction, added up message by
 * message (`BatchChanges`), written once. Its status follows from the counters (batch-status.ts).
 *
 * What the batch has charged and released is posted to the ledger from here, in few entries (docs/behaviour.md#folding), and recounted
 * from the messages for the proof of the books (docs/behaviour.md#proof-of-the-books). What a fact does to one message is decided in
 * transitions.ts.
 */
import { assert } from "../../core/assert.ts";
import type { Xof } from "../../core/money.ts";
import type { InSnapshot } from "../../db/connections.ts";
import type { Reader } from "../../db/reader.ts";
import { createRowWriter } from "../../db/row-writer.ts";
import type { Tx } from "../../db/writer.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { recordEvent } from "../events/outbox.ts";
import { ENTERED_FOR_BATCH, enteredForBatch } from "../ledger/books-check.ts";
import { postMovement } from "../ledger/reservations.ts";
import { advanceBatch, type BatchProgress, posted } from "./batch-status.ts";
import { PURGED_OF_BATCH } from "./billing.ts";
import { COST, OTHER_COST, RELEASED, RESERVED, reservedOf } from "./message-money.ts";
import type { Status } from "./message-status.ts";
import type { MessageState } from "./transitions.ts";

/** Where a batch's life stands in its row. */
const COLUMNS: Readonly<Record<keyof BatchProgress, string>> = {
  accountId: "account_id",
  ulid: "ulid",
  messageClass: "message_class",
  channel: "channel",
  chargeOn: "charge_on",
  status: "status",
  unfinished: "unfinished",
  unclosed: "unclosed",
  cancelReason: "cancel_reason",
  awaitingSince: "awaiting_since",
  endedAt: "ended_at",
  submitted: "submitted",
  sent: "sent",
  delivered: "delivered",
  failed: "failed",
  cancelled: "cancelled",
  segments: "total_segments",
  charged: "charged_amount",
  released: "released_amount",
  postedCharged: "posted_charged",
  postedReleased: "posted_released",
  postings: "postings",
};

const READ_BATCH = `SELECT ${Object.entries(COLUMNS)
  .map(([field, column]) => `${column} AS ${field}`)
  .join(", ")} FROM batches WHERE id = ?`;

const update = createRowWriter<BatchProgress>({
  head: "UPDATE batches SET",
  always: [],
  columns: COLUMNS,
  where: "WHERE id = ? AND unfinished = ? AND charged_amount = ? AND postings = ? AND cancel_reason IS ?",
});

/**
 * Writes what its messages did to a batch that stood as `before` says, and moves it to the status they lead to. When it ends, its remaining
 * movements are posted to the ledger, and its end is recorded for those who want to be told.
 */
export function writeBatchChanges(
  tx: Tx,
  batchId: number,
  before: BatchProgress,
  moves: BatchChanges,
  nowMs: number,
): void {
  const after = advanceBatch(applyBatchChanges(before, moves), moves.reached.SUBMITTED > 0, nowMs);
  writeBatch(tx, batchId, before, after, nowMs);
}

/** Moves a batch of which no message moved just now to where it belongs: something else of it was changed. */
export function reconsiderBatch(tx: Tx, batchId: number, nowMs: number): void {
  const before = readBatchProgress(tx, batchId);
  writeBatch(tx, batchId, before, advanceBatch(before, false, nowMs), nowMs);
}

/** Posts what a batch has charged and released since its last posting to the ledger (docs/behaviour.md#folding). */
export function postBatchMovements(tx: Tx, batchId: number, nowMs: number): void {
  const before = readBatchProgress(tx, batchId);
  writeBatch(tx, batchId, before, posted(before), nowMs);
}

/** The batch with this id, which exists, as it stands in the transaction under way. */
export function readBatchProgress(tx: Tx, batchId: number): BatchProgress {
  const life = tx.get<BatchProgress>(READ_BATCH, batchId);
  assert(life, `batch ${batchId} exists`);
  return life;
}

function writeBatch(
  tx: Tx,
  batchId: number,
  before: BatchProgress,
  after: BatchProgress,
  nowMs: number,
): void {
  if (after.postings > before.postings) {
    postMovement(tx, {
      accountId: after.accountId,
      batchId,
      batchUlid: after.ulid,
      charged: after.postedCharged - before.postedCharged,
      released: after.postedReleased - before.postedReleased,
      postings: before.postings,
      atMs: nowMs,
    });
  }
  const { unfinished, charged, postings, cancelReason } = before;
  const changed = update(tx, before, after, [], [batchId, unfinished, charged, postings, cancelReason]);
  assert(changed !== 0, `batch ${batchId} was still as it was read`);
  const { status, accountId } = after;
  if (status !== before.status && (status === "SETTLED" || status === "CANCELLED"))
    recordEvent(tx, { type: `BATCH_${status}`, accountId, batchId, atMs: nowMs });
}

/** What the messages of one batch did to its figures in one transaction: added up one by one, and written once. */
export type BatchChanges = {
  readonly accountId: number;
  readonly reached: Record<Status, number>;
  finished: number;
  closed: number;
  /** Extra segments of messages that went on by another leg. */
  segments: number;
  charged: Xof;
  released: Xof;
};

export function createBatchChanges(accountId: number): BatchChanges {
  const reached = { QUEUED: 0, SUBMITTED: 0, SENT: 0, DELIVERED: 0, FAILED: 0, CANCELLED: 0 };
  return { accountId, reached, finished: 0, closed: 0, segments: 0, charged: 0, released: 0 };
}

/** Adds what a fact did to one message: where it was, where it is, and the states that it reached on the way. */
export function addBatchChange(
  moves: BatchChanges,
  before: MessageState,
  after: MessageState,
  reached: readonly Status[],
): void {
  for (const status of reached) moves.reached[status] += 1;
  if (after.isFinal && !before.isFinal) moves.finished += 1;
  moves.segments += after.segments - before.segments;
  moves.charged += after.amount - before.amount;
  if (after.isMoneyClosed && !before.isMoneyClosed) {
    moves.closed += 1;
    moves.released += reservedOf(after) - after.amount;
  }
}

/** The figures of a batch with its moves added in. */
function applyBatchChanges(life: BatchProgress, moves: BatchChanges): BatchProgress {
  const { SUBMITTED, SENT, DELIVERED, FAILED, CANCELLED } = moves.reached;
  return {
    ...life,
    submitted: life.submitted + SUBMITTED,
    sent: life.sent + SENT,
    delivered: life.delivered + DELIVERED,
    failed: life.failed + FAILED,
    cancelled: life.cancelled + CANCELLED,
    unfinished: life.unfinished - moves.finished,
    unclosed: life.unclosed - moves.closed,
    segments: life.segments + moves.segments,
    charged: life.charged + moves.charged,
    released: life.released + moves.released,
  };
}

// What batches have charged and released, on its way into the ledger: a few entries a batch, not one a message.

/** Batches with movements the ledger does not hold yet, the oldest first. */
export function findUnpostedBatches(read: Reader, limit: number): number[] {
  return read
    .all<{ id: number }>(
      `SELECT id FROM batches WHERE charged_amount <> posted_charged OR released_amount <> posted_released
       ORDER BY id LIMIT ?`,
      limit,
    )
    .map((row) => row.id);
}

/** What the batches of an account have charged and released that the ledger does not hold yet. */
export function sumUnposted(
  read: Reader,
  accountId: number,
): { readonly charged: Xof; readonly released: Xof } {
  const row = read.get<{ charged: number; released: number }>(
    `SELECT coalesce(sum(charged_amount - posted_charged), 0) AS charged,
       coalesce(sum(released_amount - posted_released), 0) AS released
     FROM batches INDEXED BY batches_unposted
     WHERE account_id = ? AND (charged_amount <> posted_charged OR released_amount <> posted_released)`,
    accountId,
  );
  return row ?? { charged: 0, released: 0 };
}

// Recomputes the money of every batch from its messages and compares it with what the batch and the ledger say, for the
// proof of the books.

type BatchRecount = {
  readonly batches: number;
  readonly messages: number;
  /** Figures of batches that disagree with their messages or their ledger entries. */
  readonly differences: readonly Phrase[];
};

/** Batches whose differences are listed: more would only say the same. */
const MAX_EXPLAINED = 100;

/** Read at one moment: some tens of milliseconds. */
const MESSAGES_A_MOMENT = 20_000;
const MAX_BATCHES_A_MOMENT = 2000;

/** A batch that is still staged is nobody's yet, and the money of sandboxes does not count. */
const ANSWERED = "(b.status <> 'STAGING' AND b.account_id > 0)";

/** Sums over the messages that are there, and over those that were purged. */
const ROWS_OF_BATCH = `SELECT m.segments AS segments, ${RESERVED} AS cost, m.amount AS charged, ${RELEASED} AS released, 1 AS messages
  FROM messages m WHERE m.id >= b.first_message_id AND m.id < b.first_message_id + b.accepted AND m.batch_id = b.id
  UNION ALL ${PURGED_OF_BATCH}`;
const FROM_MESSAGES = `SELECT coalesce(sum(segments), 0), coalesce(sum(cost), 0), coalesce(sum(charged), 0),
  coalesce(sum(released), 0), coalesce(sum(messages), 0) FROM (${ROWS_OF_BATCH})`;

/**
 * Whether a message of the batch `b` has another leg whose money does not fit: the dearer of the two is reserved, and a first leg that
 * arrived late costs its price, or nothing.
 */
const HAS_WRONG_WAYS = `EXISTS (SELECT 1 FROM fallbacks w JOIN messages m ON m.id = w.message_id
  WHERE w.message_id >= b.first_message_id AND w.message_id < b.first_message_id + b.accepted
    AND (w.excess_amount <> max(0, ${OTHER_COST} - ${COST}) OR (w.first_amount IS NOT NULL AND (w.stage = 'FIRST'
      OR w.first_amount NOT IN (0, CASE w.stage WHEN 'SECOND' THEN ${OTHER_COST} ELSE ${COST} END)))))`;

/**
 * Recomputes the money of every batch from its messages, and compares what it says it posted with the ledger. Reads
 * all of both, a million messages in a second or two, in many short moments: a batch is compared with what stands
 * beside it at the same moment, and every batch is for itself.
 */
export function recountBatches(inSnapshot: InSnapshot): BatchRecount {
  let batches = 0;
  let messages = 0;
  const differences: Phrase[] = [];
  for (let after = 0; ; ) {
    const piece = inSnapshot((read) => {
      const found = nextPiece(read, after);
      return found && { ...found, differences: differencesIn(read, after, found.last, MAX_EXPLAINED) };
    });
    if (!piece) return { batches, messages, differences };
    after = piece.last;
    batches += piece.batches;
    messages += piece.messages;
    if (differences.length < MAX_EXPLAINED) differences.push(...piece.differences);
  }
}

type Piece = { readonly last: number; readonly batches: number; readonly messages: number };

/** The batches of one moment behind an id: as many as have so many messages together, or one. Null after the last. */
function nextPiece(read: Reader, afterId: number): Piece | null {
  const rows = read.all<{ id: number; accepted: number; isAnswered: number }>(
    `SELECT b.id, b.accepted, ${ANSWERED} AS isAnswered FROM batches b WHERE b.id > ? ORDER BY b.id LIMIT ?`,
    afterId,
    MAX_BATCHES_A_MOMENT,
  );
  let [last, batches, messages] = [afterId, 0, 0];
  for (const { id, accepted, isAnswered } of rows) {
    if (last > afterId && messages + accepted > MESSAGES_A_MOMENT) break;
    last = id;
    batches += isAnswered;
    messages += accepted * isAnswered;
  }
  return last > afterId ? { last, batches, messages } : null;
}

/** What is wrong with the batches behind one id up to another. */
function differencesIn(read: Reader, afterId: number, toId: number, most: number): Phrase[] {
  const differing = read.all<{ id: number }>(
    `SELECT b.id FROM batches b
     WHERE b.id > ? AND b.id <= ? AND ${ANSWERED} AND (
       (b.total_segments, b.reserved_amount, b.charged_amount, b.released_amount, b.accepted)
         IS NOT (${FROM_MESSAGES})
       OR (b.reserved_amount, b.posted_charged, b.posted_released) IS NOT (${ENTERED_FOR_BATCH})
       OR (b.channel <> 'SMS' AND ${HAS_WRONG_WAYS}))
     ORDER BY b.id LIMIT ?`,
    afterId,
    toId,
    most,
  );
  return differing.flatMap(({ id }) => explain(read, id));
}

type Figures = Record<
  | "segments"
  | "reserved"
  | "charged"
  | "released"
  | "postedCharged"
  | "postedReleased"
  | "accepted"
  | "accountId"
  | "messageSegments"
  | "messageReserved"
  | "messageCharged"
  | "messageReleased"
  | "messages",
  number
> & { readonly ulid: string };

function sumOf(figure: "segments" | "cost" | "charged" | "released" | "messages"): string {
  return `(SELECT coalesce(sum(${figure}), 0) FROM (${ROWS_OF_BATCH}))`;
}

function explain(read: Reader, batchId: number): Phrase[] {
  const figures = read.get<Figures>(
    `SELECT b.ulid, b.account_id AS accountId, b.total_segments AS segments, b.reserved_amount AS reserved, b.charged_amount AS charged,
       b.released_amount AS released, b.posted_charged AS postedCharged, b.posted_released AS postedReleased,
       b.accepted, ${sumOf("segments")} AS messageSegments, ${sumOf("cost")} AS messageReserved,
       ${sumOf("charged")} AS messageCharged, ${sumOf("released")} AS messageReleased, ${sumOf("messages")} AS messages
     FROM batches b WHERE b.id = ?`,
    batchId,
  );
  if (!figures) return [];
  const entered = enteredForBatch(read, { ...figures, id: batchId });
  const pairs = [
    ["messages", figures.accepted, "there", figures.messages],
    ["segments", figures.segments, "messages", figures.messageSegments],
    ["reserved", figures.reserved, "messages", figures.messageReserved],
    ["charged", figures.charged, "messages", figures.messageCharged],
    ["released", figures.released, "messages", figures.messageReleased],
    ["reserved", figures.reserved, "ledger", entered.reserved],
    ["charged_into_ledger", figures.postedCharged, "entries", entered.charged],
    ["released_into_ledger", figures.postedReleased, "entries", entered.released],
  ] as const;
  const wrongLegs = read.get<{ isWrong: number }>(
    `SELECT b.channel <> 'SMS' AND ${HAS_WRONG_WAYS} AS isWrong FROM batches b WHERE b.id = ?`,
    batchId,
  );
  const ofLegs = wrongLegs?.isWrong ? [phrase("fault.books.batch_ways", { batch: figures.ulid })] : [];
  const ofFigures = pairs
    .filter(([, shown, , recounted]) => shown !== recounted)
    .map(([what, shown, by, recounted]) =>
      phrase("fault.books.batch", {
        batch: figures.ulid,
        what: phrase(`fault.books.what.${what}`),
        shown,
        by: phrase(`fault.books.by.${by}`),
        recounted,
      }),
    );
  return [...ofFigures, ...ofLegs];
}

/** What the batches of each account reserved and posted, and what they moved since. */
type AccountBatches = {
  readonly accountId: number;
  readonly reserved: Xof;
  readonly postedCharged: Xof;
  readonly postedReleased: Xof;
  readonly unpostedCharged: Xof;
  readonly unpostedReleased: Xof;
};

/** The figures of all batches by account. */
export function batchesByAccount(read: Reader): readonly AccountBatches[] {
  return read.all<AccountBatches>(
    `SELECT account_id AS accountId, sum(reserved_amount) AS reserved, sum(posted_charged) AS postedCharged,
       sum(posted_released) AS postedReleased, sum(charged_amount - posted_charged) AS unpostedCharged,
       sum(released_amount - posted_released) AS unpostedReleased
     FROM batches b WHERE ${ANSWERED} GROUP BY account_id`,
  );
}
