/**
 * The queue: what waits to be sent, as `dispatch` reads it to send, and how much waits for an operator, as others
 * count it.
 */
import { toChannel } from "../../core/channels.ts";
import { isSandbox, isSandboxOperator, toLaneOperator } from "../../core/sandbox.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { recordOffFeedChange } from "./feed-stamps.ts";
import { isAnyMarked } from "./rerouting.ts";
import { IS_HELD, isAnyHeld, mayBeHeld, renameHeldOperator } from "./restore-holds.ts";
import { REROUTED_AHEAD_MS, readNotBefore, toNotBefore } from "./transitions.ts";

/** A batch some of whose messages wait for an operator. Those that were re-routed wait apart, by the routes that are marked for them. */
export type QueuedBatch = {
  readonly batchId: number;
  readonly accountId: number;
  readonly operator: string;
  /** The routes that are marked for these messages (domain/routing/marks.ts); absent, as 0: none. */
  readonly routesTried?: number;
  readonly messageClass: "OTP" | "TRANSACTIONAL" | "MARKETING";
  readonly sender: string;
  /** The text of messages that have none of their own. */
  readonly body: string;
  readonly createdAt: number;
  readonly expiresAt: number;
};

/** A message that may be claimed. */
export type QueuedMessage = {
  readonly id: number;
  readonly msisdn: string;
  readonly segments: number;
  readonly text: string | null;
  readonly attempts: number;
  readonly resends: number;
  /** The operator's last temporary answer, or null. */
  readonly operatorCode: string | null;
};

/** All that a batch has in the queue of one operator, as its writer knows it. */
export type FilledQueue = { readonly batch: QueuedBatch; readonly messages: readonly QueuedMessage[] };

/** A batch that is being accepted: it has no row yet. */
export type PendingBatch = Omit<QueuedBatch, "batchId">;

/** Slots on a worker for messages that are being accepted: the transaction that accepts them claims them as well. */
export type FastPathSlot = {
  /** How many of those it was asked for, from the first on; above zero. */
  readonly count: number;
  /** The highest number of an unmatched receipt at this moment. */
  readonly unmatchedBefore: number;
  /** To be called once they are durable as claimed: they leave. */
  readonly leave: (batchId: number) => void;
  /** Gives unused slots back. To be called at the end, whatever came of it. */
  readonly end: () => void;
};

/** Asked inside the accepting transaction; null where the messages are to wait in the queue. */
export type TakeFastPathSlot = (
  tx: Tx,
  batch: PendingBatch,
  messages: readonly QueuedMessage[],
) => FastPathSlot | null;

type BatchHead = Omit<QueuedBatch, "operator" | "routesTried"> & { readonly firstExpiresAt: number | null };

/** Of a batch with a fallback the first leg ends before the batch does. */
const HEAD = `SELECT id AS batchId, account_id AS accountId, message_class AS messageClass, sender, body,
  created_at AS createdAt, expires_at AS expiresAt, CASE channel WHEN 'SMS' THEN NULL
    ELSE (SELECT first_expires_at FROM batch_fallbacks f WHERE f.batch_id = batches.id) END AS firstExpiresAt FROM batches`;

/** One batch's part of an operator's queue. */
export type QueuePlace = Pick<QueuedBatch, "batchId" | "operator">;

/** Above every place of the queue. */
export const TOP_OF_QUEUE: QueuePlace = { batchId: Number.MAX_SAFE_INTEGER, operator: "" };

/**
 * The next place below another of which messages are queued, the newest batch first; null after the last. It is found in
 * an index that holds what is queued and nothing else, and costs the same however many messages a place has and however
 * many batches wait for receipts. Whether the batch may be sent from is for `readQueuedBatch` to say.
 */
export function findNextQueuePlace(read: Reader, { batchId, operator }: QueuePlace): QueuePlace | null {
  return read.get<QueuePlace>(
    `SELECT batch_id AS batchId, operator FROM messages
     WHERE status = 'QUEUED' AND (batch_id, operator) < (?, ?) ORDER BY batch_id DESC, operator DESC LIMIT 1`,
    batchId,
    operator,
  );
}

/**
 * One entry for each operator that messages of a batch wait for, and one more for each set of routes that are marked for some of them;
 * none if the batch may not be sent from.
 */
export function readQueuedBatch(read: Reader, batchId: number): QueuedBatch[] {
  const head = read.get<BatchHead>(
    `${HEAD} WHERE id = ? AND status IN ('QUEUED', 'SENDING') AND cancel_reason IS NULL`,
    batchId,
  );
  if (!head) return [];
  const { firstExpiresAt, ...batch } = head;
  const queued: QueuedBatch[] = [];
  let operator = "";
  for (;;) {
    const next = read.get<{ operator: string }>(
      `SELECT operator FROM messages WHERE batch_id = ? AND status = 'QUEUED' AND operator > ?
       ORDER BY operator LIMIT 1`,
      batchId,
      operator,
    );
    if (!next) return queued;
    operator = next.operator;
    // What goes on does so as an SMS.
    const isFirst = firstExpiresAt !== null && toChannel(toLaneOperator(operator)) !== "SMS";
    const place: QueuedBatch = { ...batch, operator, ...(isFirst ? { expiresAt: firstExpiresAt } : {}) };
    queued.push(place);
    for (const routesTried of readMarkSets(read, place)) queued.push({ ...place, routesTried });
  }
}

/** The sets of marked routes that re-routed messages of a batch have. */
function readMarkSets(read: Reader, { batchId, operator }: QueuePlace): number[] {
  if (!isAnyMarked(read)) return [];
  return read
    .all<{ routesTried: number }>(
      `SELECT DISTINCT routes_tried AS routesTried FROM messages
       WHERE batch_id = $batchId AND operator = $operator AND status = 'QUEUED' AND routes_tried <> 0`,
      { batchId, operator },
    )
    .map(({ routesTried }) => routesTried);
}

/** Whether a batch may be sent from: it is not waiting for its time, called off, or at its end. */
export function isSendable(read: Reader, batchId: number): boolean {
  return (
    read.get(
      "SELECT 1 FROM batches WHERE id = ? AND status IN ('QUEUED', 'SENDING') AND cancel_reason IS NULL",
      batchId,
    ) !== null
  );
}

/**
 * Leaves out messages that may have left before a restore and are not decided: in few batches, for a while, so that others skip the check.
 */
function butHeld(read: Reader, batchId: number): string {
  return mayBeHeld(read, batchId) ? `AND NOT ${IS_HELD}` : "";
}

/** The first messages of a place among those that are due by `nowMs`; of a batch's own place those that were never re-routed. */
export function readQueuedMessages(
  read: Reader,
  { batchId, operator, routesTried = 0 }: Pick<QueuedBatch, "batchId" | "operator" | "routesTried">,
  nowMs: number,
  limit: number,
): QueuedMessage[] {
  if (routesTried !== 0) {
    return read.all<QueuedMessage>(
      `SELECT id, msisdn, segments, text, attempts, resends, operator_code AS operatorCode FROM messages
       WHERE batch_id = $batchId AND operator = $operator AND status = 'QUEUED' AND routes_tried <> 0
         AND routes_tried = $routesTried AND not_before <= $dueBefore ${butHeld(read, batchId)}
       ORDER BY not_before, id LIMIT $limit`,
      { batchId, operator, routesTried, dueBefore: toNotBefore(nowMs, routesTried), limit },
    );
  }
  return read.all<QueuedMessage>(
    `SELECT id, msisdn, segments, text, attempts, resends, operator_code AS operatorCode FROM messages
     WHERE batch_id = ? AND operator = ? AND status = 'QUEUED' AND not_before BETWEEN 0 AND ? ${butHeld(read, batchId)}
     ORDER BY not_before, id LIMIT ?`,
    batchId,
    operator,
    nowMs,
    limit,
  );
}

/** When the first message of a place that is not due yet will be, or null. */
export function nextDueMs(
  read: Reader,
  { batchId, operator, routesTried = 0 }: Pick<QueuedBatch, "batchId" | "operator" | "routesTried">,
  nowMs: number,
): number | null {
  if (routesTried !== 0) {
    const next = read.get<{ due: number | null }>(
      `SELECT min(not_before) AS due FROM messages
       WHERE batch_id = $batchId AND operator = $operator AND status = 'QUEUED' AND routes_tried <> 0
         AND routes_tried = $routesTried AND not_before > $dueBefore ${butHeld(read, batchId)}`,
      { batchId, operator, routesTried, dueBefore: toNotBefore(nowMs, routesTried) },
    );
    return next === null || next.due === null ? null : readNotBefore(next.due);
  }
  return (
    read.get<{ due: number | null }>(
      `SELECT min(not_before) AS due FROM messages
       WHERE batch_id = ? AND operator = ? AND status = 'QUEUED' AND not_before > ? ${butHeld(read, batchId)}`,
      batchId,
      operator,
      nowMs,
    )?.due ?? null
  );
}

/** Has a message that is queued wait until an instant: its turn comes later than that of others. `routesTried`: the marks of its place. */
export function deferMessage(tx: Tx, messageId: number, untilMs: number, routesTried = 0): void {
  tx.run(
    "UPDATE messages SET not_before = ? WHERE id = ? AND status = 'QUEUED'",
    toNotBefore(untilMs, routesTried),
    messageId,
  );
}

/** The segments of a message that an operator has accepted already. */
export function acceptedParts(read: Reader, messageId: number): Set<number> {
  return new Set(
    read
      .all<{ part: number }>("SELECT DISTINCT part FROM parts WHERE message_id = ?", messageId)
      .map((row) => row.part),
  );
}

/** Messages of a batch that wait for an operator, due or not, and that are not held. */
export function readWaitingMessages(
  read: Reader,
  { batchId, operator }: Pick<QueuedBatch, "batchId" | "operator">,
  limit: number,
): Pick<QueuedMessage, "id" | "operatorCode">[] {
  return read.all(
    `SELECT id, operator_code AS operatorCode FROM messages
     WHERE batch_id = ? AND operator = ? AND status = 'QUEUED' ${butHeld(read, batchId)}
     ORDER BY not_before, id LIMIT ?`,
    batchId,
    operator,
    limit,
  );
}

// What waits for an operator, whatever the batch: found by the queue's own index, and counted only where it is asked
// for.

/** The messages of one batch that wait for one operator. */
export type WaitingPlace = { readonly batchId: number; readonly operator: string };

/** The next batch and operator that messages wait for, after a place (null: the first); null after the last. */
function nextPlace(read: Reader, after: WaitingPlace | null): WaitingPlace | null {
  return read.get<WaitingPlace>(
    `SELECT batch_id AS batchId, operator FROM messages
     WHERE status = 'QUEUED' AND (batch_id, operator) > (?, ?) ORDER BY batch_id, operator LIMIT 1`,
    after?.batchId ?? 0,
    after?.operator ?? "",
  );
}

/** What of a batch waits for one operator, due or not, and until when it is worth sending. */
type Waiting = {
  readonly messages: number;
  readonly createdAt: number;
  readonly expiresAt: number;
};

/** Null where the batch was not accepted, is over, or is being called off. */
export function readWaiting(read: Reader, { batchId, operator }: WaitingPlace): Waiting | null {
  return read.get<Waiting>(
    `SELECT created_at AS createdAt, expires_at AS expiresAt,
       (SELECT count(*) FROM messages WHERE status = 'QUEUED' AND batch_id = ?1 AND operator = ?2) AS messages
     FROM batches WHERE id = ?1 AND status IN ('SCHEDULED', 'QUEUED', 'SENDING') AND cancel_reason IS NULL`,
    batchId,
    operator,
  );
}

/**
 * Every place where live messages wait for an operator that `isMeant` names. As long as there are batches with waiting messages:
 * `pause` is asked between two of them.
 */
export async function readPlaces(
  read: Reader,
  pause: () => Promise<void> | undefined,
  isMeant: (operator: string) => boolean,
): Promise<WaitingPlace[]> {
  const places: WaitingPlace[] = [];
  let place: WaitingPlace | null = null;
  for (;;) {
    place = nextPlace(read, place);
    if (place === null) return places;
    if (!isSandboxOperator(place.operator) && isMeant(place.operator)) places.push(place);
    const turn = pause();
    if (turn !== undefined) await turn;
  }
}

/** A batch that has not left whole, and how many of its messages still wait. */
type BatchInQueue = { readonly batchId: number; readonly messages: number };

/**
 * The batches of an account that are being validated, or of which messages wait to be sent. As long as there are batches with
 * waiting messages, whosever they are: `pause` is asked between two of them.
 */
export async function waitingOfAccount(
  read: Reader,
  pause: () => Promise<void> | undefined,
  accountId: number,
): Promise<BatchInQueue[]> {
  const found = new Map<number, number>();
  for (const { id } of read.all<{ id: number }>(
    "SELECT id FROM batches WHERE account_id = ? AND status = 'VALIDATING' AND cancel_reason IS NULL",
    accountId,
  ))
    found.set(id, 0);
  for (let place = nextPlace(read, null); place !== null; place = nextPlace(read, place)) {
    if (isOf(read, place.batchId, accountId)) {
      const messages = readWaiting(read, place)?.messages ?? 0;
      if (messages > 0) found.set(place.batchId, (found.get(place.batchId) ?? 0) + messages);
    }
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return [...found].map(([batchId, messages]) => ({ batchId, messages }));
}

/** The row of the batch that was accepted last of an account's; null before the first. */
export function readLastBatchId(read: Reader, accountId: number): number | null {
  return (
    read.get<{ id: number }>(
      `SELECT id FROM batches WHERE account_id = ? AND status <> 'STAGING' ORDER BY created_at DESC, id DESC LIMIT 1`,
      accountId,
    )?.id ?? null
  );
}

function isOf(read: Reader, batchId: number, accountId: number): boolean {
  return read.get("SELECT 1 FROM batches WHERE id = ? AND account_id = ?", batchId, accountId) !== null;
}

/** How many messages wait at some places, by operator. */
export async function countWaiting(
  read: Reader,
  pause: () => Promise<void> | undefined,
  places: readonly WaitingPlace[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const place of places) {
    const messages = readWaiting(read, place)?.messages ?? 0;
    if (messages > 0) counts.set(place.operator, (counts.get(place.operator) ?? 0) + messages);
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return counts;
}

/**
 * Hands up to `limit` waiting messages of a place over to another operator; how many. Their price and their feed stamp
 * stay.
 */
export function handOver(tx: Tx, { batchId, operator }: WaitingPlace, toCode: string, limit: number): number {
  const ids = tx
    .all<{ id: number }>(
      "SELECT id FROM messages WHERE status = 'QUEUED' AND batch_id = ? AND operator = ? LIMIT ?",
      batchId,
      operator,
      limit,
    )
    .map(({ id }) => id);
  const messageIds = JSON.stringify(ids);
  if (mayBeHeld(tx, batchId)) renameHeldOperator(tx, messageIds, { batchId, operator }, toCode);
  const noted = new Set<number>();
  for (const id of ids) recordOffFeedChange(tx, id, noted);
  // The new code has routes of its own, none of which is marked.
  return tx.run(
    `UPDATE messages SET operator = ?, routes_tried = 0, not_before = CASE WHEN not_before < 0 THEN 0 ELSE not_before END
     WHERE id IN (SELECT value FROM json_each(?))`,
    toCode,
    messageIds,
  );
}

// How much waits, counted in pages of the queue's own index.

/** Messages of one batch that wait for one operator; a batch with many comes in several pieces. */
export type CountedPlace = Omit<QueuedBatch, "body" | "routesTried"> & {
  /** Its time has come. */
  readonly isDue: boolean;
  readonly messages: number;
  /** Those of `messages` that may have left before a restore and are held, each by itself. */
  readonly held: number;
  /** Those of the others that the operator put off to a later time. */
  readonly postponed: number;
  /** Since when they wait: the batch's acceptance, or the time that it was scheduled for. */
  readonly sinceMs: number;
};

/** Rows of the queue's index that are counted in one go. */
const PAGE = 2000;

/** Where a page of the queue's index ends. */
type QueuePosition = {
  readonly batchId: number;
  readonly operator: string;
  readonly notBefore: number;
  readonly id: number;
};

const BEGINNING: QueuePosition = { batchId: 0, operator: "", notBefore: -REROUTED_AHEAD_MS, id: 0 };

/**
 * Counts all that waits, sandboxes apart, a page at a time: `pause` is asked between two of them. Batches that are over or called off do
 * not count.
 */
export async function countQueue(
  read: Reader,
  pause: () => Promise<void> | undefined,
  nowMs: number,
  take: (counted: CountedPlace) => void,
): Promise<void> {
  for (let from: QueuePosition | null = BEGINNING; from !== null; ) {
    const to = endOfPage(read, from);
    for (const { isDue, ...counted } of countedBetween(read, from, to, nowMs))
      if (!isSandbox(counted.accountId)) take({ ...counted, isDue: isDue === 1 });
    from = to;
    const turn = pause();
    if (turn !== undefined) await turn;
  }
}

/** What waits for one operator: messages that could leave if it took them, since when the oldest, and those of batches not due yet. */
export type QueueOfOperator = {
  readonly messages: number;
  readonly oldestMs: number | null;
  readonly scheduled: number;
};

/** What waits for each operator. */
export async function queuesByOperator(
  read: Reader,
  pause: () => Promise<void> | undefined,
  nowMs: number,
): Promise<Map<string, QueueOfOperator>> {
  const queues = new Map<string, QueueOfOperator>();
  await countQueue(read, pause, nowMs, ({ operator, isDue, messages, sinceMs }) => {
    const before = queues.get(operator) ?? { messages: 0, oldestMs: null, scheduled: 0 };
    const after = isDue
      ? {
          ...before,
          messages: before.messages + messages,
          oldestMs: Math.min(sinceMs, before.oldestMs ?? sinceMs),
        }
      : { ...before, scheduled: before.scheduled + messages };
    queues.set(operator, after);
  });
  return queues;
}

/** Null where the page is the last. */
function endOfPage(read: Reader, from: QueuePosition): QueuePosition | null {
  return read.get<QueuePosition>(
    `SELECT batch_id AS batchId, operator, not_before AS notBefore, id FROM messages
     WHERE status = 'QUEUED' AND (batch_id, operator, not_before, id) > ($batchId, $operator, $notBefore, $id)
     ORDER BY batch_id, operator, not_before, id LIMIT 1 OFFSET $skipped`,
    { ...from, skipped: PAGE - 1 },
  );
}

type CountedRow = Omit<CountedPlace, "isDue"> & { readonly isDue: 0 | 1 };

/** Behind every place. */
const END: QueuePosition = { batchId: Number.MAX_SAFE_INTEGER, operator: "", notBefore: 0, id: 0 };

/** One page by batch and operator, as the index has it; of batches that are over or called off nothing. */
function countedBetween(
  read: Reader,
  from: QueuePosition,
  to: QueuePosition | null,
  nowMs: number,
): CountedRow[] {
  const last = to ?? END;
  // Where nothing is held, no message is asked for it.
  const isHeld = isAnyHeld(read) ? IS_HELD : "0";
  return read.all<CountedRow>(
    `SELECT messages.operator, messages.batch_id AS batchId, b.account_id AS accountId, b.message_class AS messageClass, b.sender,
       b.created_at AS createdAt, b.expires_at AS expiresAt, b.status <> 'SCHEDULED' AS isDue, count(*) AS messages,
       sum(${isHeld}) AS held, sum((messages.not_before > $nowMs OR messages.not_before BETWEEN $reroutedNow AND -1)
         AND NOT ${isHeld}) AS postponed,
       max(b.created_at, coalesce(b.scheduled_at, 0)) AS sinceMs
     FROM messages JOIN batches b ON b.id = messages.batch_id
     WHERE messages.status = 'QUEUED'
       AND (messages.batch_id, messages.operator, messages.not_before, messages.id) > ($batchId, $operator, $notBefore, $id)
       AND (messages.batch_id, messages.operator, messages.not_before, messages.id)
         <= ($lastBatchId, $lastOperator, $lastNotBefore, $lastId)
       AND b.status IN ('SCHEDULED', 'QUEUED', 'SENDING') AND b.cancel_reason IS NULL
     GROUP BY messages.batch_id, messages.operator`,
    {
      ...from,
      nowMs,
      reroutedNow: nowMs - REROUTED_AHEAD_MS + 1,
      lastBatchId: last.batchId,
      lastOperator: last.operator,
      lastNotBefore: last.notBefore,
      lastId: last.id,
    },
  );
}

/** Since when the oldest message of each class has been waiting to leave; a class of which none waits is absent. */
type OldestWaiting = ReadonlyMap<string, number>;

/** Batches looked at in one go: one seek in the index of the queue and one row each. */
const STEP = 250;

/**
 * Finds the oldest message that might leave, in pieces: each call looks at a few hundred batches that have messages in the queue and goes
 * on where the last one ended. As long as no more than that wait, each call sees all of them; behind a longer queue the result is the
 * oldest seen in this round and the one before. Batches whose time has not come, that were called off, are a sandbox's, or whose account
 * `isHeld`, do not count: nobody expects them to leave.
 */
export function oldestWaiting(read: Reader): (isHeld: (accountId: number) => boolean) => OldestWaiting {
  let above = 0;
  let before: OldestWaiting = new Map();
  let round = new Map<string, number>();
  return (isHeld) => {
    const batches = batchesWithQueue(read, above);
    for (const { messageClass, sinceMs, accountId, isDue } of batches) {
      if (isDue === 0 || isSandbox(accountId) || isHeld(accountId)) continue;
      round.set(messageClass, Math.min(sinceMs, round.get(messageClass) ?? sinceMs));
    }
    if (batches.length === STEP) {
      above = Math.max(...batches.map(({ id }) => id));
      return oldestOf(before, round);
    }
    above = 0;
    before = round;
    round = new Map();
    return before;
  };
}

type BatchWithQueue = {
  readonly id: number;
  readonly accountId: number;
  readonly messageClass: string;
  readonly sinceMs: number;
  readonly isDue: number;
};

/** The next batches, above an id, that have a message in the queue. */
function batchesWithQueue(read: Reader, above: number): BatchWithQueue[] {
  return read.all<BatchWithQueue>(
    `WITH RECURSIVE waiting(id) AS (
       SELECT min(batch_id) FROM messages WHERE status = 'QUEUED' AND batch_id > ?1
       UNION ALL
       SELECT (SELECT min(batch_id) FROM messages WHERE status = 'QUEUED' AND batch_id > waiting.id)
       FROM waiting WHERE waiting.id IS NOT NULL LIMIT ?2)
     SELECT b.id, b.account_id AS accountId, b.message_class AS messageClass,
       max(b.created_at, coalesce(b.scheduled_at, 0)) AS sinceMs,
       b.status IN ('QUEUED', 'SENDING') AND b.cancel_reason IS NULL AS isDue
     FROM waiting JOIN batches b ON b.id = waiting.id`,
    above,
    STEP,
  );
}

function oldestOf(one: OldestWaiting, other: OldestWaiting): OldestWaiting {
  const oldest = new Map(one);
  for (const [messageClass, sinceMs] of other) {
    oldest.set(messageClass, Math.min(sinceMs, oldest.get(messageClass) ?? sinceMs));
  }
  return oldest;
}

export type OperatorWaiting = { readonly operator: string; readonly messages: number };

/** How many messages of a batch have not left, by operator. Read off an index, one entry a message: of 100,000 in a few milliseconds. */
export function waitingByOperator(read: Reader, batchId: number): OperatorWaiting[] {
  return read.all<OperatorWaiting>(
    `SELECT operator, count(*) AS messages FROM messages
     WHERE batch_id = +? AND status = 'QUEUED' GROUP BY operator ORDER BY operator`,
    batchId,
  );
}

/** Messages whose submit got no answer and that wait for a late one, sandboxes apart: an index holds them and nothing else. */
export function countUnanswered(read: Reader): number {
  return (
    read.get<{ messages: number }>(
      "SELECT count(*) AS messages FROM messages WHERE unanswered_until IS NOT NULL AND account_id > 0",
    )?.messages ?? 0
  );
}
