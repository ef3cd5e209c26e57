/** How much waits, counted in pages of the queue's own index. */
import { isSandbox } from "../../core/sandbox.ts";
import type { Reader } from "../../db/read.ts";
import { IS_HELD, isAnyHeld } from "./held.ts";
import type { QueuedBatch } from "./queue.ts";

/** Messages of one batch that wait for one operator; a batch with many is told in several pieces. */
export type CountedPlace = Omit<QueuedBatch, "body"> & {
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

const BEGINNING: QueuePosition = { batchId: 0, operator: "", notBefore: 0, id: 0 };

/**
 * Counts all that waits, sandboxes apart, a page at a time: `pause` is asked between two of them. Batches that are over or called off do not
 * count.
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
       sum(${isHeld}) AS held, sum(messages.not_before > $nowMs AND NOT ${isHeld}) AS postponed,
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
      lastBatchId: last.batchId,
      lastOperator: last.operator,
      lastNotBefore: last.notBefore,
      lastId: last.id,
    },
  );
}
