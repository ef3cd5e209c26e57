/**
 * What an account sent to a number lately: the memory of the repetition guards. The newest sends are in memory and in `recent_message_runs`, the
 * others in `recent_messages`.
 */
import { hashKey } from "../../core/ids.ts";
import { createPairIndex, type FoundPair, type PairIndex } from "../../core/pair-index.ts";
import type { Param } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { IS_NOT_OPEN } from "./batch-status.ts";
import type { Stages } from "./staged-recipients.ts";

/** One message that was accepted for a number and not cancelled, failed or released since. */
export type RecentSend = {
  /** When it was or is to be sent: the batch's schedule, else its acceptance. */
  readonly plannedAt: number;
  readonly textKey: number;
  readonly isMarketing: number;
};

/** The look-up key of an account's recipient. */
export function toRecipientKey(accountId: number, msisdn: string): number {
  return hashKey(`${accountId} ${msisdn}`);
}

/** Messages whose ids follow each other from `firstId` on, of one batch and account. */
type NewSends = {
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
    keys[2 * index] = toRecipientKey(accountId, msisdn);
    keys[2 * index + 1] = textKey;
  }
  recordSendRun(tx, run, keys);
}

/** A message whose send is forgotten. */
type DeletedSend = RecentSend & { readonly recipientKey: number; readonly messageId: number };

/** Takes back what was remembered of messages of a batch; those before them must have been taken back already. */
export function deleteSends(tx: Tx, sends: readonly DeletedSend[]): void {
  deleteSendRuns(
    tx,
    sends.map(({ messageId }) => messageId),
  );
  if (!createSendCache(tx).areOthers) return;
  for (const send of sends)
    tx.run(
      `DELETE FROM recent_messages
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
 * Messages with the same text that are looked at, of each kind, in memory and in the table, the latest first. Of those within a day of each
 * other one counts at most, since no other is accepted as long as it does; those that failed before it are passed over, and a client that
 * repeats without end what fails is not waited for.
 */
const MAX_OF_A_TEXT = 100;

/** Whether the message of row `id` is really of this account and number, and counts. */
const counts = (
  id: string,
) => `EXISTS (SELECT 1 FROM messages m WHERE m.id = ${id} AND m.account_id = $accountId AND m.msisdn = $msisdn
  AND m.status NOT IN ('FAILED', 'CANCELLED')
  AND (m.stamp_us IS NOT NULL OR m.batch_id IN (SELECT value FROM json_each($counting))
    OR NOT EXISTS (SELECT 1 FROM batches WHERE id = m.batch_id AND ${IS_NOT_OPEN})))`;

const ofText = (isMarketing: 0 | 1) => `SELECT * FROM
  (SELECT planned_at, text_key, is_marketing, message_id FROM recent_messages
   WHERE recipient_key = $recipientKey AND is_marketing = ${isMarketing} AND text_key = $textKey
     AND planned_at >= $fromMs AND planned_at < $toMs
   ORDER BY planned_at DESC LIMIT ${MAX_OF_A_TEXT})`;

const SEND =
  "planned_at AS plannedAt, text_key AS textKey, is_marketing AS isMarketing, message_id AS messageId";

/** Marketing or not. */
const KINDS = [0, 1] as const;

/** Up to so many of these sends that were planned in a span. */
function* within(
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
  const recipientKey = toRecipientKey(accountId, msisdn);
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
        `SELECT ${SEND} FROM recent_messages
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
    tx.get(`SELECT 1 FROM recent_messages WHERE ${rows} AND ${left("message_id")} LIMIT 1`, params) !== null
  );
}

/** Whether an account has lately sent a number anything that left, as far as is remembered. */
export function hasSentTo(tx: Tx, accountId: number, msisdn: string): boolean {
  const recipientKey = toRecipientKey(accountId, msisdn);
  const { withFirst } = createSendCache(tx);
  const atHand = [...withFirst(0, recipientKey), ...withFirst(1, recipientKey)];
  return hasLeft(tx, atHand, "recipient_key = $recipientKey", "true", { accountId, msisdn, recipientKey });
}

/** A message that went on by its fallback left by its first operator too, or by both where the first has it back. */
const BY_ONE_OF_THESE = `(m.operator IN (SELECT value FROM json_each($operators)) OR EXISTS (
  SELECT 1 FROM fallbacks s WHERE s.message_id = m.id AND s.operator IN (SELECT value FROM json_each($operators))
    AND ((s.stage = 'SECOND' AND s.submitted_at IS NOT NULL) OR (s.stage = 'BACK' AND s.claimed > 0))))`;

/** Whether an account sent a number MARKETING through one of these operators, planned since `fromMs`, at most 31 days ago. */
export function hasSentMarketing(
  tx: Tx,
  accountId: number,
  msisdn: string,
  operators: readonly string[],
  fromMs: number,
): boolean {
  const recipientKey = toRecipientKey(accountId, msisdn);
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
export function eraseMessagesTo(tx: Tx, accountIds: readonly number[], msisdn: string): number {
  let forgotten = 0;
  for (const accountId of accountIds) {
    const key = toRecipientKey(accountId, msisdn);
    forgotten +=
      blankSendsToNumber(tx, key) + tx.run("DELETE FROM recent_messages WHERE recipient_key = ?", key);
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
      `DELETE FROM recent_messages WHERE (recipient_key, is_marketing, text_key, planned_at, message_id) IN
         (SELECT recipient_key, is_marketing, text_key, planned_at, message_id FROM recent_messages
          WHERE is_marketing = ? AND planned_at < ? LIMIT ?)`,
      isMarketing,
      nowMs - keptMs,
      limit,
    );
  return drop(0, SENDS_KEPT_MS.others) + drop(1, SENDS_KEPT_MS.marketing);
}

// Sends as they come: a row for a run of messages, which is written at the end of its table and found in memory. What the memory holds
// is what the transaction under way sees, because whoever writes a row here writes it there too, and undoes it with the
// transaction. When there are many they go into `recent_messages`, which is in order of recipients: at each write twice as
// many as are written, side by side in that order, so that they share its pages.

/** Sends of messages whose ids follow each other, of one batch. */
type SendRun = {
  /** The row id of the first message. */
  readonly firstId: number;
  /** When they were or are to be sent: the batch's schedule, else its acceptance. */
  readonly plannedAt: number;
  readonly isMarketing: number;
};

/** One send among those in memory: `first` and `second` are the keys of its recipient and its text. */
type CachedSend = FoundPair<SendRun>;

type RunIndex = PairIndex<SendRun>;

/** Sends and runs in memory from which on they go into `recent_messages`. */
const MAX_SENDS = 65_536;
const MAX_RUNS = 16_384;

/** Of runs that are in `recent_messages` one is deleted for so many sends that are written, and one more. */
const SENDS_A_DELETION = 4;

/** Runs on their way into `recent_messages`: found here until all of them are there. */
type Leaving = {
  readonly index: RunIndex;
  readonly order: Uint32Array;
  /** How many of `order` are written there, and how many runs are deleted here. */
  written: number;
  deleted: number;
};

type Memory = {
  fresh: RunIndex;
  leaving: Leaving | null;
  /** Runs in memory whose row is gone. */
  readonly gone: Set<SendRun>;
  /** Whether `recent_messages` may hold something. */
  hasLeft: boolean;
};

/** What is found in memory of an account's sends to a number. */
type SendCache = Pick<RunIndex, "withFirst" | "withBoth"> & {
  /** Whether there may be others in `recent_messages`. */
  readonly areOthers: boolean;
};

const memories = new WeakMap<Tx, Memory>();

function memoryOf(tx: Tx): Memory {
  const known = memories.get(tx);
  if (known) return known;
  const fresh = createPairIndex<SendRun>();
  for (const { keys, ...run } of tx.each<SendRun & { readonly keys: Uint8Array }>(
    `SELECT first_message_id AS firstId, planned_at AS plannedAt, is_marketing AS isMarketing, keys FROM recent_message_runs
     ORDER BY first_message_id`,
  ))
    fresh.add(run, run.isMarketing, new Float64Array(keys.slice().buffer));
  const hasLeft =
    (tx.get<{ last: number | null }>("SELECT max(recipient_key) AS last FROM recent_messages")?.last ??
      null) !== null;
  const memory: Memory = { fresh, leaving: null, gone: new Set(), hasLeft };
  memories.set(tx, memory);
  return memory;
}

/** The sends that are not in `recent_messages` yet, as the transaction under way sees them. */
export function createSendCache(tx: Tx): SendCache {
  const { fresh, leaving, gone, hasLeft } = memoryOf(tx);
  function* ofBoth(find: (index: RunIndex) => Iterable<CachedSend>): Generator<CachedSend> {
    for (const send of find(fresh)) if (!gone.has(send.run)) yield send;
    if (leaving) for (const send of find(leaving.index)) if (!gone.has(send.run)) yield send;
  }
  return {
    withFirst: (...asked) => ofBoth((index) => index.withFirst(...asked)),
    withBoth: (...asked) => ofBoth((index) => index.withBoth(...asked)),
    areOthers: hasLeft,
  };
}

/** Remembers the sends of a run: of each the keys of its recipient and of its text, one after the other; at least one. */
export function recordSendRun(tx: Tx, written: SendRun, keys: Float64Array): void {
  const memory = memoryOf(tx);
  // One that was undone and is written again is another.
  const run = { ...written };
  tx.run(
    "INSERT INTO recent_message_runs (first_message_id, planned_at, is_marketing, keys) VALUES (?, ?, ?, ?)",
    run.firstId,
    run.plannedAt,
    run.isMarketing,
    new Uint8Array(keys.buffer, keys.byteOffset, keys.byteLength),
  );
  memory.fresh.add(run, run.isMarketing, keys);
  tx.onRollback(() => memory.gone.add(run));
  moveOn(tx, memory, keys.length / 2);
}

/** Forgets the runs that begin with one of these messages; how many. */
export function deleteSendRuns(tx: Tx, messageIds: readonly number[]): number {
  const memory = memoryOf(tx);
  const wanted = new Set(messageIds);
  const runs = runsOf(memory).filter((run) => wanted.has(run.firstId) && !memory.gone.has(run));
  for (const run of runs) forgetRun(tx, memory, run);
  return runs.length;
}

/** Forgets up to `limit` runs of a kind that were planned before a time, once there is a memory of them; how many. */
export function deleteSendRunsBefore(tx: Tx, isMarketing: number, beforeMs: number, limit: number): number {
  const memory = memories.get(tx);
  if (!memory) return 0;
  const isOld = (run: SendRun) =>
    run.isMarketing === isMarketing && run.plannedAt < beforeMs && !memory.gone.has(run);
  const runs = runsOf(memory).filter(isOld).slice(0, limit);
  for (const run of runs) forgetRun(tx, memory, run);
  return runs.length;
}

/** Forgets the sends to one recipient, by its key, in memory and in their rows; how many. */
export function blankSendsToNumber(tx: Tx, recipientKey: number): number {
  const { withFirst } = createSendCache(tx);
  const sends = [0, 1].flatMap((kind) => [...withFirst(kind, recipientKey)]);
  for (const send of sends) blankSend(tx, memoryOf(tx), send);
  return sends.length;
}

/** Stands in place of keys that are forgotten: no key of anybody is below zero. Nothing of it is written. */
const NOBODY = -1;

function blankSend(tx: Tx, { fresh, leaving }: Memory, { run, index, first, second }: CachedSend): void {
  const row = tx.get<{ keys: Uint8Array }>(
    "SELECT keys FROM recent_message_runs WHERE first_message_id = ?",
    run.firstId,
  );
  if (row) {
    const keys = new Float64Array(row.keys.slice().buffer);
    keys.fill(NOBODY, 2 * index, 2 * index + 2);
    tx.run(
      "UPDATE recent_message_runs SET keys = ? WHERE first_message_id = ?",
      new Uint8Array(keys.buffer),
      run.firstId,
    );
  }
  const indexes = [fresh, ...(leaving ? [leaving.index] : [])];
  for (const each of indexes) each.blank(run, index, NOBODY, NOBODY);
  tx.onRollback(() => {
    for (const each of indexes) each.blank(run, index, first, second);
  });
}

const runsOf = ({ fresh, leaving }: Memory): SendRun[] => [...(leaving?.index.runs() ?? []), ...fresh.runs()];

function forgetRun(tx: Tx, { gone }: Memory, run: SendRun): void {
  tx.run("DELETE FROM recent_message_runs WHERE first_message_id = ?", run.firstId);
  gone.add(run);
  tx.onRollback(() => gone.delete(run));
}

/** Goes on with what is on its way into `recent_messages`, or begins when there are many sends; `added`: sends that were just written. */
function moveOn(tx: Tx, memory: Memory, added: number): void {
  const { fresh, leaving: before, gone, hasLeft } = memory;
  if (before === null) {
    if (fresh.size() < MAX_SENDS && fresh.runs().length < MAX_RUNS) return;
    memory.leaving = { index: fresh, order: fresh.inOrder(), written: 0, deleted: 0 };
    memory.fresh = createPairIndex<SendRun>();
  }
  const { leaving } = memory;
  if (leaving === null) return;
  const { written, deleted } = leaving;
  tx.onRollback(() => {
    Object.assign(leaving, { written, deleted });
    Object.assign(memory, { fresh, leaving: before, hasLeft });
  });
  memory.hasLeft = true;
  const { index, order } = leaving;
  const until = Math.min(order.length, written + 2 * added);
  for (; leaving.written < until; leaving.written++) {
    const send = index.at(order[leaving.written] ?? 0);
    if (send && send.first !== NOBODY && !gone.has(send.run)) writeSend(tx, send);
  }
  if (leaving.written < order.length) return;
  const runs = index.runs();
  const enough = Math.min(runs.length, deleted + 1 + Math.ceil(added / SENDS_A_DELETION));
  for (const run of runs.slice(deleted, enough)) if (!gone.has(run)) forgetRun(tx, memory, run);
  leaving.deleted = enough;
  if (enough < runs.length) return;
  memory.leaving = null;
  tx.afterCommit(() => {
    for (const run of runs) gone.delete(run);
  });
}

/** Writes a send; one that a process wrote before it died on the way is there already. */
function writeSend(tx: Tx, { run, first, second, index }: CachedSend): void {
  tx.run(
    `INSERT OR IGNORE INTO recent_messages (recipient_key, is_marketing, text_key, planned_at, message_id)
     VALUES (?, ?, ?, ?, ?)`,
    first,
    run.isMarketing,
    second,
    run.plannedAt,
    run.firstId + index,
  );
}

// The texts that an account sent to a number lately, to be compared by the caller: the memory of sends has only their hashes.

/** What was sent lately and counts, as its text. */
export type SentText = {
  /** "" where it is kept no longer: its key is all that is known. */
  readonly text: string;
  readonly textKey: number;
};

/** Texts to a number that are looked at one by one, of each kind, in memory and in the table. */
const MAX_TEXTS = 100;

/** The texts that still count of an account's messages to a number, with planned times in a span: for a caller that compares them. */
export function* readTextsTo(
  tx: Tx,
  stages: Stages,
  { accountId, msisdn, ...span }: SendsSpan & { readonly accountId: number; readonly msisdn: string },
): Generator<SentText> {
  const hand = createSendCache(tx);
  const recipientKey = toRecipientKey(accountId, msisdn);
  const whose = { accountId, msisdn, counting: stages.counting() };
  for (const kind of KINDS) {
    for (const { run, index, second: textKey } of within(
      hand.withFirst(kind, recipientKey),
      span,
      MAX_TEXTS,
    )) {
      const found = tx.get<{ text: string }>(
        `SELECT coalesce(o.text, b.body) AS text FROM messages o JOIN batches b ON b.id = o.batch_id
         WHERE o.id = $messageId AND ${counts("$messageId")}`,
        { ...whose, messageId: run.firstId + index },
      );
      if (found) yield { ...found, textKey };
    }
    if (!hand.areOthers) continue;
    yield* tx.all<SentText>(
      `SELECT coalesce(o.text, b.body) AS text, s.text_key AS textKey
       FROM (SELECT text_key, message_id FROM recent_messages
             WHERE recipient_key = $recipientKey AND is_marketing = $kind AND planned_at >= $fromMs AND planned_at < $toMs
             LIMIT $most) s
       JOIN messages o ON o.id = s.message_id JOIN batches b ON b.id = o.batch_id WHERE ${counts("s.message_id")}`,
      { ...whose, ...span, recipientKey, kind, most: MAX_TEXTS },
    );
  }
}
