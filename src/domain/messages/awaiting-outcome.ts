/** Finds messages that wait for an answer or a receipt that may never come. */
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { LEG_EXPIRES_AT } from "./batch-fallback.ts";
import type { Status } from "./message-status.ts";

export type UnansweredClaim = {
  readonly messageId: number;
  readonly messageClass: "OTP" | "TRANSACTIONAL" | "MARKETING";
  readonly resends: number;
  /** Which claim of it this is, from 1. */
  readonly attempts: number;
  /** Until when the leg that carries it is worth sending. */
  readonly expiresAt: number;
  readonly operator: string;
  readonly msisdn: string;
  readonly segments: number;
  readonly claimedAt: number;
  /** The highest number of an unmatched receipt then; null where that was not noted. */
  readonly unmatchedBefore: number | null;
};

/** Where a page of claimed messages ends. */
type ClaimedPlace = { readonly msisdn: string; readonly messageId: number };

export const FIRST_CLAIMED: ClaimedPlace = { msisdn: "", messageId: 0 };

/**
 * A page of claimed messages whose answer is not known to be overdue, after a place: those with a lease, and those without. All of them are
 * no more than windows and send queues hold.
 */
export function claimedMessages(read: Reader, after: ClaimedPlace, limit: number): ClaimedPlace[] {
  return read.all<ClaimedPlace>(
    `SELECT msisdn, id AS messageId FROM messages
     WHERE status = 'SUBMITTED' AND unanswered_until IS NULL AND (msisdn, id) > (?, ?) ORDER BY msisdn, id LIMIT ?`,
    after.msisdn,
    after.messageId,
    limit,
  );
}

/** A claimed message whose answer is not known to be overdue; null when it has gone on since. */
export function claimedMessage(read: Reader, messageId: number): UnansweredClaim | null {
  return read.get<UnansweredClaim>(
    `SELECT m.id AS messageId, b.message_class AS messageClass, m.resends, m.attempts, ${LEG_EXPIRES_AT} AS expiresAt,
       m.operator, m.msisdn, m.segments, m.submitted_at AS claimedAt, m.unmatched_before AS unmatchedBefore
     FROM messages m JOIN batches b ON b.id = m.batch_id
     WHERE m.id = ? AND m.status = 'SUBMITTED' AND m.unanswered_until IS NULL`,
    messageId,
  );
}

/** Where a message stands of which the outcome of a submit was unknown. */
type UnknownOutcomeMessage = {
  readonly status: Status;
  /** No attempt is under way: an overdue answer is waited for. */
  readonly isWaiting: boolean;
  readonly attempts: number;
  readonly resends: number;
  /** The routes that are marked for it. */
  readonly routesTried: number;
};

export function findUnknownOutcome(read: Reader, messageId: number): UnknownOutcomeMessage | null {
  const row = read.get<Omit<UnknownOutcomeMessage, "isWaiting"> & { isWaiting: number }>(
    `SELECT status, unanswered_until IS NOT NULL AS isWaiting, attempts, resends, routes_tried AS routesTried
     FROM messages WHERE id = ?`,
    messageId,
  );
  return row && { ...row, isWaiting: row.isWaiting === 1 };
}

/** A message that has not come to its end, as an administrator sees it while its answer is overdue. */
export type OpenMessage = {
  readonly ulid: string;
  readonly operator: string;
  readonly messageClass: string;
  readonly msisdn: string;
  readonly status: "QUEUED" | "SUBMITTED";
  readonly resends: number;
  /** Until when an answer is waited for; null while it is sent again. */
  readonly until: number | null;
};

/** The message with this id; null when the operator has it, or it has ended. */
export function openMessage(read: Reader, messageId: number): OpenMessage | null {
  return read.get<OpenMessage>(
    `SELECT m.ulid, m.operator, b.message_class AS messageClass, m.msisdn, m.status, m.resends,
       m.unanswered_until AS until
     FROM messages m JOIN batches b ON b.id = m.batch_id WHERE m.id = ? AND m.status IN ('QUEUED', 'SUBMITTED')`,
    messageId,
  );
}

/** Where a page of `findUnansweredOfOthers` ends. */
export type UnansweredPlace = { readonly until: number; readonly id: number };

/**
 * A page of messages of other channels than SMS that got no answer, or none yet that says what becomes of them, sandboxes apart, by how
 * long they are waited for. `since`: when that began.
 */
export function findUnansweredOfOthers(
  read: Reader,
  after: UnansweredPlace,
  limit: number,
): (OpenMessage & UnansweredPlace & { readonly since: number })[] {
  return read.all(
    `SELECT m.id, m.ulid, m.operator, b.message_class AS messageClass, m.msisdn, m.status, m.resends,
       m.unanswered_until AS until, m.unanswered_at AS since
     FROM messages m CROSS JOIN batches b ON b.id = m.batch_id
     WHERE m.unanswered_until IS NOT NULL AND (m.unanswered_until, m.id) > (?, ?) AND b.channel <> 'SMS' AND m.account_id > 0
     ORDER BY m.unanswered_until, m.id LIMIT ?`,
    after.until,
    after.id,
    limit,
  );
}

/** Unanswered submits whose wait is over. */
export function findOverdueUnanswered(read: Reader, nowMs: number, limit: number): number[] {
  return idsOf(
    read.all(
      "SELECT id FROM messages WHERE unanswered_until <= ? ORDER BY unanswered_until LIMIT ?",
      nowMs,
      limit,
    ),
  );
}

/** A batch of which messages may wait for their receipts, and the ids that its messages lie between. */
export type AwaitingBatch = {
  readonly id: number;
  /** No message of it that waits was SENT before. */
  readonly awaitingSince: number;
  readonly firstId: number;
  readonly endId: number;
};

/**
 * Up to `limit` batches of SMS of which a message may wait since before an instant, those that wait longest first. The other channel stores
 * for each message how long it waits.
 */
export function awaitingBatches(read: Reader, beforeMs: number, limit: number): AwaitingBatch[] {
  return read.all<AwaitingBatch>(
    `SELECT id, awaiting_since AS awaitingSince, first_message_id AS firstId, first_message_id + accepted AS endId
     FROM batches WHERE awaiting_since < ? AND channel = 'SMS' ORDER BY awaiting_since LIMIT ?`,
    beforeMs,
    limit,
  );
}

/** The messages among some consecutive ids that wait for their receipt, and when each was SENT. */
export function awaitingMessages(
  read: Reader,
  fromId: number,
  toId: number,
): { readonly id: number; readonly sentAt: number }[] {
  return read.all(
    "SELECT id, sent_at AS sentAt FROM messages WHERE id >= ? AND id < ? AND status = 'SENT' AND is_final = 0",
    fromId,
    toId,
  );
}

/** Notes that no message of a batch waits since before `sinceMs`, unless the batch has ended since it was read. */
export function recordAwaitingSince(tx: Tx, { id, awaitingSince }: AwaitingBatch, sinceMs: number): void {
  tx.run(
    "UPDATE batches SET awaiting_since = ? WHERE id = ? AND awaiting_since = ?",
    sinceMs,
    id,
    awaitingSince,
  );
}

function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map((row) => row.id);
}
