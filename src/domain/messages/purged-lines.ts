/**
 * What messages that are gone came to. Statements, invoices and the proof of the books add it to the messages that are still there, so
 * that they stay the same to the letter (docs/behaviour.md#10-retention).
 */
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import type { BatchPlace, BillingLine, ClassLine } from "./billing.ts";
import { EXCESS_RESERVATION, COST } from "./money-position.ts";

/** Of a row `m` of lines. */
const PURGED_RESERVED = `${COST} + m.beyond_amount`;
/** Every message that is purged is squared: what it did not cost was released. */
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

/** Sums to be added to those of messages in one statement, of the batch `b` of a surrounding one: segments, cost, charged, released, messages. */
export const PURGED_OF_BATCH = `SELECT m.segments, ${PURGED_RESERVED}, m.charged, ${PURGED_RELEASED}, m.messages
  FROM purged_lines m WHERE m.batch_id = b.id`;

/** Adds messages that are about to be purged, by their ids as a JSON list, to what is kept of their batches. */
export function recordPurgedLines(tx: Tx, messageIds: string): void {
  tx.run(
    `INSERT INTO purged_lines (batch_id, operator, price, messages, segments, charged, beyond_amount)
     SELECT m.batch_id, m.operator, m.price, count(*), sum(m.segments), sum(m.amount), sum(${EXCESS_RESERVATION})
     FROM messages m JOIN batches b ON b.id = m.batch_id
     WHERE m.id IN (SELECT value FROM json_each(?)) GROUP BY 1, 2, 3
     ON CONFLICT (batch_id, operator, price) DO UPDATE SET messages = messages + excluded.messages,
       segments = segments + excluded.segments, charged = charged + excluded.charged,
       beyond_amount = beyond_amount + excluded.beyond_amount`,
    messageIds,
  );
}
