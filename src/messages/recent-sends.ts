/** What an account sent to a number lately: the memory of the guards against repetition. */
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";
import { IS_NOT_OPEN } from "./batch-status.ts";
import type { Stages } from "./stages.ts";

/** One message that was accepted for a number and not cancelled, failed or released since. */
export type RecentSend = {
  /** When it was or is to be sent: the batch's schedule, else its acceptance. */
  readonly plannedAt: number;
  readonly textKey: number;
  readonly isMarketing: number;
};

const KEY_BITS = 0x1f_ffff_ffff_ffffn;

/** A text or number as an integer that SQLite and JavaScript both hold exactly (53 bits of a 64-bit hash). */
export function keyOf(text: string): number {
  return Number(Bun.hash.wyhash(text) & KEY_BITS);
}

/** The look-up key of an account's recipient. */
export function recipientKeyOf(accountId: number, msisdn: string): number {
  return keyOf(`${accountId} ${msisdn}`);
}

export function rememberSend(
  tx: Tx,
  send: RecentSend & { readonly recipientKey: number; readonly messageId: number },
): void {
  tx.run(
    `INSERT INTO recent_sends (recipient_key, planned_at, message_id, text_key, is_marketing)
     VALUES ($recipientKey, $plannedAt, $messageId, $textKey, $isMarketing)`,
    send,
  );
}

/** Takes back what was remembered of one message. */
export function forgetSend(
  tx: Tx,
  send: RecentSend & { readonly recipientKey: number; readonly messageId: number },
): void {
  tx.run(
    `DELETE FROM recent_sends
     WHERE recipient_key = $recipientKey AND is_marketing = $isMarketing AND text_key = $textKey
       AND planned_at = $plannedAt AND message_id = $messageId`,
    send,
  );
}

/** Which of an account's messages to a number may decide about another one. */
export type SendsQuery = {
  readonly accountId: number;
  readonly msisdn: string;
  /** Those with this text, with planned times from `fromMs` to before `toMs`: one of them at most. */
  readonly sameText: SendsSpan & { readonly textKey: number };
  /** MARKETING with planned times in each of these spans: so many at most. */
  readonly marketing: readonly (SendsSpan & { readonly most: number })[];
};

export type SendsSpan = { readonly fromMs: number; readonly toMs: number };

/**
 * Messages with the same text that are looked at, of each kind, the latest planned first. Of those that lie within a day of
 * each other one counts at most, since no other is accepted as long as it does; those that failed before it are
 * passed over, and a client that repeats without end what fails is not waited for.
 */
const MOST_OF_A_TEXT = 100;

/**
 * The message of a row of `recent_sends` is really of this account and number and counts. A statement like
 * this one that compares a column with a bare parameter is prepared again at each run, which costs ten times the run:
 * so none of them is bare.
 */
const COUNTS = `EXISTS (SELECT 1 FROM messages m WHERE m.id = message_id AND m.account_id = $accountId + 0 AND m.msisdn = $msisdn || ''
  AND m.status NOT IN ('FAILED', 'CANCELLED')
  AND (m.stamp_us IS NOT NULL OR m.batch_id IN (SELECT value FROM json_each($counting))
    OR NOT EXISTS (SELECT 1 FROM batches WHERE id = m.batch_id AND ${IS_NOT_OPEN})))`;

const ofText = (isMarketing: 0 | 1) => `SELECT * FROM
  (SELECT planned_at, text_key, is_marketing, message_id FROM recent_sends
   WHERE recipient_key = $recipientKey + 0 AND is_marketing = ${isMarketing} AND text_key = $textKey + 0
     AND planned_at >= $fromMs + 0 AND planned_at < $toMs + 0
   ORDER BY planned_at DESC LIMIT ${MOST_OF_A_TEXT})`;

const SEND =
  "planned_at AS plannedAt, text_key AS textKey, is_marketing AS isMarketing, message_id AS messageId";

/**
 * What still counts of an account's messages to a number and may decide about another one, each once. What was staged of a
 * batch that is not open counts while its stage goes on. It costs the same however many texts the number gets.
 */
export function recentSends(read: Reader, stages: Stages, query: SendsQuery): RecentSend[] {
  const { accountId, msisdn, sameText, marketing } = query;
  const found = new Map<number, RecentSend>();
  const recipientKey = recipientKeyOf(accountId, msisdn);
  const whose = { accountId, msisdn, counting: stages.counting(), recipientKey };
  const keep = (rows: readonly (RecentSend & { messageId: number })[]): void => {
    for (const { messageId, ...send } of rows) found.set(messageId, send);
  };
  keep(
    read.all(`SELECT ${SEND} FROM (${ofText(0)} UNION ALL ${ofText(1)}) WHERE ${COUNTS} LIMIT 1`, {
      ...whose,
      ...sameText,
    }),
  );
  for (const span of marketing) {
    if (span.most === 0) continue;
    keep(
      read.all(
        `SELECT ${SEND} FROM recent_sends
         WHERE recipient_key = $recipientKey + 0 AND is_marketing = 1
           AND planned_at >= $fromMs + 0 AND planned_at < $toMs + 0 AND ${COUNTS} LIMIT $most + 0`,
        { ...whose, ...span },
      ),
    );
  }
  return [...found.values()];
}

/** Whether an account has lately sent a number anything that left, as far as is remembered. */
export function hasSentTo(read: Reader, accountId: number, msisdn: string): boolean {
  const row = read.get(
    `SELECT 1 FROM recent_sends WHERE recipient_key = ? + 0
       AND EXISTS (SELECT 1 FROM messages m WHERE m.id = message_id AND m.account_id = ? + 0 AND m.msisdn = ? || ''
         AND m.submitted_at IS NOT NULL) LIMIT 1`,
    recipientKeyOf(accountId, msisdn),
    accountId,
    msisdn,
  );
  return row !== null;
}

/** Whether an account sent a number MARKETING through one of these operators, planned since `fromMs`, at most 31 days ago. */
export function hasSentMarketing(
  read: Reader,
  accountId: number,
  msisdn: string,
  operators: readonly string[],
  fromMs: number,
): boolean {
  const row = read.get(
    `SELECT 1 FROM recent_sends WHERE recipient_key = ? + 0 AND is_marketing = 1 AND planned_at >= ? + 0
       AND EXISTS (SELECT 1 FROM messages m WHERE m.id = message_id AND m.account_id = ? + 0 AND m.msisdn = ? || ''
         AND m.operator IN (SELECT value FROM json_each(?)) AND m.submitted_at IS NOT NULL) LIMIT 1`,
    recipientKeyOf(accountId, msisdn),
    fromMs,
    accountId,
    msisdn,
    JSON.stringify(operators),
  );
  return row !== null;
}

/**
 * A cap looks back a week and a day at most; an opt-out by a short code asks who sent marketing in the last 30 days
 * (docs/behaviour.md#repetition, #caps).
 */
const KEPT_MS = { marketing: 31 * 86_400_000, others: 8 * 86_400_000 };

/** Drops up to `limit` sends of each kind that nobody looks at any more; how many. */
export function forgetOldSends(tx: Tx, nowMs: number, limit: number): number {
  const drop = (isMarketing: number, keptMs: number) =>
    tx.run(
      `DELETE FROM recent_sends WHERE (recipient_key, is_marketing, text_key, planned_at, message_id) IN
         (SELECT recipient_key, is_marketing, text_key, planned_at, message_id FROM recent_sends
          WHERE is_marketing = ? AND planned_at < ? LIMIT ?)`,
      isMarketing,
      nowMs - keptMs,
      limit,
    );
  return drop(0, KEPT_MS.others) + drop(1, KEPT_MS.marketing);
}
