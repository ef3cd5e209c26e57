/**
 * What a restore from a backup holds back: every message that was not at its end when the copy was made may have left since, by any
 * operator that it may be handed to (docs/administration.md#after-a-restore). It is held by message and operator, wherever the message
 * stands, until somebody decides about its class and that operator.
 */

import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { LEG_EXPIRES_AT } from "./batch-fallback.ts";
import { IS_NOT_OPEN } from "./batch-status.ts";
import type { Status } from "./message-status.ts";
import { dropAllAwaitedSeconds } from "./second-sms.ts";
import { readNote } from "./trace.ts";

/** A restore. Times are epoch milliseconds. */
export type Restore = {
  readonly restoredAtMs: number;
  readonly file: string;
  /** The moment that the backup holds. */
  readonly madeAtMs: number;
  /** The highest number of an unmatched receipt in the copy. */
  readonly unmatchedBefore: number;
  /** The highest number that a note had in the copy. */
  readonly notesBefore: number;
  /** The highest number that a batch had in the copy. */
  readonly lastBatchId: number;
  /** Since when submissions are taken again; null while none are. */
  readonly resumedAtMs: number | null;
};

/** What was decided about messages that may have left. */
export type RestoreDecision = "hold" | "policy" | "send" | "give-up";

/** The newest restore, remembered; null where there never was one. */
export function lastRestore(read: Reader): Restore | null {
  return read.known<Restore>(
    `SELECT restored_at AS restoredAtMs, file, made_at AS madeAtMs, unmatched_before AS unmatchedBefore,
       notes_before AS notesBefore, last_batch_id AS lastBatchId, resumed_at AS resumedAtMs
     FROM restores ORDER BY id DESC LIMIT 1`,
  );
}

/** Whether nothing is accepted or sent, because it is not decided yet what becomes of what waits. */
export function isRestoring(read: Reader): boolean {
  const restore = lastRestore(read);
  return restore !== null && restore.resumedAtMs === null;
}

/**
 * Notes a restore and holds every message that is not at its end by each operator that may carry it, and every batch that is not
 * validated. Not those of sandboxes: nothing of them can have left.
 */
export function holdAllMessages(
  tx: Tx,
  restore: Pick<Restore, "restoredAtMs" | "file" | "madeAtMs" | "unmatchedBefore">,
): void {
  tx.insert(
    `INSERT INTO restores (restored_at, file, made_at, unmatched_before, notes_before, last_batch_id)
     VALUES ($restoredAtMs, $file, $madeAtMs, $unmatchedBefore, (SELECT coalesce(max(id), 0) FROM message_notes),
       (SELECT coalesce(max(id), 0) FROM batches))`,
    restore,
  );
  dropAllAwaitedSeconds(tx);
  // What was decided after an earlier restore says nothing of what this copy holds.
  tx.run("DELETE FROM restore_decisions");
  tx.run("DELETE FROM held_messages");
  tx.run("DELETE FROM held_batches");
  const batches = tx.all<{ id: number }>(
    `SELECT id FROM batches WHERE unfinished > 0 AND account_id > 0 AND NOT ${IS_NOT_OPEN}`,
  );
  for (const { id } of batches) holdMessages(tx, id);
  tx.run(
    "INSERT INTO held_batches (batch_id) SELECT id FROM batches WHERE status = 'VALIDATING' AND account_id > 0",
  );
}

/** Holds the messages of a batch that are not at their end, by the operator that they are with and by that of their other leg. */
function holdMessages(tx: Tx, batchId: number): void {
  tx.run(
    `INSERT OR IGNORE INTO held_messages (message_id, operator, batch_id)
     SELECT m.id, m.operator, m.batch_id FROM batches b JOIN messages m
       ON m.id >= b.first_message_id AND m.id < b.first_message_id + b.accepted AND m.batch_id = b.id
     WHERE b.id = ? AND m.is_final = 0`,
    batchId,
  );
  tx.run(
    `INSERT OR IGNORE INTO held_messages (message_id, operator, batch_id)
     SELECT s.message_id, s.operator, s.batch_id FROM batches b JOIN fallbacks s
       ON s.message_id >= b.first_message_id AND s.message_id < b.first_message_id + b.accepted AND s.batch_id = b.id
     WHERE b.id = ? AND s.is_open = 1 AND s.stage = 'FIRST'`,
    batchId,
  );
}

/** Batches that were not validated in the copy and have been since. */
function validatedSince(read: Reader, limit: number): readonly { readonly id: number }[] {
  return read.all<{ id: number }>(
    `SELECT h.batch_id AS id FROM held_batches h CROSS JOIN batches b ON b.id = h.batch_id
     WHERE b.status NOT IN ('VALIDATING', 'STAGING') LIMIT ?`,
    limit,
  );
}

/** All of them: each is held whole until its messages are. */
export function listHeldBatches(read: Reader): number[] {
  return validatedSince(read, -1).map(({ id }) => id);
}

/** What waits of a batch, by operator. */
type HeldInBatch = Pick<HeldMessage, "messageClass" | "operator"> & { readonly messages: number };

/** What of a batch is held whole; nothing where its messages are held one by one. */
export function heldInBatch(read: Reader, batchId: number): HeldInBatch[] {
  return read.all<HeldInBatch>(
    `SELECT m.operator, b.message_class AS messageClass, count(*) AS messages
     FROM held_batches h CROSS JOIN batches b ON b.id = h.batch_id JOIN messages m ON m.batch_id = b.id AND m.status = 'QUEUED'
     WHERE h.batch_id = ? GROUP BY m.operator`,
    batchId,
  );
}

export function isAnyValidatedSince(read: Reader): boolean {
  return validatedSince(read, 1).length > 0;
}

/**
 * Batches that were not validated in the copy and are since, a few of them: their messages are held as the others are, and go by what
 * was decided before.
 */
export function holdValidated(tx: Tx, limit: number): number {
  const batches = validatedSince(tx, limit);
  for (const { id } of batches) {
    holdMessages(tx, id);
    tx.run("DELETE FROM held_batches WHERE batch_id = ?", id);
    const places = tx.all<{ operator: string; messageClass: string }>(
      `SELECT DISTINCT h.operator, b.message_class AS messageClass
       FROM held_messages h JOIN batches b ON b.id = h.batch_id WHERE h.batch_id = ?`,
      id,
    );
    for (const { operator, messageClass } of places) {
      if (!isToBeDone(tx, messageClass, operator)) continue;
      tx.run("UPDATE held_messages SET is_due = 1 WHERE batch_id = ? AND operator = ?", id, operator);
    }
  }
  return batches.length;
}

/** From now on submissions are taken; nothing where they were already. */
export function reopenAfterRestore(tx: Tx, nowMs: number): void {
  tx.run("UPDATE restores SET resumed_at = ? WHERE resumed_at IS NULL", nowMs);
}

/** The messages that a decision is about; null: of every class, of every operator. */
type DecisionScope = { readonly messageClass: string | null; readonly operator: string | null };

/** Stores a decision; returns its number. Until it is done, what it is about stays where it is. */
export function recordRestoreDecision(
  tx: Tx,
  { messageClass, operator }: DecisionScope,
  waiting: RestoreDecision,
  diedAtMs: number,
): number {
  return tx.insert(
    `INSERT INTO restore_decisions (message_class, operator, waiting, died_at, is_done)
     VALUES ($messageClass, $operator, $waiting, $diedAtMs, $isDone)`,
    { messageClass, operator, waiting, diedAtMs, isDone: waiting === "hold" ? 1 : 0 },
  );
}

/** Marks a decision as carried out, and with it every earlier one about nothing else. */
export function completeRestoreDecision(tx: Tx, id: number, { messageClass, operator }: DecisionScope): void {
  tx.run(
    `UPDATE restore_decisions SET is_done = 1 WHERE id <= $id AND is_done = 0
       AND ($messageClass IS NULL OR message_class IS $messageClass) AND ($operator IS NULL OR operator IS $operator)`,
    { id, messageClass, operator },
  );
}

type Decided = {
  /** The last decision; null: there was none. */
  readonly waiting: RestoreDecision | null;
  /** When the old machine last ran, as was said with it. */
  readonly diedAtMs: number | null;
  /** Something else than to hold was decided, at any time. */
  readonly isDecided: 0 | 1;
  /** Such a decision is being carried out, or was cut off. */
  readonly isOpen: 0 | 1;
};

/** What was decided about a class and an operator, remembered. */
function decided(read: Reader, messageClass: string, operator: string): Decided {
  const row = read.known<Decided>(
    `SELECT (SELECT waiting FROM restore_decisions WHERE coalesce(message_class, ?1) = ?1 AND coalesce(operator, ?2) = ?2
         ORDER BY id DESC LIMIT 1) AS waiting,
       (SELECT died_at FROM restore_decisions WHERE coalesce(message_class, ?1) = ?1 AND coalesce(operator, ?2) = ?2
         ORDER BY id DESC LIMIT 1) AS diedAtMs,
       EXISTS (SELECT 1 FROM restore_decisions WHERE coalesce(message_class, ?1) = ?1 AND coalesce(operator, ?2) = ?2
         AND waiting <> 'hold') AS isDecided,
       EXISTS (SELECT 1 FROM restore_decisions WHERE coalesce(message_class, ?1) = ?1 AND coalesce(operator, ?2) = ?2
         AND is_done = 0) AS isOpen`,
    messageClass,
    operator,
  );
  return row ?? { waiting: null, diedAtMs: null, isDecided: 0, isOpen: 0 };
}

/** Whether an earlier decision is to be carried out on what comes to the queue of an operator. */
function isToBeDone(read: Reader, messageClass: string, operator: string): boolean {
  const { waiting } = decided(read, messageClass, operator);
  return waiting !== null && waiting !== "hold";
}

/** Whether a batch stood in the copy that was restored last. */
export function isBatchInBackup(read: Reader, batchId: number): boolean {
  const restore = lastRestore(read);
  return restore !== null && batchId <= restore.lastBatchId;
}

/** Whether messages of a batch may be held: it stood in the copy. Remembered, since every page of the queue asks. */
export function mayBeHeld(read: Reader, batchId: number): boolean {
  if (!isBatchInBackup(read, batchId)) return false;
  return isAnyHeld(read) || read.known("SELECT 1 AS held FROM held_batches LIMIT 1") !== null;
}

/** Whether any message is held, by whatever operator. Remembered. */
export function isAnyHeld(read: Reader): boolean {
  return read.known("SELECT 1 AS held FROM held_messages LIMIT 1") !== null;
}

/**
 * Whether nothing of a batch leaves by an operator and nothing of it is given up there: some of it may have left, and nobody has
 * decided yet, or it is being carried out. What is held after that is held message by message (`IS_HELD`).
 */
export function isHeldBack(
  read: Reader,
  { batchId, operator }: { readonly batchId: number; readonly operator: string },
): boolean {
  if (!mayBeHeld(read, batchId)) return false;
  const batch = read.get<{ messageClass: string; isHeld: 0 | 1; isAnyHeld: 0 | 1 }>(
    `SELECT message_class AS messageClass, EXISTS (SELECT 1 FROM held_batches WHERE batch_id = ?1) AS isHeld,
       EXISTS (SELECT 1 FROM held_messages WHERE batch_id = ?1 AND operator = ?2) AS isAnyHeld
     FROM batches WHERE id = ?1`,
    batchId,
    operator,
  );
  if (!batch) return false;
  if (batch.isHeld === 1) return true;
  if (batch.isAnyHeld === 0) return false;
  const { isDecided, isOpen } = decided(read, batch.messageClass, operator);
  return isDecided === 0 || isOpen === 1;
}

/** Selects a message that is held where it stands, in SQL over `messages`. */
export const IS_HELD =
  "EXISTS (SELECT 1 FROM held_messages h WHERE h.message_id = messages.id AND h.operator = messages.operator)";

/** Whether a message is held where it stands: it is neither sent nor given up there. */
export function isMessageHeld(read: Reader, messageId: number): boolean {
  return read.get(`SELECT 1 FROM messages WHERE id = ? AND ${IS_HELD}`, messageId) !== null;
}

/** Selects a batch of which nothing is held, neither whole nor by message, in SQL over `batches`. */
export const NOT_HELD = `NOT EXISTS (SELECT 1 FROM held_batches h WHERE h.batch_id = batches.id)
  AND NOT EXISTS (SELECT 1 FROM held_messages h JOIN messages m ON m.id = h.message_id AND m.operator = h.operator
    WHERE h.batch_id = batches.id)`;

/**
 * Keeps messages of a batch held that are handed over to another code, by their ids as a JSON list; they go by what was decided of that
 * code.
 */
export function renameHeldOperator(
  tx: Tx,
  messageIds: string,
  { batchId, operator }: { readonly batchId: number; readonly operator: string },
  toCode: string,
): void {
  const batch = tx.get<{ messageClass: string }>(
    "SELECT message_class AS messageClass FROM batches WHERE id = ?",
    batchId,
  );
  const isDue = batch !== null && isToBeDone(tx, batch.messageClass, toCode) ? 1 : 0;
  tx.run(
    `UPDATE OR REPLACE held_messages SET operator = $toCode, is_due = $isDue
     WHERE message_id IN (SELECT value FROM json_each($messageIds)) AND operator = $operator`,
    { toCode, isDue, messageIds, operator },
  );
}

/**
 * Records that a message of the copy has come to the queue of an operator. What was decided about it is carried out now, before it may
 * leave there; where nothing was, it waits.
 */
export function recordHeldInQueue(
  tx: Tx,
  message: { readonly messageId: number; readonly batchId: number },
  messageClass: string,
  operator: string,
): void {
  if (!mayBeHeld(tx, message.batchId)) return;
  if (!isToBeDone(tx, messageClass, operator)) return;
  tx.run(
    "UPDATE held_messages SET is_due = 1 WHERE message_id = ? AND operator = ?",
    message.messageId,
    operator,
  );
}

/** A message to be treated as was decided of its class and operator. */
type DueMessage = Pick<HeldMessage, "messageId" | "operator" | "batchId" | "batchStatus" | "scheduledAt"> & {
  /** Null: it is held again, or has gone on. */
  readonly decided: {
    readonly waiting: Exclude<RestoreDecision, "hold">;
    readonly diedAtMs: number;
  } | null;
};

export function hasDueMessages(read: Reader): boolean {
  return read.get("SELECT 1 FROM held_messages WHERE is_due = 1 LIMIT 1") !== null;
}

/** Some of those that came to a queue after the decision. None of them is due any more. */
export function takeDueMessages(tx: Tx, limit: number): DueMessage[] {
  const due = tx.all<
    Omit<DueMessage, "decided"> & { readonly messageClass: string; readonly isThere: 0 | 1 }
  >(
    `SELECT h.message_id AS messageId, h.operator, h.batch_id AS batchId, b.message_class AS messageClass,
       b.status AS batchStatus, b.scheduled_at AS scheduledAt, m.status = 'QUEUED' AND m.operator = h.operator AS isThere
     FROM held_messages h CROSS JOIN messages m ON m.id = h.message_id JOIN batches b ON b.id = h.batch_id
     WHERE h.is_due = 1 ORDER BY h.message_id LIMIT ?`,
    limit,
  );
  return due.map(({ messageClass, isThere, ...message }) => {
    const { messageId, operator } = message;
    tx.run("UPDATE held_messages SET is_due = 0 WHERE message_id = ? AND operator = ?", messageId, operator);
    const { waiting, diedAtMs } = decided(tx, messageClass, operator);
    const isMeant = isThere === 1 && waiting !== null && waiting !== "hold" && diedAtMs !== null;
    return { ...message, decided: isMeant ? { waiting, diedAtMs } : null };
  });
}

/** A message that is held by an operator, with what decides about it. */
export type HeldMessage = {
  readonly messageId: number;
  /** By which it may have left. */
  readonly operator: string;
  readonly batchId: number;
  readonly accountId: number;
  readonly messageClass: "OTP" | "TRANSACTIONAL" | "MARKETING";
  readonly batchStatus: string;
  readonly scheduledAt: number | null;
  /** Whether the operator is the one that carries it now: its other leg is decided when it comes to that. */
  readonly isThere: 0 | 1;
  readonly isInFlight: 0 | 1;
  readonly status: Status;
  readonly isFinal: 0 | 1;
  readonly notBefore: number;
  readonly resends: number;
  /** Until when the leg that carries it is worth sending. */
  readonly expiresAt: number;
};

/** Where a page of them ends. */
export type HeldPlace = Pick<HeldMessage, "messageId" | "operator">;

/** Before every one. */
export const FIRST_HELD: HeldPlace = { messageId: 0, operator: "" };

/** A page of what is held, behind a place. */
export function heldMessages(read: Reader, after: HeldPlace, limit: number): HeldMessage[] {
  return read.all<HeldMessage>(
    `SELECT h.message_id AS messageId, h.operator, h.batch_id AS batchId, b.account_id AS accountId,
       b.message_class AS messageClass, b.status AS batchStatus, b.scheduled_at AS scheduledAt,
       m.operator = h.operator AS isThere, h.in_flight AS isInFlight, m.status, m.is_final AS isFinal,
       m.not_before AS notBefore, m.resends, ${LEG_EXPIRES_AT} AS expiresAt
     FROM held_messages h JOIN messages m ON m.id = h.message_id JOIN batches b ON b.id = h.batch_id
     WHERE (h.message_id, h.operator) > ($messageId, $operator) ORDER BY h.message_id, h.operator LIMIT $limit`,
    { messageId: after.messageId, operator: after.operator, limit },
  );
}

/** Releases the hold of a message by an operator: it may be sent there. */
export function releaseHeld(tx: Tx, { messageId, operator }: HeldPlace): void {
  tx.run("DELETE FROM held_messages WHERE message_id = ? AND operator = ?", messageId, operator);
}

/** Releases its holds by every operator: it cannot have left. */
export function releaseMessage(tx: Tx, messageId: number): void {
  tx.run("DELETE FROM held_messages WHERE message_id = ?", messageId);
}

/** Forgets what was held of messages that go, by their ids as a JSON list. */
export function deleteHeld(tx: Tx, messageIds: string): void {
  tx.run("DELETE FROM held_messages WHERE message_id IN (SELECT value FROM json_each(?))", messageIds);
}

/** Forgets up to `limit` held messages behind a place that are at their end; where to go on, null: nowhere. */
export function deleteFinishedHeld(tx: Tx, after: HeldPlace, limit: number): HeldPlace | null {
  const page = heldMessages(tx, after, limit);
  for (const held of page) if (held.isFinal === 1) releaseHeld(tx, held);
  return page.length < limit ? null : (page.at(-1) ?? null);
}

/** Starts a scheduled batch whose time had come before the old machine's end: it is as good as started. */
export function startHeldBatch(tx: Tx, batchId: number): void {
  tx.run(
    "UPDATE batches SET status = 'QUEUED' WHERE id = ? AND status = 'SCHEDULED' AND cancel_reason IS NULL",
    batchId,
  );
}

/** Holds a message that was with an operator in the copy: it goes by the rule of its class once that is decided. */
export function holdInFlight(tx: Tx, messageId: number): void {
  tx.run(
    `UPDATE held_messages SET in_flight = 1
     WHERE message_id = ?1 AND operator = (SELECT operator FROM messages WHERE id = ?1)`,
    messageId,
  );
}

/** Ends the hold of a message that was with an operator in the copy; one that comes back from there is another matter. */
export function endInFlightHold(tx: Tx, { messageId, operator }: HeldPlace): void {
  tx.run("UPDATE held_messages SET in_flight = 0 WHERE message_id = ? AND operator = ?", messageId, operator);
}

/** A receipt that came for a message after it had ended. */
type LateReceipt = {
  readonly noteId: number;
  readonly ulid: string;
  readonly at: number;
  readonly detail: Phrase;
};

/** Notes looked at in one go. */
const NOTES_A_LOOK = 2000;

/**
 * A page of receipts that came since the restore for messages that were given up by it; `next` is null when there are no more
 * notes to look at.
 */
export function lateReceipts(
  read: Reader,
  afterNote: number,
): { readonly found: readonly LateReceipt[]; readonly next: number | null } {
  const notes = read.all<{ id: number; messageId: number; what: string; detail: string; at: number }>(
    "SELECT id, message_id AS messageId, what, detail, at FROM message_notes WHERE id > ? ORDER BY id LIMIT ?",
    afterNote,
    NOTES_A_LOOK,
  );
  const found = notes.flatMap(({ id, messageId, at, ...kept }) => {
    const { what, detail } = readNote(kept);
    if (what !== "receipt_after_end") return [];
    const message = read.get<{ ulid: string }>(
      "SELECT ulid FROM messages WHERE id = ? AND error_code = 'RESTORE_GIVEN_UP'",
      messageId,
    );
    return message ? [{ noteId: id, ulid: message.ulid, at, detail }] : [];
  });
  return { found, next: notes.length < NOTES_A_LOOK ? null : (notes.at(-1)?.id ?? null) };
}

/** When this database was restored, each time that it was, epoch milliseconds. */
export function restoreTimes(read: Reader): number[] {
  return read
    .all<{ restoredAt: number }>("SELECT restored_at AS restoredAt FROM restores")
    .map(({ restoredAt }) => restoredAt);
}
