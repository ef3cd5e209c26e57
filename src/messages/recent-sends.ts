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
     VALUES (?, ?, ?, ?, ?)`,
    send.recipientKey,
    send.plannedAt,
    send.messageId,
    send.textKey,
    send.isMarketing,
  );
}

/** Takes back what was remembered of one message. */
export function forgetSend(
  tx: Tx,
  send: Pick<RecentSend, "plannedAt"> & { readonly recipientKey: number; readonly messageId: number },
): void {
  tx.run(
    "DELETE FROM recent_sends WHERE recipient_key = ? AND planned_at = ? AND message_id = ?",
    send.recipientKey,
    send.plannedAt,
    send.messageId,
  );
}

/**
 * What still counts of an account's messages to a number with planned times from `fromMs` to before `toMs`. What was
 * staged of a batch that is not open counts while its stage goes on.
 */
export function recentSends(
  read: Reader,
  stages: Stages,
  accountId: number,
  msisdn: string,
  fromMs: number,
  toMs: number,
): RecentSend[] {
  return read.all<RecentSend>(
    `SELECT planned_at AS plannedAt, text_key AS textKey, is_marketing AS isMarketing FROM recent_sends
     WHERE recipient_key = ? AND planned_at >= ? AND planned_at < ?
       AND EXISTS (SELECT 1 FROM messages m WHERE m.id = message_id AND m.account_id = ? AND m.msisdn = ?
         AND m.status NOT IN ('FAILED', 'CANCELLED')
         AND (m.stamp_us IS NOT NULL OR m.batch_id IN (SELECT value FROM json_each(?))
           OR NOT EXISTS (SELECT 1 FROM batches WHERE id = m.batch_id AND ${IS_NOT_OPEN})))`,
    recipientKeyOf(accountId, msisdn),
    fromMs,
    toMs,
    accountId,
    msisdn,
    stages.counting(),
  );
}

/** Whether an account has lately sent a number anything that left, as far as is remembered. */
export function hasSentTo(read: Reader, accountId: number, msisdn: string): boolean {
  const row = read.get(
    `SELECT 1 FROM recent_sends WHERE recipient_key = ?
       AND EXISTS (SELECT 1 FROM messages m WHERE m.id = message_id AND m.account_id = ? AND m.msisdn = ?
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
    `SELECT 1 FROM recent_sends WHERE recipient_key = ? AND planned_at >= ? AND is_marketing = 1
       AND EXISTS (SELECT 1 FROM messages m WHERE m.id = message_id AND m.account_id = ? AND m.msisdn = ?
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
 * (decisions.md section 4).
 */
const KEPT_MS = { marketing: 31 * 86_400_000, others: 8 * 86_400_000 };

/** Drops up to `limit` sends of each kind that nobody looks at any more; how many. */
export function forgetOldSends(tx: Tx, nowMs: number, limit: number): number {
  const drop = (isMarketing: number, keptMs: number) =>
    tx.run(
      `DELETE FROM recent_sends WHERE (recipient_key, planned_at, message_id) IN
         (SELECT recipient_key, planned_at, message_id FROM recent_sends
          WHERE is_marketing = ? AND planned_at < ? LIMIT ?)`,
      isMarketing,
      nowMs - keptMs,
      limit,
    );
  return drop(0, KEPT_MS.others) + drop(1, KEPT_MS.marketing);
}
