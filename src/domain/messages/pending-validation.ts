/**
 * Batches that are validated after their 202 (docs/behaviour.md#large-batches): their recipients, stored as they were submitted until
 * then, which batch is validated next, and how one ends that fails or is cancelled before.
 */

import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { type Phrase, written } from "../../i18n/phrase.ts";
import { type BatchEvent, recordEvent } from "../events/outbox.ts";
import { readFallback } from "./batch-fallback.ts";
import { readOtherTags } from "./batches.ts";
import type { NewBatch } from "./insert.ts";

/** Writes one piece of a batch's recipients, given as JSON; pieces count from 0. */
export function insertSubmitted(tx: Tx, batchId: number, piece: number, recipients: string): void {
  tx.run(
    "INSERT INTO submitted_recipients (batch_id, piece, recipients) VALUES (?, ?, ?)",
    batchId,
    piece,
    recipients,
  );
}

/** The recipients of one piece as they were written, or null after the last. */
export function submittedPiece(read: Reader, batchId: number, piece: number): unknown {
  const row = read.get<{ recipients: string }>(
    "SELECT recipients FROM submitted_recipients WHERE batch_id = ? AND piece = ?",
    batchId,
    piece,
  );
  return row ? JSON.parse(row.recipients) : null;
}

/** Drops up to `limit` pieces of a batch; how many. */
export function dropSubmitted(tx: Tx, batchId: number, limit: number): number {
  return tx.run(
    `DELETE FROM submitted_recipients WHERE batch_id = ?1 AND piece IN
       (SELECT piece FROM submitted_recipients WHERE batch_id = ?1 LIMIT ?2)`,
    batchId,
    limit,
  );
}

/** Batches that have been validated, or ended, and still have pieces; a look-up for each batch with pieces. */
export function batchesWithStalePieces(read: Reader): number[] {
  const stale: number[] = [];
  let id = 0;
  for (;;) {
    const next = read.get<{ id: number; status: string | null }>(
      `SELECT s.batch_id AS id, b.status FROM submitted_recipients s LEFT JOIN batches b ON b.id = s.batch_id
       WHERE s.batch_id > ? ORDER BY s.batch_id LIMIT 1`,
      id,
    );
    if (!next) return stale;
    id = next.id;
    if (next.status !== "STAGING" && next.status !== "VALIDATING") stale.push(id);
  }
}

/** A batch that waits to be validated. */
export type ValidatingBatch = NewBatch & { readonly id: number };

/** The first batch of some accounts that waits to be validated, in SQL. */
const firstOf = (accounts: string) =>
  `(SELECT id FROM batches WHERE status = 'VALIDATING' AND account_id ${accounts} ORDER BY account_id, id LIMIT 1)`;

/**
 * The batch to validate next, or null: accounts take turns in the order of their ids, and the turn comes after that of
 * `lastAccountId`; an account's own batches go in the order of submission. Those of sandboxes go after all that is live.
 */
export function nextValidating(read: Reader, lastAccountId: number): ValidatingBatch | null {
  type Row = Omit<ValidatingBatch, "isTest" | "fallback" | "otherTags">;
  const row = read.get<Row & { isTest: number; otherTags: string | null }>(
    `SELECT id, ulid, account_id AS accountId, sender, channel, message_class AS messageClass, body,
       is_test AS isTest, timezone, created_at AS createdAt, scheduled_at AS scheduledAt,
       expires_at AS expiresAt, charge_on AS chargeOn, coalesce(text_policy, 'as_is') AS textPolicy,
       coalesce(missing_attributes, 'empty') AS missingAttributes,
       client_reference AS clientReference, other_tags AS otherTags,
       (SELECT note FROM batch_channel_notes WHERE batch_id = id) AS channelNote
     FROM batches WHERE id = coalesce(${firstOf("> ?")}, ${firstOf("> 0")}, ${firstOf("< 0")})`,
    Math.max(0, lastAccountId),
  );
  if (!row) return null;
  const otherTags = readOtherTags(row.otherTags);
  return { ...row, isTest: row.isTest === 1, fallback: readFallback(read, row.id), otherTags };
}

/** What ending a batch goes by that waits to be validated. */
export type WaitingBatch = Pick<ValidatingBatch, "id" | "ulid" | "accountId" | "createdAt">;

/** The oldest batch that waits to be validated since before `beforeMs`, or null; the one in work is passed over. */
export function overdueValidating(
  read: Reader,
  beforeMs: number,
  inWork: number | null,
): WaitingBatch | null {
  return read.get<WaitingBatch>(
    `SELECT id, ulid, account_id AS accountId, created_at AS createdAt FROM batches
     WHERE status = 'VALIDATING' AND created_at < ? AND id IS NOT ?
     ORDER BY created_at, id LIMIT 1`,
    beforeMs,
    inWork,
  );
}

/** Lets a batch wait for its validation: it is there for its account from this commit on, its figures zero. */
export function openValidating(tx: Tx, batchId: number): void {
  tx.run("UPDATE batches SET status = 'VALIDATING' WHERE id = ? AND status = 'STAGING'", batchId);
}

/** Gives a batch the block of message ids that its accepted recipients are written under. */
export function placeMessages(tx: Tx, batchId: number, firstMessageId: number): void {
  tx.run("UPDATE batches SET first_message_id = ? WHERE id = ?", firstMessageId, batchId);
}

/** Ends a batch that could not be validated or paid; why is kept for its fetch and its event. */
export function failBatch(
  tx: Tx,
  batch: Pick<ValidatingBatch, "id" | "accountId">,
  failure: { readonly code: string; readonly detail: Phrase },
  nowMs: number,
): void {
  const isNew = tx.run(
    `UPDATE batches SET status = 'FAILED', failure_code = ?, failure_detail = ?, ended_at = ?
     WHERE id = ? AND status = 'VALIDATING'`,
    failure.code,
    written(failure.detail),
    nowMs,
    batch.id,
  );
  if (isNew) recordEvent(tx, eventOf("BATCH_FAILED", batch, nowMs));
}

/** Whether a batch was called off while it waited to be validated. */
export function isCalledOff(read: Reader, batchId: number): boolean {
  return read.get("SELECT 1 FROM batches WHERE id = ? AND cancel_reason IS NOT NULL", batchId) !== null;
}

/** Ends a batch that was called off before it was validated. */
export function cancelValidating(
  tx: Tx,
  batch: Pick<ValidatingBatch, "id" | "accountId">,
  nowMs: number,
): void {
  const isNew = tx.run(
    "UPDATE batches SET status = 'CANCELLED', ended_at = ? WHERE id = ? AND status = 'VALIDATING'",
    nowMs,
    batch.id,
  );
  if (isNew) recordEvent(tx, eventOf("BATCH_CANCELLED", batch, nowMs));
}

/** Tells what the validation of a batch came to, in the transaction that opens it. */
export function recordValidated(
  tx: Tx,
  batch: Pick<ValidatingBatch, "id" | "accountId">,
  isRejected: boolean,
  nowMs: number,
): void {
  recordEvent(tx, eventOf(isRejected ? "BATCH_REJECTED" : "BATCH_ACCEPTED", batch, nowMs));
}

function eventOf(type: BatchEvent, batch: Pick<ValidatingBatch, "id" | "accountId">, atMs: number) {
  return { type, accountId: batch.accountId, batchId: batch.id, atMs };
}
