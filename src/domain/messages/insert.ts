/**
 * Writes an accepted batch: its row, its messages and its rejected recipients. A small batch is written and opened in one transaction;
 * of a large one the rows are staged in steps and the batch is opened, or dropped, in the last
 * (docs/behaviour.md#nothing-half-accepted).
 *
 * Main types: `NewBatch`, `NewMessage` and `NewRejection` are what the submission decided, `Opening` what the batch is opened with, and
 * `MessageIds` hands out consecutive row ids, so that a batch's messages stand side by side. This file decides nothing about recipients
 * and moves no money: `domain/submission` does the one, `domain/ledger` the other.
 */
import { assert } from "../../core/assert.ts";
import type { Channel } from "../../core/channels.ts";
import { hashKey } from "../../core/ids.ts";
import type { ChargeOn, Xof } from "../../core/money.ts";
import { isSandbox, isSandboxOperator } from "../../core/sandbox.ts";
import { PLAIN_TEXT_RULES, type TextRules } from "../../core/text-rules.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { deleteFallback, type Fallback, insertFallback } from "./batch-fallback.ts";
import { type BatchStatus, IS_NOT_OPEN } from "./batch-status.ts";
import { type MessageEncoding, toStoredEncoding } from "./encodings.ts";
import { type Fact, traceFact } from "./facts.ts";
import { deleteLegs, type FallbackLeg, insertInactiveLeg } from "./fallback-legs.ts";
import { deleteSends, toRecipientKey } from "./recent-messages.ts";
import { decide, type MessageState } from "./transitions.ts";

/** The largest batch (docs/public-api.md section 8). */
export const MAX_RECIPIENTS = 100_000;

/** A batch as it is first written, without what its recipients come to. Times are epoch milliseconds. */
export type NewBatch = {
  readonly ulid: string;
  readonly accountId: number;
  readonly sender: string;
  readonly channel: Channel;
  readonly messageClass: "OTP" | "TRANSACTIONAL" | "MARKETING";
  readonly body: string;
  readonly isTest: boolean;
  readonly timezone: string;
  readonly createdAt: number;
  readonly scheduledAt: number | null;
  readonly expiresAt: number;
  readonly chargeOn: ChargeOn;
  /** What its client calls it. */
  readonly clientReference: string | null;
  /** What its channel stores with it, in a format that only the channel reads; null for nothing. */
  readonly channelNote: string | null;
  /** The fallback of its messages; null for none. */
  readonly fallback: Fallback | null;
  /** Texts in its braces that are tags although they are no plain names. */
  readonly otherTags: readonly string[];
} & TextRules;

/** What the recipients of a batch came to. */
export type BatchSums = {
  readonly accepted: number;
  readonly rejected: number;
  readonly segments: number;
  /** Of all accepted messages. */
  readonly amount: Xof;
};

export type NewMessage = {
  readonly ulid: string;
  readonly position: number;
  readonly msisdn: string;
  readonly operator: string;
  readonly encoding: MessageEncoding;
  readonly segments: number;
  /** Of one segment. */
  readonly price: Xof;
  /** Null: the batch's body without change. */
  readonly text: string | null;
  /** What its client calls the recipient. */
  readonly clientReference: string | null;
  /** Its fallback; null for none. */
  readonly second: FallbackLeg | null;
  /** By how much its reservation exceeds the cost of this leg. */
  readonly excess: Xof;
};

export type NewRejection = {
  readonly position: number;
  readonly msisdn: string | null;
  readonly reason: string;
  readonly clientReference: string | null;
};

/** How a batch is opened: with its figures, and for a staged one the first feed stamp of its messages. */
export type Opening = {
  readonly status: BatchStatus;
  readonly sums: BatchSums;
  /** Warnings for its client about tags, in JSON. */
  readonly warnings: readonly unknown[];
  readonly queuedStampUs: number | null;
  readonly endedAt: number | null;
};

/** What is claimed of a batch by the transaction that opens it: how many messages, and since when they await receipts. */
export type OpeningClaims = { readonly submitted: number; readonly awaitingSince: number | null };

const NONE_CLAIMED: OpeningClaims = { submitted: 0, awaitingSince: null };

const NOT_OPEN: Opening = {
  status: "STAGING",
  sums: { accepted: 0, rejected: 0, segments: 0, amount: 0 },
  warnings: [],
  queuedStampUs: null,
  endedAt: null,
};

/** Writes a batch row; its id. One that is written without its opening is not open yet: `openBatch` follows later. */
export function insertBatch(
  tx: Tx,
  batch: NewBatch,
  firstMessageId: number,
  opening: Opening & Partial<OpeningClaims> = NOT_OPEN,
): number {
  const { sums, warnings, ...state } = opening;
  const id = tx.insert(
    `INSERT INTO batches (ulid, account_id, status, sender, channel, message_class, body, is_test, timezone,
       created_at, scheduled_at, expires_at, charge_on, first_message_id, accepted, rejected, total_segments,
       queued, submitted, unfinished, unclosed, reserved_amount, queued_stamp_us, ended_at, awaiting_since,
       text_policy, missing_attributes, warnings, client_reference, other_tags)
     VALUES ($ulid, $accountId, $status, $sender, $channel, $messageClass, $body, $isTest, $timezone,
       $createdAt, $scheduledAt, $expiresAt, $chargeOn, $firstMessageId, $accepted, $rejected, $segments,
       $accepted, $submitted, $accepted, $accepted, $amount, $queuedStampUs, $endedAt, $awaitingSince,
       $textPolicy, $missingAttributes, $warnings, $clientReference, $otherTags)`,
    {
      ...batch,
      fallback: null,
      ...NONE_CLAIMED,
      ...state,
      ...sums,
      firstMessageId,
      textPolicy: unlessPlain("textPolicy", batch),
      missingAttributes: unlessPlain("missingAttributes", batch),
      warnings: listText(warnings),
      otherTags: listText(batch.otherTags),
    },
  );
  insertChannelNote(tx, id, batch.channelNote);
  insertFallback(tx, id, batch.fallback);
  return id;
}

/** Notes that a batch came over SMPP. */
export function markAsSmpp(tx: Tx, batchId: number): void {
  tx.run("UPDATE batches SET is_smpp = 1 WHERE id = ?", batchId);
}

/** What is stored of a rule: nothing where it is the default. */
function unlessPlain(rule: keyof TextRules, rules: TextRules): string | null {
  return rules[rule] === PLAIN_TEXT_RULES[rule] ? null : rules[rule];
}

function listText(items: readonly unknown[]): string | null {
  return items.length === 0 ? null : JSON.stringify(items);
}

/** Opens a batch: it and its messages are there for everybody from this commit on. */
export function openBatch(tx: Tx, batchId: number, { sums, warnings, ...state }: Opening): void {
  tx.run(
    `UPDATE batches SET status = $status, accepted = $accepted, rejected = $rejected, total_segments = $segments,
       queued = $accepted, unfinished = $accepted, unclosed = $accepted, reserved_amount = $amount,
       queued_stamp_us = $queuedStampUs, ended_at = $endedAt, warnings = $warnings
     WHERE id = $batchId`,
    { batchId, ...state, ...sums, warnings: listText(warnings) },
  );
}

/**
 * Where a run of messages goes. `stampUs` gives the feed stamp of each, or null for those of a staged batch; `claims` which of them
 * are claimed as they are written.
 */
export type MessageRun = {
  readonly batchId: number;
  readonly accountId: number;
  /** The row id of the first of `messages`; the others follow. */
  readonly firstId: number;
  readonly notBefore: number;
  readonly createdAt: number;
  readonly stampUs: (() => number) | null;
  readonly claims?: FirstClaims | null;
};

/** Writes accepted messages as rows with consecutive ids, QUEUED but for those that are claimed. */
export function insertMessages(tx: Tx, run: MessageRun, messages: readonly NewMessage[]): void {
  const { accountId, batchId, notBefore, createdAt, claims = null } = run;
  for (const [index, message] of messages.entries()) {
    assert(
      isSandboxOperator(message.operator) === isSandbox(accountId),
      "what a sandbox sends waits in its own lanes",
    );
    const id = run.firstId + index;
    const stampUs = run.stampUs ? run.stampUs() : null;
    tx.run(
      `INSERT INTO messages (id, ulid, account_id, batch_id, position, msisdn, operator, status, encoding,
         segments, price, text, not_before, attempts, stamp_us, created_at, submitted_at, unmatched_before)
       VALUES ($id, $ulid, $accountId, $batchId, $position, $msisdn, $operator, $status, $encoding,
         $segments, $price, $text, $notBefore, $attempts, $stampUs, $createdAt, $submittedAt, $unmatchedBefore)`,
      {
        ...message,
        second: null,
        ...firstStateOf(tx, claims, id, { ...message, notBefore }),
        encoding: toStoredEncoding(message.encoding),
        id,
        accountId,
        batchId,
        notBefore,
        createdAt,
        stampUs,
      },
    );
    if (message.second !== null) insertInactiveLeg(tx, id, batchId, message.second, message.excess);
  }
  insertReferences(tx, run, messages);
}

export function insertRejections(tx: Tx, batchId: number, rejections: readonly NewRejection[]): void {
  for (const rejection of rejections) {
    tx.run(
      `INSERT INTO rejections (batch_id, position, msisdn, reason, client_reference)
       VALUES ($batchId, $position, $msisdn, $reason, $clientReference)`,
      { ...rejection, batchId },
    );
  }
}

type StagedMessage = {
  readonly id: number;
  readonly accountId: number;
  readonly msisdn: string;
  readonly plannedAt: number;
  readonly text: string;
  readonly isMarketing: number;
};

/**
 * Takes back up to `limit` staged messages and rejections of a batch, how many rows in all. Of one that is open, or
 * ended otherwise than by failing, nothing is taken.
 */
export function dropStaged(tx: Tx, batchId: number, limit: number): number {
  if (!tx.get(`SELECT 1 FROM batches WHERE id = ? AND ${IS_NOT_OPEN}`, batchId)) return 0;
  const messages = tx.all<StagedMessage>(
    `SELECT m.id, m.account_id AS accountId, m.msisdn, m.not_before AS plannedAt, coalesce(m.text, b.body) AS text,
       b.message_class = 'MARKETING' AS isMarketing
     FROM messages m JOIN batches b ON b.id = m.batch_id WHERE m.batch_id = ? AND m.stamp_us IS NULL
     ORDER BY m.id LIMIT ?`,
    batchId,
    limit,
  );
  // With them goes what the guards remember: their ids may be given to messages of another batch.
  const sends = messages.map(({ id: messageId, accountId, msisdn, text, plannedAt, isMarketing }) => {
    const recipientKey = toRecipientKey(accountId, msisdn);
    return { messageId, recipientKey, textKey: hashKey(text), plannedAt, isMarketing };
  });
  deleteSends(tx, sends);
  const ids = JSON.stringify(messages.map(({ id }) => id));
  deleteMessageReferences(tx, ids);
  deleteLegs(tx, ids);
  for (const { id } of messages) tx.run("DELETE FROM messages WHERE id = ?", id);
  const rejections = tx.run(
    `DELETE FROM rejections WHERE batch_id = ?1 AND position IN
       (SELECT position FROM rejections WHERE batch_id = ?1 LIMIT ?2)`,
    batchId,
    limit,
  );
  return messages.length + rejections;
}

/** Removes a batch that was never answered for; its rows are gone already. */
export function removeBatch(tx: Tx, batchId: number): void {
  const removed = tx.run(
    `DELETE FROM batches WHERE id = ?1 AND status = 'STAGING'
       AND NOT EXISTS (SELECT 1 FROM messages WHERE batch_id = ?1 AND stamp_us IS NULL)`,
    batchId,
  );
  assert(removed === 1, `batch ${batchId} was never opened and has no message left`);
  deleteChannelNote(tx, batchId);
  deleteFallback(tx, batchId);
}

/** The batches that nobody was answered for yet: they are being staged, or were when something failed. */
export function stagedBatches(read: Reader): number[] {
  return read.all<{ id: number }>("SELECT id FROM batches WHERE status = 'STAGING'").map(({ id }) => id);
}

/** Hands out blocks of message ids, so that those of a batch are consecutive however its rows are written. */
export type MessageIds = { readonly take: (count: number) => number };

/** Batches whose ids are looked at beside those of messages; blocks are given out in nearly the order of batches. */
const NEWEST_BATCHES = 1000;

/**
 * Continues above every id that a message has, and above those that the newest batches were given, should their messages
 * be gone. It costs the same however many there are.
 */
export function messageIds(read: Reader): MessageIds {
  const highest = read.get<{ batches: number | null; messages: number | null }>(
    `SELECT (SELECT max(first_message_id + accepted) FROM batches WHERE id > (SELECT max(id) FROM batches) - ?) AS batches,
            (SELECT max(id) + 1 FROM messages) AS messages`,
    NEWEST_BATCHES,
  );
  let next = Math.max(1, highest?.batches ?? 1, highest?.messages ?? 1);
  return {
    take: (count) => {
      const first = next;
      next += count;
      return first;
    },
  };
}

// What a channel stores with a batch, in a format that only it reads. A batch of a channel that stores nothing has no row.

function insertChannelNote(tx: Tx, batchId: number, note: string | null): void {
  if (note !== null) tx.run("INSERT INTO batch_channel_notes (batch_id, note) VALUES (?, ?)", batchId, note);
}

/** What the channel of a batch stores with it, or null. */
export function channelNote(read: Reader, batchId: number): string | null {
  const sql = "SELECT note FROM batch_channel_notes WHERE batch_id = ?";
  return read.get<{ note: string }>(sql, batchId)?.note ?? null;
}

function deleteChannelNote(tx: Tx, batchId: number): void {
  tx.run("DELETE FROM batch_channel_notes WHERE batch_id = ?", batchId);
}

// What clients call their recipients: a row for each message that has a name, and nothing for the others.

/** The name of the message `m` in SQL, NULL where it has none. */
export const CLIENT_REFERENCE =
  "(SELECT r.client_reference FROM message_references r WHERE r.message_id = m.id)";

/** Notes the names of messages that follow each other from `firstId` on, in one go. */
function insertReferences(
  tx: Tx,
  { accountId, firstId }: { readonly accountId: number; readonly firstId: number },
  messages: readonly { readonly clientReference: string | null }[],
): void {
  const named = messages.flatMap(({ clientReference }, index) =>
    clientReference === null ? [] : [[firstId + index, clientReference]],
  );
  if (named.length === 0) return;
  tx.run(
    `INSERT INTO message_references (message_id, account_id, client_reference)
     SELECT value ->> 0, ?, value ->> 1 FROM json_each(?)`,
    accountId,
    JSON.stringify(named),
  );
}

/** Forgets the names of messages, by their ids as a JSON list. */
export function deleteMessageReferences(tx: Tx, messageIds: string): void {
  tx.run("DELETE FROM message_references WHERE message_id IN (SELECT value FROM json_each(?))", messageIds);
}

// Messages that are claimed by the transaction that accepts them, because they can leave at once: the fact is applied to what is
// about to be written, so that nothing is written twice. Everybody else sees them as if the claim had come right behind.

/** Which of the messages that are being accepted are claimed, by their row ids, and by what. */
export type FirstClaims = {
  readonly chargeOn: ChargeOn;
  readonly nowMs: number;
  /** The highest number of an unmatched receipt when a slot was found for a message. */
  readonly unmatchedBefore: ReadonlyMap<number, number>;
};

/** What a row of a new message begins with. */
type FirstState = Pick<MessageState, "status" | "attempts" | "submittedAt"> & {
  readonly unmatchedBefore: number | null;
};

const QUEUED: FirstState = { status: "QUEUED", attempts: 0, submittedAt: null, unmatchedBefore: null };

/** What the row of a message is written as that is accepted in this transaction. */
function firstStateOf(
  tx: Tx,
  claims: FirstClaims | null,
  messageId: number,
  message: Pick<MessageState, "segments" | "price" | "notBefore">,
): FirstState {
  const unmatchedBefore = claims?.unmatchedBefore.get(messageId);
  if (!claims || unmatchedBefore === undefined) return QUEUED;
  const fact: Fact = { kind: "claimed", messageId, unmatchedBefore };
  const { chargeOn, nowMs } = claims;
  const { after } = decide({ ...UNTOUCHED, ...message }, [], fact, { chargeOn, cancelReason: null }, nowMs);
  if (tx.steps) traceFact(tx, tx.steps, fact, UNTOUCHED.status, after.status);
  const { status, attempts, submittedAt } = after;
  return { status, attempts, submittedAt, unmatchedBefore };
}

/** A message to which nothing has happened. */
const UNTOUCHED: Omit<MessageState, "segments" | "price" | "notBefore"> = {
  status: "QUEUED",
  routesTried: 0,
  isFinal: false,
  isMoneyClosed: false,
  amount: 0,
  excess: 0,
  attempts: 0,
  resends: 0,
  unansweredAt: null,
  unansweredUntil: null,
  errorCode: null,
  operatorCode: null,
  submittedAt: null,
  sentAt: null,
  deliveredAt: null,
  finalizedAt: null,
};
