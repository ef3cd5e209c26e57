/**
 * The other leg of a message with a fallback: the one that its row does not hold. A row holds the leg that carries the message, so that
 * sending, counting and billing need nothing of this; what the client is shown besides stands here.
 */
import type { Xof } from "../../core/money.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import type { Status } from "./message-status.ts";
import { isSendable } from "./queue.ts";
import { isHeldBack } from "./restore-holds.ts";

/** One leg of a message, as its row has it. */
export type FallbackLeg = {
  readonly operator: string;
  readonly encoding: "GSM7" | "UCS2";
  readonly segments: number;
  /** Of one segment. */
  readonly price: Xof;
  /** Null: the batch's text for that leg, without change. */
  readonly text: string | null;
};

/** What came of a leg. */
export type LegOutcome = {
  readonly status: Status;
  readonly at: number;
  readonly errorCode: string | null;
  readonly operatorCode: string | null;
};

/** The legs of a message with a fallback, beside its row. Times are epoch milliseconds. */
export type MessageLegs = {
  /** Which leg the row holds: the first, the fallback, or the first again, which had arrived after all. */
  readonly stage: "FIRST" | "SECOND" | "BACK";
  /** The leg that the row does not hold. */
  readonly other: FallbackLeg;
  /** What came of that leg; null while it was not used. */
  readonly end: LegOutcome | null;
  /** When the message is to be looked at again; null: not yet, or no more. */
  readonly dueAt: number | null;
  /** Until when the fallback is worth sending; null before it begins. */
  readonly expiresAt: number | null;
  /** 0: nothing of the fallback has left or may leave; 1: it is claimed for the first time; 2: some may have left. */
  readonly claimed: 0 | 1 | 2;
  /** By how much the reservation exceeds the cost of the leg that the row holds. */
  readonly excess: Xof;
  /** The cost of a first leg that arrived while the fallback was under leg; null while it has not. */
  readonly firstCost: Xof | null;
  /** How far the client saw the message when its fallback began; null before. */
  readonly shown: Extract<Status, "QUEUED" | "SUBMITTED" | "SENT"> | null;
  readonly submittedAt: number | null;
  readonly sentAt: number | null;
  readonly movedAt: number | null;
};

type Row = Omit<MessageLegs, "other" | "end"> & {
  readonly [Name in keyof FallbackLeg as `carried_${Name}`]: FallbackLeg[Name];
} & {
  readonly [Name in keyof FallbackLeg as `other_${Name}`]: FallbackLeg[Name];
} & { readonly [Name in keyof LegOutcome]: LegOutcome[Name] | null };

const LEG_COLUMNS = ["operator", "encoding", "segments", "price", "text"] as const;

const READ_LEGS = `SELECT s.stage, s.status, s.at, s.error_code AS errorCode, s.operator_code AS operatorCode,
    s.due_at AS dueAt, s.expires_at AS expiresAt, s.claimed, s.excess_amount AS excess, s.first_amount AS firstCost, s.shown,
    s.submitted_at AS submittedAt, s.sent_at AS sentAt, s.moved_at AS movedAt,
    ${LEG_COLUMNS.map((name) => `s.${name} AS other_${name}, m.${name} AS carried_${name}`).join(", ")}
  FROM fallbacks s JOIN messages m ON m.id = s.message_id WHERE s.message_id = +?`;

/** Both legs of a message, and which of them its row holds; null of a message without a fallback. */
export function readLegs(
  read: Reader,
  messageId: number,
): { readonly legs: MessageLegs; readonly carried: FallbackLeg } | null {
  const row = read.get<Row>(READ_LEGS, messageId);
  if (!row) return null;
  const { stage, status, at, errorCode, operatorCode, dueAt, expiresAt, claimed, excess, firstCost } = row;
  const { shown, submittedAt, sentAt, movedAt } = row;
  const toLeg = (which: "other" | "carried"): FallbackLeg => ({
    operator: row[`${which}_operator`],
    encoding: row[`${which}_encoding`],
    segments: row[`${which}_segments`],
    price: row[`${which}_price`],
    text: row[`${which}_text`],
  });
  const end = status === null || at === null ? null : { status, at, errorCode, operatorCode };
  const rest = { dueAt, expiresAt, claimed, excess, firstCost, shown, submittedAt, sentAt, movedAt };
  return { carried: toLeg("carried"), legs: { stage, other: toLeg("other"), end, ...rest } };
}

/** Records that a message of a batch has a fallback. */
export function insertInactiveLeg(
  tx: Tx,
  messageId: number,
  batchId: number,
  leg: FallbackLeg,
  excess: Xof,
): void {
  tx.run(
    `INSERT INTO fallbacks (message_id, batch_id, operator, encoding, segments, price, text, excess_amount)
     VALUES ($messageId, $batchId, $operator, $encoding, $segments, $price, $text, $excess)`,
    { ...leg, messageId, batchId, excess },
  );
}

/** Writes the legs as a fact left them. */
export function updateLegs(tx: Tx, messageId: number, legs: MessageLegs, isOpen: boolean): void {
  const { other, end, dueAt, ...rest } = legs;
  tx.run(
    `UPDATE fallbacks SET stage = $stage, is_open = $isOpen, operator = $operator, encoding = $encoding, segments = $segments,
       price = $price, text = $text, status = $status, at = $at, error_code = $errorCode, operator_code = $operatorCode,
       due_at = $dueAt, expires_at = $expiresAt, claimed = $claimed, excess_amount = $excess, first_amount = $firstCost, shown = $shown,
       submitted_at = $submittedAt, sent_at = $sentAt, moved_at = $movedAt WHERE message_id = $messageId`,
    {
      ...rest,
      ...other,
      messageId,
      isOpen: isOpen ? 1 : 0,
      dueAt: isOpen ? dueAt : null,
      status: end?.status ?? null,
      at: end?.at ?? null,
      errorCode: end?.errorCode ?? null,
      operatorCode: end?.operatorCode ?? null,
    },
  );
}

/** Puts another leg into the row of a message. */
export function activateLeg(tx: Tx, messageId: number, leg: FallbackLeg): void {
  tx.run(
    `UPDATE messages SET operator = $operator, encoding = $encoding, segments = $segments, price = $price, text = $text
     WHERE id = $messageId`,
    { ...leg, messageId },
  );
}

/** Restarts the timer of a message's first leg: it is posted. Does nothing without a fallback. */
export function restartFirstLegTimer(tx: Tx, messageId: number, nowMs: number): void {
  tx.run(
    `UPDATE fallbacks SET due_at = $nowMs + ${AFTER_MS}
     WHERE message_id = $messageId AND is_open = 1 AND stage = 'FIRST'`,
    { messageId, nowMs },
  );
}

/** Until when the first leg of a message is worth beginning; null of a message that has no fallback, or goes by it. */
export function readFirstLegEnd(read: Reader, messageId: number): number | null {
  const row = read.get<{ endsAt: number }>(
    `SELECT f.first_expires_at AS endsAt FROM fallbacks s JOIN batch_fallbacks f ON f.batch_id = s.batch_id
     WHERE s.message_id = ? AND s.stage = 'FIRST'`,
    messageId,
  );
  return row?.endsAt ?? null;
}

/** The operators by which a message goes, the one that carries it first. */
export function readOperators(read: Reader, messageId: number): readonly string[] {
  return read
    .all<{ operator: string }>(
      `SELECT operator FROM messages WHERE id = ?1
       UNION ALL SELECT operator FROM fallbacks WHERE message_id = ?1`,
      messageId,
    )
    .map(({ operator }) => operator);
}

const AFTER_MS = "(SELECT after_ms FROM batch_fallbacks f WHERE f.batch_id = fallbacks.batch_id)";

/**
 * Starts the timers of up to `limit` messages that wait for an operator by which nothing leaves, or nothing of the batches that are meant,
 * in the order of the queue: their turn would have come. How many.
 */
export function startLegTimers(
  tx: Tx,
  operator: string,
  nowMs: number,
  limit: number,
  isMeant: (batchId: number) => boolean = () => true,
): number {
  let timed = 0;
  for (let batchId = 0; timed < limit; ) {
    const next = tx.get<{ id: number }>(
      "SELECT batch_id AS id FROM fallbacks WHERE due_at IS NULL AND is_open = 1 AND batch_id > ? ORDER BY batch_id LIMIT 1",
      batchId,
    );
    if (!next) break;
    batchId = next.id;
    if (!isMeant(batchId) || !isSendable(tx, batchId) || isHeldBack(tx, { batchId, operator })) continue;
    timed += tx.run(
      `UPDATE fallbacks SET due_at = $nowMs + ${AFTER_MS} WHERE message_id IN (
         SELECT s.message_id FROM fallbacks s JOIN messages m ON m.id = s.message_id
         WHERE s.batch_id = $batchId AND s.due_at IS NULL AND s.is_open = 1 AND m.operator = $operator
           AND m.status = 'QUEUED' AND m.not_before <= $nowMs ORDER BY s.message_id LIMIT $limit)`,
      { batchId, operator, nowMs, limit: limit - timed },
    );
  }
  return timed;
}

/** Whether there is any message whose timer has not started. */
export function hasUntimedLegs(read: Reader): boolean {
  return read.get("SELECT 1 FROM fallbacks WHERE due_at IS NULL AND is_open = 1 LIMIT 1") !== null;
}

/** Whether a message goes by its fallback. */
export function isOnFallback(read: Reader, messageId: number): boolean {
  return read.get("SELECT 1 FROM fallbacks WHERE message_id = ? AND stage = 'SECOND'", messageId) !== null;
}

/** A message with a fallback that is to be looked at. */
export type DueFallback = {
  readonly messageId: number;
  readonly accountId: number;
  readonly stage: MessageLegs["stage"];
  readonly expiresAt: number | null;
  readonly status: Status;
  readonly sentAt: number | null;
  /** The operator's last temporary answer, or null. */
  readonly operatorCode: string | null;
};

export function findDueFallbacks(read: Reader, nowMs: number, limit: number): DueFallback[] {
  return read.all<DueFallback>(
    `SELECT s.message_id AS messageId, m.account_id AS accountId, s.stage, s.expires_at AS expiresAt, m.status,
       m.sent_at AS sentAt, m.operator_code AS operatorCode
     FROM fallbacks s JOIN messages m ON m.id = s.message_id WHERE s.due_at <= ? ORDER BY s.due_at LIMIT ?`,
    nowMs,
    limit,
  );
}

/** Has a message looked at again later. */
export function scheduleReview(tx: Tx, messageId: number, atMs: number): void {
  tx.run("UPDATE fallbacks SET due_at = ? WHERE message_id = ? AND due_at IS NOT NULL", atMs, messageId);
}

/** Deletes the other legs of messages that are deleted, by their ids as a JSON list. */
export function deleteLegs(tx: Tx, messageIds: string): void {
  tx.run("DELETE FROM fallbacks WHERE message_id IN (SELECT value FROM json_each(?))", messageIds);
}

/** Deletes the texts of the other legs of messages, by their ids as a JSON list. */
export function clearInactiveTexts(tx: Tx, messageIds: string): void {
  tx.run(
    `UPDATE fallbacks SET text = '' WHERE message_id IN (SELECT value FROM json_each(?)) AND text <> ''`,
    messageIds,
  );
}
