/**
 * What an account sent to a number lately: the memory of the guards against repetition. The newest sends are in memory and in
 * `send_runs` (send-runs.ts), the others in `recent_sends`.
 */
import { hashKey } from "../../core/key-of.ts";
import type { Param } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import { IS_NOT_OPEN } from "./batch-status.ts";
import {
  blankSendsToNumber,
  deleteSendRuns,
  deleteSendRunsBefore,
  recordSendRun,
  type CachedSend,
  createSendCache,
} from "./send-runs.ts";
import type { Stages } from "./stages.ts";

/** One message that was accepted for a number and not cancelled, failed or released since. */
export type RecentSend = {
  /** When it was or is to be sent: the batch's schedule, else its acceptance. */
  readonly plannedAt: number;
  readonly textKey: number;
  readonly isMarketing: number;
};

/** The look-up key of an account's recipient. */
export function recipientKeyOf(accountId: number, msisdn: string): number {
  return hashKey(`${accountId} ${msisdn}`);
}

/** Messages whose ids follow each other from `firstId` on, of one batch and account. */
export type NewSends = {
  readonly firstId: number;
  readonly accountId: number;
  readonly plannedAt: number;
  readonly isMarketing: number;
};

/** Remembers messages that were accepted. */
export function recordSends(
  tx: Tx,
  { accountId, ...run }: NewSends,
  messages: readonly { readonly msisdn: string; readonly textKey: number }[],
): void {
  if (messages.length === 0) return;
  const keys = new Float64Array(2 * messages.length);
  for (const [index, { msisdn, textKey }] of messages.entries()) {
    keys[2 * index] = recipientKeyOf(accountId, msisdn);
    keys[2 * index + 1] = textKey;
  }
  recordSendRun(tx, run, keys);
}

/** A message of which nothing is to be remembered. */
export type DeletedSend = RecentSend & { readonly recipientKey: number; readonly messageId: number };

/** Takes back what was remembered of messages of a batch, of which those before them were taken back before. */
export function deleteSends(tx: Tx, sends: readonly DeletedSend[]): void {
  deleteSendRuns(
    tx,
    sends.map(({ messageId }) => messageId),
  );
  if (!createSendCache(tx).areOthers) return;
  for (const send of sends)
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
 * Messages with the same text that are looked at, of each kind, in memory and in the table, the latest first. Of those that lie within a day of
 * each other one counts at most, since no other is accepted as long as it does; those that failed before it are
 * passed over, and a client that repeats without end what fails is not waited for.
 */
const MAX_OF_A_TEXT = 100;

/** Whether the message of row `id` is really of this account and number, and counts. */
export const counts = (
  id: string,
) => `EXISTS (SELECT 1 FROM messages m WHERE m.id = ${id} AND m.account_id = $accountId AND m.msisdn = $msisdn
  AND m.status NOT IN ('FAILED', 'CANCELLED')
  AND (m.stamp_us IS NOT NULL OR m.batch_id IN (SELECT value FROM json_each($counting))
    OR NOT EXISTS (SELECT 1 FROM batches WHERE id = m.batch_id AND ${IS_NOT_OPEN})))`;

const ofText = (isMarketing: 0 | 1) => `SELECT * FROM
  (SELECT planned_at, text_key, is_marketing, message_id FROM recent_sends
   WHERE recipient_key = $recipientKey AND is_marketing = ${isMarketing} AND text_key = $textKey
     AND planned_at >= $fromMs AND planned_at < $toMs
   ORDER BY planned_at DESC LIMIT ${MAX_OF_A_TEXT})`;

const SEND =
  "planned_at AS plannedAt, text_key AS textKey, is_marketing AS isMarketing, message_id AS messageId";

/** Marketing or not. */
export const KINDS = [0, 1] as const;

/** Up to so many of these sends that were planned in a span. */
export function* within(
  sends: Iterable<CachedSend>,
  { fromMs, toMs }: SendsSpan,
  most = Number.POSITIVE_INFINITY,
): Generator<CachedSend> {
  let seen = 0;
  for (const send of sends) {
    if (send.run.plannedAt < fromMs || send.run.plannedAt >= toMs) continue;
    yield send;
    seen += 1;
    if (seen === most) return;
  }
}

/**
 * What still counts of an account's messages to a number and may decide about another one, each once. What was staged of a
 * batch that is not open counts while its stage goes on. It costs the same however many texts the number gets.
 */
export function recentSends(tx: Tx, stages: Stages, query: SendsQuery): RecentSend[] {
  const { accountId, msisdn, sameText, marketing } = query;
  const hand = createSendCache(tx);
  const found = new Map<number, RecentSend>();
  const recipientKey = recipientKeyOf(accountId, msisdn);
  const whose = { accountId, msisdn, counting: stages.counting() };
  const doesCount = (messageId: number): boolean =>
    tx.get(`SELECT 1 WHERE ${counts("$messageId")}`, { ...whose, messageId }) !== null;
  /** Keeps up to `most` of the sends at hand that count; how many. */
  const keepAtHand = (sends: Iterable<CachedSend>, most: number): number => {
    let kept = 0;
    for (const send of sends) {
      if (kept === most) break;
      const { firstId, plannedAt, isMarketing } = send.run;
      const messageId = firstId + send.index;
      if (!doesCount(messageId)) continue;
      kept += 1;
      found.set(messageId, { plannedAt, textKey: send.second, isMarketing });
    }
    return kept;
  };
  const keep = (rows: readonly (RecentSend & { messageId: number })[]): void => {
    for (const { messageId, ...send } of rows) found.set(messageId, send);
  };
  const isRepeat = KINDS.some(
    (kind) =>
      keepAtHand(within(hand.withBoth(kind, recipientKey, sameText.textKey), sameText, MAX_OF_A_TEXT), 1) > 0,
  );
  if (!isRepeat && hand.areOthers)
    keep(
      tx.all(
        `SELECT ${SEND} FROM (${ofText(0)} UNION ALL ${ofText(1)}) WHERE ${counts("message_id")} LIMIT 1`,
        { ...whose, recipientKey, ...sameText },
      ),
    );
  for (const span of marketing) {
    if (span.most === 0) continue;
    const kept = keepAtHand(within(hand.withFirst(1, recipientKey), span), span.most);
    if (kept === span.most || !hand.areOthers) continue;
    keep(
      tx.all(
        `SELECT ${SEND} FROM recent_sends
         WHERE recipient_key = $recipientKey AND is_marketing = 1
           AND planned_at >= $fromMs AND planned_at < $toMs AND ${counts("message_id")} LIMIT $most`,
        { ...whose, recipientKey, ...span },
      ),
    );
  }
  return [...found.values()];
}

/** Whether one of some sends, at hand or of `rows`, is of a message `m` that is as `which` says and left. */
function hasLeft(
  tx: Tx,
  atHand: Iterable<CachedSend>,
  rows: string,
  which: string,
  params: Readonly<Record<string, Param>>,
): boolean {
  const left = (
    id: string,
  ) => `EXISTS (SELECT 1 FROM messages m WHERE m.id = ${id} AND m.account_id = $accountId
    AND m.msisdn = $msisdn AND m.submitted_at IS NOT NULL AND ${which})`;
  for (const { run, index } of atHand)
    if (tx.get(`SELECT 1 WHERE ${left("$messageId")}`, { ...params, messageId: run.firstId + index }))
      return true;
  return (
    tx.get(`SELECT 1 FROM recent_sends WHERE ${rows} AND ${left("message_id")} LIMIT 1`, params) !== null
  );
}

/** Whether an account has lately sent a number anything that left, as far as is remembered. */
export function hasSentTo(tx: Tx, accountId: number, msisdn: string): boolean {
  const recipientKey = recipientKeyOf(accountId, msisdn);
  const { withFirst } = createSendCache(tx);
  const atHand = [...withFirst(0, recipientKey), ...withFirst(1, recipientKey)];
  return hasLeft(tx, atHand, "recipient_key = $recipientKey", "true", { accountId, msisdn, recipientKey });
}

/** What went on by another operator left by the first one too, or by both where the first has it back. */
const BY_ONE_OF_THESE = `(m.operator IN (SELECT value FROM json_each($operators)) OR EXISTS (
  SELECT 1 FROM second_ways s WHERE s.message_id = m.id AND s.operator IN (SELECT value FROM json_each($operators))
    AND ((s.stage = 'SECOND' AND s.submitted_at IS NOT NULL) OR (s.stage = 'BACK' AND s.claimed > 0))))`;

/** Whether an account sent a number MARKETING through one of these operators, planned since `fromMs`, at most 31 days ago. */
export function hasSentMarketing(
  tx: Tx,
  accountId: number,
  msisdn: string,
  operators: readonly string[],
  fromMs: number,
): boolean {
  const recipientKey = recipientKeyOf(accountId, msisdn);
  const span = { fromMs, toMs: Number.POSITIVE_INFINITY };
  return hasLeft(
    tx,
    within(createSendCache(tx).withFirst(1, recipientKey), span),
    "recipient_key = $recipientKey AND is_marketing = 1 AND planned_at >= $fromMs",
    BY_ONE_OF_THESE,
    { accountId, msisdn, operators: JSON.stringify(operators), recipientKey, fromMs },
  );
}

/** Forgets what some accounts sent to a number: caps and guards begin anew with it. How many sends. */
export function eraseSendsTo(tx: Tx, accountIds: readonly number[], msisdn: string): number {
  let forgotten = 0;
  for (const accountId of accountIds) {
    const key = recipientKeyOf(accountId, msisdn);
    forgotten += blankSendsToNumber(tx, key) + tx.run("DELETE FROM recent_sends WHERE recipient_key = ?", key);
  }
  return forgotten;
}

/**
 * A cap looks back a week and a day at most; an opt-out by a short code asks who sent marketing in the last 30 days
 * (docs/behaviour.md#repetition, #caps).
 */
export const SENDS_KEPT_MS = { marketing: 31 * 86_400_000, others: 8 * 86_400_000 };

/** Drops up to `limit` sends and runs of each kind that nobody looks at any more; how many. */
export function purgeOldSends(tx: Tx, nowMs: number, limit: number): number {
  const drop = (isMarketing: number, keptMs: number) =>
    deleteSendRunsBefore(tx, isMarketing, nowMs - keptMs, limit) +
    tx.run(
      `DELETE FROM recent_sends WHERE (recipient_key, is_marketing, text_key, planned_at, message_id) IN
         (SELECT recipient_key, is_marketing, text_key, planned_at, message_id FROM recent_sends
          WHERE is_marketing = ? AND planned_at < ? LIMIT ?)`,
      isMarketing,
      nowMs - keptMs,
      limit,
    );
  return drop(0, SENDS_KEPT_MS.others) + drop(1, SENDS_KEPT_MS.marketing);
}
