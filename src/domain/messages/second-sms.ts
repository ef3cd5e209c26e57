/**
 * Messages that were accepted by a route, and of which nothing has been heard since: once more by another route, if that lasts
 * (docs/administration.md#a-second-sms). A row is there while the second may still be needed, and while it is under way: that it was begun
 * is committed before it leaves, so that there is never a third. A message of an operator without that rule has no row.
 */
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import type { MessageClass } from "../accounts/message-class.ts";
import { LEG_EXPIRES_AT } from "./batch-fallback.ts";

/** A message whose second SMS may be due. */
export type AwaitedSecond = {
  readonly messageId: number;
  /** The operator code that it was sent under, and the route that accepted it. */
  readonly operator: string;
  readonly route: string;
  readonly dueMs: number;
};

/** Notes that a message is sent once more if nothing is heard of it until then. */
export function awaitSecond(tx: Tx, { messageId, operator, route, dueMs }: AwaitedSecond): void {
  tx.run(
    `INSERT INTO second_sms (message_id, operator, route, due_at) VALUES ($messageId, $operator, $route, $dueMs)
     ON CONFLICT (message_id) DO NOTHING`,
    { messageId, operator, route, dueMs },
  );
}

/** Where a page of due ones ends. */
type DuePlace = Pick<AwaitedSecond, "dueMs" | "messageId">;

export const FIRST_DUE: DuePlace = { dueMs: 0, messageId: 0 };

/** The messages of an operator whose second SMS is due before an instant, after a place, the longest due first. */
export function listDueSeconds(
  read: Reader,
  operator: string,
  nowMs: number,
  after: DuePlace,
  limit: number,
): AwaitedSecond[] {
  return read.all<AwaitedSecond>(
    `SELECT message_id AS messageId, operator, route, due_at AS dueMs FROM second_sms
     WHERE operator = $operator AND due_at IS NOT NULL AND due_at <= $nowMs AND (due_at, message_id) > ($dueMs, $messageId)
     ORDER BY due_at, message_id LIMIT $limit`,
    { operator, nowMs, limit, ...after },
  );
}

/** When the next second SMS of an operator is due; null where none may be. */
export function nextSecondMs(read: Reader, operator: string): number | null {
  return (
    read.get<{ dueMs: number | null }>(
      "SELECT min(due_at) AS dueMs FROM second_sms WHERE operator = ? AND due_at IS NOT NULL",
      operator,
    )?.dueMs ?? null
  );
}

/** Something was heard of a message: it needs no second SMS, unless that is under way. */
export function dropAwaitedSecond(tx: Tx, messageId: number): void {
  if (tx.known("SELECT 1 FROM second_sms LIMIT 1") === null) return;
  tx.run("DELETE FROM second_sms WHERE message_id = ? AND due_at IS NOT NULL", messageId);
}

/** What a second SMS is made of. */
type SecondSms = {
  readonly messageId: number;
  readonly batchId: number;
  readonly accountId: number;
  readonly operator: string;
  readonly messageClass: MessageClass;
  readonly sender: string;
  readonly body: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly msisdn: string;
  readonly segments: number;
  readonly text: string | null;
  readonly attempts: number;
  /** The routes that are marked for it (domain/routing/marks.ts): they refused it before. */
  readonly routesTried: number;
};

/**
 * A message whose second SMS is due, as it stands: null where it was called off, ended, is with another channel by now, or something was
 * heard of it, be it before the response that made it SENT. Of an intermediate receipt there is a note.
 */
export function readDueSecond(read: Reader, messageId: number): SecondSms | null {
  return read.get<SecondSms>(
    `SELECT m.id AS messageId, m.batch_id AS batchId, m.account_id AS accountId, m.operator, b.message_class AS messageClass,
       b.sender, b.body, b.created_at AS createdAt, m.msisdn, m.segments, m.text, m.attempts,
       m.routes_tried AS routesTried, ${LEG_EXPIRES_AT} AS expiresAt
     FROM second_sms s JOIN messages m ON m.id = s.message_id JOIN batches b ON b.id = m.batch_id
     WHERE s.message_id = ? AND s.due_at IS NOT NULL AND m.status = 'SENT' AND m.is_final = 0 AND m.operator = s.operator
       AND b.cancel_reason IS NULL
       AND NOT EXISTS (SELECT 1 FROM parts p WHERE p.message_id = m.id AND p.receipt_at IS NOT NULL)
       AND NOT EXISTS (SELECT 1 FROM message_notes n WHERE n.message_id = m.id AND n.what = 'receipt')`,
    messageId,
  );
}

/** Notes, before anything of it leaves, that the second SMS of a message was begun. */
export function beginSecond(tx: Tx, messageId: number, attempt: number, nowMs: number): void {
  tx.run(
    "UPDATE second_sms SET due_at = NULL, attempt = $attempt, begun_at = $nowMs WHERE message_id = $messageId",
    { messageId, attempt, nowMs },
  );
}

/** Not an octet of a second SMS left: it is still due. */
export function awaitSecondAgain(tx: Tx, messageId: number, nowMs: number): void {
  tx.run(
    "UPDATE second_sms SET due_at = $nowMs, attempt = NULL, begun_at = NULL WHERE message_id = $messageId AND due_at IS NULL",
    { messageId, nowMs },
  );
}

/** The second SMS of a message has ended, or is not needed. */
export function endSecond(tx: Tx, messageId: number): void {
  tx.run("DELETE FROM second_sms WHERE message_id = ?", messageId);
}

/** Whether the second SMS of a message was begun and has not ended. */
export function isSecondUnderWay(read: Reader, messageId: number): boolean {
  if (read.known("SELECT 1 FROM second_sms LIMIT 1") === null) return false;
  return read.get("SELECT 1 FROM second_sms WHERE message_id = ? AND due_at IS NULL", messageId) !== null;
}

/** Whether an attempt of a message is its second SMS, which has not ended. */
export function isOfSecond(read: Reader, messageId: number, attempt: number): boolean {
  if (read.known("SELECT 1 FROM second_sms LIMIT 1") === null) return false;
  return (
    read.get("SELECT 1 FROM second_sms WHERE message_id = ? AND attempt = ?", messageId, attempt) !== null
  );
}

/** A second SMS that was begun by a process which is gone. */
type BegunSecond = {
  readonly messageId: number;
  readonly operator: string;
  readonly attempt: number;
  readonly begunMs: number;
  readonly msisdn: string;
  readonly segments: number;
};

/** The second SMS that were begun and have not ended: no more than windows hold. */
export function listBegunSeconds(read: Reader): BegunSecond[] {
  return read.all<BegunSecond>(
    `SELECT s.message_id AS messageId, s.operator, s.attempt, s.begun_at AS begunMs, m.msisdn, m.segments
     FROM second_sms s JOIN messages m ON m.id = s.message_id WHERE s.due_at IS NULL ORDER BY s.message_id`,
  );
}

/** After a restore: which second SMS left after the copy was made is not known, so that none leaves. */
export function dropAllAwaitedSeconds(tx: Tx): void {
  tx.run("DELETE FROM second_sms WHERE due_at IS NOT NULL");
}

/** Forgets the second SMS of some messages, by their ids as a JSON list. */
export function deleteSeconds(tx: Tx, messageIds: string): void {
  tx.run("DELETE FROM second_sms WHERE message_id IN (SELECT value FROM json_each(?))", messageIds);
}
