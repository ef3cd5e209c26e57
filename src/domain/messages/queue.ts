/** What waits to be sent, as the room dispatch reads it. */
import { toChannel } from "../../core/channels.ts";
import { toLaneOperator } from "../../core/sandbox.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { IS_HELD, mayBeHeld } from "./restore-holds.ts";

/** A batch some of whose messages wait for an operator. */
export type QueuedBatch = {
  readonly batchId: number;
  readonly accountId: number;
  readonly operator: string;
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
  readonly parkedBefore: number;
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

type BatchHead = Omit<QueuedBatch, "operator"> & { readonly firstExpiresAt: number | null };

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

/** One entry for each operator that messages of a batch wait for; none if the batch may not be sent from. */
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
    queued.push({ ...batch, operator, ...(isFirst ? { expiresAt: firstExpiresAt } : {}) });
  }
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

/** The first messages of a batch for an operator among those that are due by `nowMs`. */
export function readQueuedMessages(
  read: Reader,
  { batchId, operator }: Pick<QueuedBatch, "batchId" | "operator">,
  nowMs: number,
  limit: number,
): QueuedMessage[] {
  return read.all<QueuedMessage>(
    `SELECT id, msisdn, segments, text, attempts, resends, operator_code AS operatorCode FROM messages
     WHERE batch_id = ? AND operator = ? AND status = 'QUEUED' AND not_before <= ? ${butHeld(read, batchId)}
     ORDER BY not_before, id LIMIT ?`,
    batchId,
    operator,
    nowMs,
    limit,
  );
}

/** When the first message of a batch that is not due yet will be, or null. */
export function nextDueMs(
  read: Reader,
  { batchId, operator }: Pick<QueuedBatch, "batchId" | "operator">,
  nowMs: number,
): number | null {
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

/** Has a message that is queued wait until an instant: its turn comes later than that of others. */
export function putOff(tx: Tx, messageId: number, untilMs: number): void {
  tx.run("UPDATE messages SET not_before = ? WHERE id = ? AND status = 'QUEUED'", untilMs, messageId);
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
