/** What waits to be sent, as the delivery room reads it. */

import type { Reader } from "../store/read.ts";
import { HAS_NOT_ENDED } from "./batch-status.ts";

/** A batch some of whose messages wait for an operator. */
export type QueuedBatch = {
  readonly batchId: number;
  readonly accountId: number;
  readonly operator: string;
  readonly messageClass: "OTP" | "TRANSACTIONAL" | "MARKETING";
  readonly sender: string;
  /** The text of messages that have none of their own. */
  readonly body: string;
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

type BatchHead = Omit<QueuedBatch, "operator">;

const HEAD = `SELECT id AS batchId, account_id AS accountId, message_class AS messageClass, sender, body,
  expires_at AS expiresAt FROM batches`;

/** The newest of the batches in one state that may be sent from, below an id. */
const newestIn = (status: "QUEUED" | "SENDING") => `SELECT id FROM
  (SELECT id FROM batches WHERE ${HAS_NOT_ENDED} AND status = '${status}' AND cancel_reason IS NULL AND id < ?1
   ORDER BY id DESC LIMIT ?2)`;

/** Up to `limit` batches that may be sent from, with ids below `belowId`, the newest first. */
export function sendableBatches(read: Reader, belowId: number, limit: number): number[] {
  return read
    .all<{ id: number }>(
      `${newestIn("QUEUED")} UNION ALL ${newestIn("SENDING")} ORDER BY id DESC LIMIT ?2`,
      belowId,
      limit,
    )
    .map((row) => row.id);
}

/** One entry for each operator that messages of a batch wait for; none if the batch may not be sent from. */
export function queuedBatch(read: Reader, batchId: number): QueuedBatch[] {
  const head = read.get<BatchHead>(
    `${HEAD} WHERE id = ? AND status IN ('QUEUED', 'SENDING') AND cancel_reason IS NULL`,
    batchId,
  );
  if (!head) return [];
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
    queued.push({ ...head, operator });
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

/** The first messages of a batch for an operator among those that are due by `nowMs`. */
export function queuedMessages(
  read: Reader,
  { batchId, operator }: Pick<QueuedBatch, "batchId" | "operator">,
  nowMs: number,
  limit: number,
): QueuedMessage[] {
  return read.all<QueuedMessage>(
    `SELECT id, msisdn, segments, text, attempts, resends, operator_code AS operatorCode FROM messages
     WHERE batch_id = ? AND operator = ? AND status = 'QUEUED' AND not_before <= ?
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
       WHERE batch_id = ? AND operator = ? AND status = 'QUEUED' AND not_before > ?`,
      batchId,
      operator,
      nowMs,
    )?.due ?? null
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

/** Messages of a batch that wait for an operator, due or not. */
export function waitingMessages(
  read: Reader,
  { batchId, operator }: Pick<QueuedBatch, "batchId" | "operator">,
  limit: number,
): Pick<QueuedMessage, "id" | "operatorCode">[] {
  return read.all(
    `SELECT id, operator_code AS operatorCode FROM messages
     WHERE batch_id = ? AND operator = ? AND status = 'QUEUED' ORDER BY not_before, id LIMIT ?`,
    batchId,
    operator,
    limit,
  );
}
