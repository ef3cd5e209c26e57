/**
 * What a restore from a backup holds back: whatever waited when the copy was made may have left since
 * (docs/administration.md#after-a-restore). It is held by place, a batch and an operator, until somebody decides.
 */
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";
import type { QueuePlace } from "./queue.ts";

/** A restore. Times are epoch milliseconds. */
export type Restore = {
  readonly restoredAtMs: number;
  readonly file: string;
  /** The moment that the backup holds. */
  readonly madeAtMs: number;
  /** The highest number that a parked receipt had in the copy. */
  readonly parkedBefore: number;
  /** The highest number that a note had in the copy. */
  readonly notesBefore: number;
  /** Since when submissions are taken again; null while none are. */
  readonly resumedAtMs: number | null;
};

/** The newest restore, remembered; null where there never was one. */
export function lastRestore(read: Reader): Restore | null {
  return read.known<Restore>(
    `SELECT restored_at AS restoredAtMs, file, made_at AS madeAtMs, parked_before AS parkedBefore,
       notes_before AS notesBefore, resumed_at AS resumedAtMs
     FROM restores ORDER BY id DESC LIMIT 1`,
  );
}

/** Whether nothing is accepted or sent, because nobody has decided yet what becomes of what waits. */
export function isRestoring(read: Reader): boolean {
  const restore = lastRestore(read);
  return restore !== null && restore.resumedAtMs === null;
}

/**
 * Notes a restore and holds every place where messages wait, and every batch that is not validated. Not those of sandboxes: nothing of
 * them can have left.
 */
export function holdAll(
  tx: Tx,
  restore: Pick<Restore, "restoredAtMs" | "file" | "madeAtMs" | "parkedBefore">,
): void {
  tx.insert(
    `INSERT INTO restores (restored_at, file, made_at, parked_before, notes_before)
     VALUES ($restoredAtMs, $file, $madeAtMs, $parkedBefore, (SELECT coalesce(max(id), 0) FROM message_notes))`,
    restore,
  );
  tx.run(
    `INSERT OR IGNORE INTO held_places (batch_id, operator)
     SELECT DISTINCT batch_id, operator FROM messages WHERE status = 'QUEUED' AND account_id > 0`,
  );
  tx.run(
    `INSERT OR IGNORE INTO held_places (batch_id, operator)
     SELECT id, '' FROM batches WHERE status = 'VALIDATING' AND account_id > 0`,
  );
}

/** From now on submissions are taken; nothing where they were already. */
export function endRestoring(tx: Tx, nowMs: number): void {
  tx.run("UPDATE restores SET resumed_at = ? WHERE resumed_at IS NULL", nowMs);
}

/** Whether messages of a batch for an operator are held. */
export function isHeldBack(read: Reader, { batchId, operator }: QueuePlace): boolean {
  if (!anyHeld(read)) return false;
  return (
    read.get("SELECT 1 FROM held_places WHERE batch_id = ? AND operator IN (?, '')", batchId, operator) !==
    null
  );
}

/** Remembered: it hardly ever changes, and is asked for each page of the queue. */
function anyHeld(read: Reader): boolean {
  return read.known("SELECT 1 AS held FROM held_places LIMIT 1") !== null;
}

/** Of a batch that is not held and is not to be started: for a statement over `batches`. */
export const NOT_HELD = "NOT EXISTS (SELECT 1 FROM held_places h WHERE h.batch_id = batches.id)";

/** Messages that are held go on being held under another code. */
export function holdUnder(tx: Tx, { batchId, operator }: QueuePlace, toCode: string): void {
  if (!anyHeld(tx)) return;
  tx.run(
    `INSERT OR IGNORE INTO held_places (batch_id, operator, decided_through)
     SELECT batch_id, ?, decided_through FROM held_places WHERE batch_id = ? AND operator = ?`,
    toCode,
    batchId,
    operator,
  );
}

/** Batches that were validated since are held by the operators that their messages wait for. */
export function splitHeld(tx: Tx): void {
  tx.run(
    `INSERT OR IGNORE INTO held_places (batch_id, operator)
     SELECT DISTINCT m.batch_id, m.operator FROM held_places h JOIN messages m ON m.batch_id = h.batch_id
     WHERE h.operator = '' AND m.status = 'QUEUED'`,
  );
  tx.run(
    `DELETE FROM held_places WHERE operator = '' AND NOT EXISTS
       (SELECT 1 FROM batches b WHERE b.id = held_places.batch_id AND b.status IN ('VALIDATING', 'STAGING'))`,
  );
}

/** A place that is held, with what decides about it. */
export type HeldPlace = QueuePlace & {
  readonly accountId: number;
  readonly messageClass: "OTP" | "TRANSACTIONAL" | "MARKETING";
  readonly status: string;
  readonly scheduledAt: number | null;
  readonly decidedThrough: number;
  /** Behind its last message. */
  readonly endId: number;
};

/** A page of what is held, behind a place. */
export function heldPlaces(read: Reader, after: QueuePlace, limit: number): HeldPlace[] {
  return read.all<HeldPlace>(
    `SELECT h.batch_id AS batchId, h.operator, b.account_id AS accountId, b.message_class AS messageClass, b.status,
       b.scheduled_at AS scheduledAt, h.decided_through AS decidedThrough, b.first_message_id + b.accepted AS endId
     FROM held_places h JOIN batches b ON b.id = h.batch_id
     WHERE (h.batch_id, h.operator) > (?, ?) ORDER BY h.batch_id, h.operator LIMIT ?`,
    after.batchId,
    after.operator,
    limit,
  );
}

/** Before every place. */
export const FIRST_PLACE: QueuePlace = { batchId: 0, operator: "" };

/** A message that is held, and when it would have been due. */
export type HeldMessage = { readonly id: number; readonly notBefore: number };

/** The next messages of a place that nothing was decided about, in the order of their numbers. */
export function heldMessages(read: Reader, place: HeldPlace, afterId: number, limit: number): HeldMessage[] {
  return read.all<HeldMessage>(
    `SELECT id, not_before AS notBefore FROM messages
     WHERE id > $afterId AND id < $endId AND batch_id = $batchId AND status = 'QUEUED' AND operator = $operator
     ORDER BY id LIMIT $limit`,
    { afterId, endId: place.endId, batchId: place.batchId, operator: place.operator, limit },
  );
}

/** How many messages of a place nothing was decided about. */
export function countHeld(read: Reader, { batchId, operator, decidedThrough }: HeldPlace): number {
  const counted = read.get<{ n: number }>(
    "SELECT count(*) AS n FROM messages WHERE status = 'QUEUED' AND batch_id = ? AND operator = ? AND id > ?",
    batchId,
    operator,
    decidedThrough,
  );
  return counted?.n ?? 0;
}

/** Notes how far a place is decided. */
export function decidedThrough(tx: Tx, { batchId, operator }: QueuePlace, messageId: number): void {
  tx.run(
    "UPDATE held_places SET decided_through = ? WHERE batch_id = ? AND operator = ?",
    messageId,
    batchId,
    operator,
  );
}

/** Lets a place go on. */
export function releasePlace(tx: Tx, { batchId, operator }: QueuePlace): void {
  tx.run("DELETE FROM held_places WHERE batch_id = ? AND operator = ?", batchId, operator);
}

/** A scheduled batch whose time had come before the old machine's end is as good as started. */
export function startHeld(tx: Tx, batchId: number): void {
  tx.run(
    "UPDATE batches SET status = 'QUEUED' WHERE id = ? AND status = 'SCHEDULED' AND cancel_reason IS NULL",
    batchId,
  );
}

/** Holds back what is decided about a message that an operator may have, until its class is decided. */
export function holdFlight(tx: Tx, messageId: number): void {
  tx.run("INSERT OR IGNORE INTO held_flights (message_id) VALUES (?)", messageId);
}

export function releaseFlight(tx: Tx, messageId: number): void {
  tx.run("DELETE FROM held_flights WHERE message_id = ?", messageId);
}

/** A message that was with an operator in the copy. */
export type HeldFlight = {
  readonly messageId: number;
  readonly messageClass: "OTP" | "TRANSACTIONAL" | "MARKETING";
  readonly operator: string;
  readonly accountId: number;
  readonly status: string;
  readonly resends: number;
  readonly expiresAt: number;
};

const FLIGHT = `SELECT m.id AS messageId, b.message_class AS messageClass, m.operator, m.account_id AS accountId, m.status,
    m.resends, b.expires_at AS expiresAt
  FROM held_flights f JOIN messages m ON m.id = f.message_id JOIN batches b ON b.id = m.batch_id`;

export function heldFlight(read: Reader, messageId: number): HeldFlight | null {
  return read.get<HeldFlight>(`${FLIGHT} WHERE f.message_id = ?`, messageId);
}

/** All of them: they are no more than the windows and outboxes of the old machine held. */
export function heldFlights(read: Reader): HeldFlight[] {
  return read.all<HeldFlight>(`${FLIGHT} ORDER BY f.message_id`);
}

/** A receipt that told of a message after it had ended. */
export type LateReceipt = {
  readonly noteId: number;
  readonly ulid: string;
  readonly at: number;
  readonly detail: string;
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
  const found = notes.flatMap(({ id, messageId, what, detail, at }) => {
    if (what !== "receipt after the end") return [];
    const message = read.get<{ ulid: string }>(
      "SELECT ulid FROM messages WHERE id = ? AND error_code = 'RESTORE_GIVEN_UP'",
      messageId,
    );
    return message ? [{ noteId: id, ulid: message.ulid, at, detail }] : [];
  });
  return { found, next: notes.length < NOTES_A_LOOK ? null : (notes.at(-1)?.id ?? null) };
}
