/** Messages that wait for something that may never come. */
import type { Reader } from "../store/read.ts";
import { HAS_NOT_ENDED } from "./batch-status.ts";

export type AbandonedMessage = {
  readonly messageId: number;
  readonly messageClass: "OTP" | "TRANSACTIONAL" | "MARKETING";
  readonly resends: number;
  readonly expiresAt: number;
  readonly operator: string;
  readonly msisdn: string;
  readonly segments: number;
  readonly claimedAt: number;
};

/** Where a page of claimed messages ends. */
export type ClaimedPlace = { readonly msisdn: string; readonly messageId: number };

export const FIRST_CLAIMED: ClaimedPlace = { msisdn: "", messageId: 0 };

/**
 * A page of claimed messages whose answer is not known to be overdue, after a place: those that a line holds, and those
 * that nobody does. All of them are no more than windows and outboxes hold.
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
export function claimedMessage(read: Reader, messageId: number): AbandonedMessage | null {
  return read.get<AbandonedMessage>(
    `SELECT m.id AS messageId, b.message_class AS messageClass, m.resends, b.expires_at AS expiresAt,
       m.operator, m.msisdn, m.segments, m.submitted_at AS claimedAt
     FROM messages m JOIN batches b ON b.id = m.batch_id
     WHERE m.id = ? AND m.status = 'SUBMITTED' AND m.unanswered_until IS NULL`,
    messageId,
  );
}

/** Whether a message still waits for the answer to a submit that nobody answered in time. */
export function waitsForAnswer(read: Reader, messageId: number): boolean {
  return read.get("SELECT 1 FROM messages WHERE id = ? AND unanswered_until IS NOT NULL", messageId) !== null;
}

/** Unanswered submits that were waited for until now. */
export function overdueUnanswered(read: Reader, nowMs: number, limit: number): number[] {
  return idsOf(
    read.all(
      "SELECT id FROM messages WHERE unanswered_until <= ? ORDER BY unanswered_until LIMIT ?",
      nowMs,
      limit,
    ),
  );
}

/**
 * Messages that were SENT before `sentBeforeMs` and are still not final. Only batches that are old enough and have
 * messages open are looked into, each by the range of its ids.
 */
export function overdueReceipts(read: Reader, sentBeforeMs: number, limit: number): number[] {
  const overdue: number[] = [];
  for (const { first, end } of unfinishedBatches(read, sentBeforeMs)) {
    overdue.push(
      ...idsOf(
        read.all(
          `SELECT id FROM messages WHERE id >= ? AND id < ? AND status = 'SENT' AND is_final = 0
             AND sent_at < ? LIMIT ?`,
          first,
          end,
          sentBeforeMs,
          limit - overdue.length,
        ),
      ),
    );
    if (overdue.length >= limit) break;
  }
  return overdue;
}

type Stretch = {
  readonly id: number;
  readonly createdAtMs: number;
  readonly first: number;
  readonly end: number;
};

/** Batches read in one go, the oldest first. */
const PAGE = 250;
/** A clock that was set back may have given a batch an earlier time than the one before it, but not by more. */
const CLOCK_SLACK_MS = 86_400_000;

/** Batches from before an instant of which messages are not final; those of today are not looked through for them. */
function* unfinishedBatches(read: Reader, createdBeforeMs: number): Iterable<Stretch> {
  const columns = `id, created_at AS createdAtMs, first_message_id AS first, first_message_id + accepted AS "end"`;
  yield* read.all<Stretch>(
    `SELECT ${columns} FROM batches WHERE status = 'CANCELLED' AND unfinished > 0 AND created_at < ? ORDER BY id`,
    createdBeforeMs,
  );
  for (let after = 0; ; ) {
    const page = read.all<Stretch>(
      `SELECT ${columns} FROM batches WHERE ${HAS_NOT_ENDED} AND status = 'SENDING' AND id > ? ORDER BY id LIMIT ?`,
      after,
      PAGE,
    );
    yield* page.filter(({ createdAtMs }) => createdAtMs < createdBeforeMs);
    const last = page.at(-1);
    if (!last || last.createdAtMs >= createdBeforeMs + CLOCK_SLACK_MS) return;
    after = last.id;
  }
}

function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map((row) => row.id);
}
