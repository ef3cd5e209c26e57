/**
 * Sums of messages by operator and price, for statements and invoices. Sums of purged messages are kept, so that the figures
 * stay the same.
 */
import type { Xof } from "../../core/money.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { COST, EXCESS_RESERVATION, RELEASED, RESERVED } from "./message-money.ts";

/** Messages of one operator at one price: a line that a bookkeeper can check by hand. */
export type BillingLine = {
  readonly operator: string;
  /** Of one segment. */
  readonly price: Xof;
  readonly messages: number;
  readonly segments: number;
  /** What they cost whole. */
  readonly reserved: Xof;
  readonly charged: Xof;
  readonly released: Xof;
  /** Those of its segments that are neither charged nor given back yet. */
  readonly openSegments: number;
};

const LINE_SUMS = `count(*) AS messages, sum(m.segments) AS segments, sum(${RESERVED}) AS reserved,
  sum(m.amount) AS charged, sum(${RELEASED}) AS released,
  sum(m.segments * (1 - m.is_money_closed)) AS openSegments`;

/** The lines of messages `fromId` ≤ id < `toId`, which must be of one batch. */
export function billingLines(read: Reader, fromId: number, toId: number): BillingLine[] {
  return read.all<BillingLine>(
    `SELECT m.operator, m.price, ${LINE_SUMS} FROM messages m JOIN batches b ON b.id = m.batch_id
     WHERE m.id >= ? AND m.id < ? GROUP BY m.operator, m.price`,
    fromId,
    toId,
  );
}

/** A stretch of the time that batches are accepted in: `fromMs` ≤ accepted < `toMs`. */
export type AcceptedIn = { readonly fromMs: number; readonly toMs: number };

export type ClassLine = BillingLine & { readonly messageClass: string };

/** Where a batch stands in the order of acceptance. */
export type BatchPlace = Pick<BilledBatch, "createdAtMs" | "id">;

/** The lines of the messages of all batches of an account from one to another, both with them, in the order of acceptance. */
export function linesOfBatches(
  read: Reader,
  accountId: number,
  oldest: BatchPlace,
  newest: BatchPlace,
): ClassLine[] {
  return read.all<ClassLine>(
    `SELECT b.message_class AS messageClass, m.operator, m.price, ${LINE_SUMS}
     FROM batches b CROSS JOIN messages m
       ON m.id >= b.first_message_id AND m.id < b.first_message_id + b.accepted
     WHERE b.account_id = ? AND (b.created_at, b.id) >= (?, ?) AND (b.created_at, b.id) <= (?, ?)
       AND b.status <> 'STAGING'
     GROUP BY 1, 2, 3`,
    accountId,
    oldest.createdAtMs,
    oldest.id,
    newest.createdAtMs,
    newest.id,
  );
}

/** Adds lines of the same operator and price up; the order is operator, then price. */
export function addLines(lines: readonly BillingLine[]): BillingLine[] {
  const sums = new Map<string, BillingLine>();
  for (const line of lines) {
    const key = `${line.operator} ${line.price}`;
    const known = sums.get(key);
    sums.set(key, known ? added(known, line) : line);
  }
  return [...sums.values()].sort((a, b) => a.operator.localeCompare(b.operator) || a.price - b.price);
}

function added(one: BillingLine, other: BillingLine): BillingLine {
  return {
    operator: one.operator,
    price: one.price,
    messages: one.messages + other.messages,
    segments: one.segments + other.segments,
    reserved: one.reserved + other.reserved,
    charged: one.charged + other.charged,
    released: one.released + other.released,
    openSegments: one.openSegments + other.openSegments,
  };
}

/** A batch with what its account owes for it. */
export type BilledBatch = {
  readonly id: number;
  readonly ulid: string;
  readonly createdAtMs: number;
  readonly sender: string;
  readonly messageClass: string;
  readonly status: string;
  readonly firstMessageId: number;
  readonly messages: number;
  readonly segments: number;
  readonly reserved: Xof;
  readonly charged: Xof;
  readonly released: Xof;
};

const COLUMNS = `id, ulid, created_at AS createdAtMs, sender, message_class AS messageClass, status,
  first_message_id AS firstMessageId, accepted AS messages, total_segments AS segments,
  reserved_amount AS reserved, charged_amount AS charged, released_amount AS released`;

/** One batch of an account as it is billed; null when it is missing or another account's. */
export function billedBatch(read: Reader, accountId: number, ulid: string): BilledBatch | null {
  return read.get<BilledBatch>(
    `SELECT ${COLUMNS} FROM batches WHERE ulid = ? AND account_id = ? AND status <> 'STAGING'`,
    ulid,
    accountId,
  );
}

/** Up to `limit` batches of an account that were accepted from `fromMs` on and stand before a place, newest first. */
export function billedBatches(
  read: Reader,
  accountId: number,
  fromMs: number,
  before: BatchPlace,
  limit: number,
): BilledBatch[] {
  return read.all<BilledBatch>(
    `SELECT ${COLUMNS} FROM batches
     WHERE account_id = ? AND created_at >= ? AND (created_at, id) < (?, ?) AND status <> 'STAGING'
     ORDER BY created_at DESC, id DESC LIMIT ?`,
    accountId,
    fromMs,
    before.createdAtMs,
    before.id,
    limit,
  );
}

// Sums of purged messages. Statements, invoices and the proof of the books add them to the messages that are still there, so that they stay
// exactly the same (docs/behaviour.md#10-retention).

/** Of a row `m` of lines. */
const PURGED_RESERVED = `${COST} + m.excess_amount`;
/** Every message that is purged has its money closed: what it did not cost was released. */
const PURGED_RELEASED = `${PURGED_RESERVED} - m.charged`;

/** The lines of the messages of a batch that are gone. */
export function purgedLines(read: Reader, batchId: number): BillingLine[] {
  return read.all<BillingLine>(
    `SELECT m.operator, m.price, m.messages, m.segments, ${PURGED_RESERVED} AS reserved, m.charged, ${PURGED_RELEASED} AS released,
       0 AS openSegments
     FROM purged_lines m WHERE m.batch_id = ?`,
    batchId,
  );
}

/** The lines of what is gone of all batches of an account from one to another, both with them, in the order of acceptance. */
export function purgedLinesOfBatches(
  read: Reader,
  accountId: number,
  oldest: BatchPlace,
  newest: BatchPlace,
): ClassLine[] {
  return read.all<ClassLine>(
    `SELECT b.message_class AS messageClass, m.operator, m.price, sum(m.messages) AS messages, sum(m.segments) AS segments,
       sum(${PURGED_RESERVED}) AS reserved, sum(m.charged) AS charged, sum(${PURGED_RELEASED}) AS released,
       0 AS openSegments
     FROM batches b CROSS JOIN purged_lines m ON m.batch_id = b.id
     WHERE b.account_id = ? AND (b.created_at, b.id) >= (?, ?) AND (b.created_at, b.id) <= (?, ?)
       AND b.status <> 'STAGING'
     GROUP BY 1, 2, 3`,
    accountId,
    oldest.createdAtMs,
    oldest.id,
    newest.createdAtMs,
    newest.id,
  );
}

/** Sums to add to those of messages in one statement, of the batch `b` of an outer one: segments, cost, charged, released, messages. */
export const PURGED_OF_BATCH = `SELECT m.segments, ${PURGED_RESERVED}, m.charged, ${PURGED_RELEASED}, m.messages
  FROM purged_lines m WHERE m.batch_id = b.id`;

/** Adds messages that are about to be purged, by their ids as a JSON list, to what is kept of their batches. */
export function recordPurgedLines(tx: Tx, messageIds: string): void {
  tx.run(
    `INSERT INTO purged_lines (batch_id, operator, price, messages, segments, charged, excess_amount)
     SELECT m.batch_id, m.operator, m.price, count(*), sum(m.segments), sum(m.amount), sum(${EXCESS_RESERVATION})
     FROM messages m JOIN batches b ON b.id = m.batch_id
     WHERE m.id IN (SELECT value FROM json_each(?)) GROUP BY 1, 2, 3
     ON CONFLICT (batch_id, operator, price) DO UPDATE SET messages = messages + excluded.messages,
       segments = segments + excluded.segments, charged = charged + excluded.charged,
       excess_amount = excess_amount + excluded.excess_amount`,
    messageIds,
  );
}
