/**
 * Reads the messages of one batch for those who follow or report it: in order of submission, what changed after a feed stamp, failures
 * by cause, and failures that may pass at another try. It only reads.
 */
import type { Xof } from "../../core/money.ts";
import type { Reader } from "../../db/reader.ts";
import { isPassing, type MessageErrorCode } from "./message-status.ts";

/** A message of a batch, for whoever follows it from its acceptance on. */
export type BatchMessage = {
  readonly id: number;
  readonly ulid: string;
  readonly position: number;
  readonly msisdn: string;
  readonly stampUs: number;
};

/** The messages of an open batch in order: their ids follow one another, from the first that it was given. */
export function messagesOfBatch(read: Reader, batchId: number): BatchMessage[] {
  return read.all<BatchMessage>(
    `SELECT m.id, m.ulid, m.position, m.msisdn, coalesce(m.stamp_us, b.queued_stamp_us) AS stampUs
     FROM batches b JOIN messages m ON m.id >= b.first_message_id AND m.id < b.first_message_id + b.accepted
     WHERE b.id = ? AND m.batch_id = b.id ORDER BY m.id`,
    batchId,
  );
}

/** The first stamp of the feed at which a message of an open batch stands, which has some. */
export function readFirstStamp(read: Reader, batchId: number): number {
  const first = read.get<{ stampUs: number | null }>(
    `SELECT coalesce(b.queued_stamp_us, (SELECT min(m.stamp_us) FROM messages m
       WHERE m.id >= b.first_message_id AND m.id < b.first_message_id + b.accepted)) AS stampUs
     FROM batches b WHERE b.id = ?`,
    batchId,
  );
  return first?.stampUs ?? 0;
}

/** What became of a message since the feed of its account was last read. */
export type MessageChange = {
  readonly id: number;
  readonly stampUs: number;
  readonly status: string;
  readonly isFinal: number;
  readonly errorCode: string | null;
  readonly operatorCode: string | null;
  readonly operator: string;
};

/** The next changes of an account above a stamp, in the order of the feed. */
export function changesAfter(
  read: Reader,
  accountId: number,
  afterUs: number,
  most: number,
): MessageChange[] {
  return read.all<MessageChange>(
    `SELECT id, stamp_us AS stampUs, status, is_final AS isFinal, error_code AS errorCode,
       operator_code AS operatorCode, operator
     FROM messages WHERE account_id = ? AND stamp_us > ? ORDER BY stamp_us LIMIT ?`,
    accountId,
    afterUs,
    most,
  );
}

/** A message as the feed shows it now; null where it is gone. */
export function readChange(read: Reader, messageId: number): MessageChange | null {
  return read.get<MessageChange>(
    `SELECT id, stamp_us AS stampUs, status, is_final AS isFinal, error_code AS errorCode,
       operator_code AS operatorCode, operator
     FROM messages WHERE id = ?`,
    messageId,
  );
}

/** The text of a message; null where it is gone. */
export function readText(read: Reader, messageId: number): string | null {
  const row = read.get<{ text: string | null }>(
    "SELECT coalesce(m.text, b.body) AS text FROM messages m JOIN batches b ON b.id = m.batch_id WHERE m.id = ?",
    messageId,
  );
  return row?.text ?? null;
}

/** Under which ids the operator accepted the segments of a message, in their order. */
export function readRemoteIds(read: Reader, messageId: number): string[] {
  return read
    .all<{ id: string | null }>(
      "SELECT smsc_id AS id FROM parts WHERE message_id = ? ORDER BY part",
      messageId,
    )
    .map(({ id }) => id ?? "");
}

/** What one message of a batch came to, as reports add it up. */
type MessageOutcome = {
  readonly operator: string;
  readonly status: string;
  readonly error: string | null;
  readonly segments: number;
  readonly amount: Xof;
  readonly submittedAtMs: number | null;
  readonly deliveredAtMs: number | null;
};

/** Rows that are looked at in one go. */
const STEP = 1000;

/** The messages of a batch in order, a step at a time: somebody else may have a turn between two. */
export function* readOutcomes(
  read: Reader,
  batch: { readonly id: number; readonly firstMessageId: number; readonly messages: number },
): Generator<readonly MessageOutcome[]> {
  const end = batch.firstMessageId + batch.messages;
  for (let from = batch.firstMessageId; from < end; from += STEP) {
    yield read.all<MessageOutcome>(
      `SELECT operator, status, error_code AS error, segments, amount, submitted_at AS submittedAtMs,
         delivered_at AS deliveredAtMs
       FROM messages WHERE id >= ? AND id < ? AND batch_id = ? ORDER BY id`,
      from,
      Math.min(end, from + STEP),
      batch.id,
    );
  }
}

// Why messages of a batch failed, by cause, and what they cost all the same.

export type FailureSum = {
  readonly code: string;
  readonly messages: number;
  readonly amount: Xof;
  /** How many of them each operator had. */
  readonly operators: ReadonlyMap<string, number>;
};

type Row = Pick<FailureSum, "code" | "messages" | "amount"> & { readonly operator: string };

/** Messages added up in one go. */
const FAILURES_STEP = 5000;

/** Adds up stretch by stretch, and yields between two: somebody else may have a turn. The largest first, when it is done. */
export function* failureSums(
  read: Reader,
  batch: { readonly id: number; readonly firstMessageId: number; readonly messages: number },
): Generator<undefined, readonly FailureSum[]> {
  const end = batch.firstMessageId + batch.messages;
  const sums = new Map<string, FailureSum>();
  for (let from = batch.firstMessageId; from < end; from += FAILURES_STEP) {
    const rows = read.all<Row>(
      `SELECT coalesce(error_code, '') AS code, operator, count(*) AS messages, sum(amount) AS amount FROM messages
       WHERE id >= ? AND id < ? AND batch_id = ? AND status = 'FAILED' GROUP BY error_code, operator`,
      from,
      Math.min(end, from + FAILURES_STEP),
      batch.id,
    );
    for (const { code, operator, messages, amount } of rows) {
      const known = sums.get(code) ?? { code, messages: 0, amount: 0, operators: new Map<string, number>() };
      const here = (known.operators.get(operator) ?? 0) + messages;
      const operators = new Map([...known.operators, [operator, here]]);
      sums.set(code, { code, messages: known.messages + messages, amount: known.amount + amount, operators });
    }
    yield;
  }
  return [...sums.values()].sort((a, b) => b.messages - a.messages);
}

/** A message that failed for a reason that passes, with the text that it had. */
export type FailedMessage = {
  readonly msisdn: string;
  readonly text: string;
  /** What the client calls the recipient. */
  readonly reference: string | null;
};

/**
 * The messages of a batch that another try may deliver, in order, a step at a time: somebody else may have a turn between two.
 * `isRegistered`: whether an operator knows the sender of the batch now.
 */
export function* readTransientFailures(
  read: Reader,
  batch: { readonly id: number; readonly firstMessageId: number; readonly messages: number },
  isRegistered: (operator: string) => boolean,
): Generator<readonly FailedMessage[]> {
  const end = batch.firstMessageId + batch.messages;
  for (let from = batch.firstMessageId; from < end; from += STEP) {
    const rows = read.all<FailedMessage & { readonly errorCode: string | null; readonly operator: string }>(
      `SELECT m.operator, m.msisdn, coalesce(m.text, b.body) AS text, r.client_reference AS reference, m.error_code AS errorCode
       FROM messages m JOIN batches b ON b.id = m.batch_id LEFT JOIN message_references r ON r.message_id = m.id
       WHERE m.id >= ? AND m.id < ? AND m.batch_id = ? AND m.status = 'FAILED' ORDER BY m.id`,
      from,
      Math.min(end, from + STEP),
      batch.id,
    );
    yield rows.filter(({ errorCode, operator }) => mayPass(errorCode ?? "", operator, isRegistered));
  }
}

/** Whether another try may deliver a text that failed so: also one whose sender was registered with the operator since. */
export function mayPass(
  code: string,
  operator: string,
  isRegistered: (operator: string) => boolean,
): boolean {
  return isPassing(code) || (code === UNREGISTERED && isRegistered(operator));
}

const UNREGISTERED = "SENDER_NOT_REGISTERED" satisfies MessageErrorCode;
