/**
 * Which batch a batch corrects: it was sent out of corrected rows of that one's file, or to those whom that one failed to reach
 * (docs/administration.md#sending-a-file). A batch with all that it corrects and all that correct it is its family.
 */
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import type { BatchStatus } from "./batch-status.ts";
import { IS_VISIBLE, MESSAGES } from "./look-up.ts";
import { MESSAGE_COLUMNS, type MessageRow } from "./view.ts";

/** Batches of a family that may be corrected: one more makes it full. */
export const MAX_FAMILY_BATCHES = 30;

export type FamilyBatch = {
  readonly id: number;
  readonly ulid: string;
  /** The public id of the batch that it corrects; null of the first. */
  readonly corrects: string | null;
  readonly createdAtMs: number;
  readonly status: BatchStatus;
  /** Its messages follow each other from this one on. */
  readonly firstMessageId: number;
  readonly messages: number;
};

export type BatchFamily = {
  /** In the order in which they were accepted; the batch itself alone where nothing corrects it and it corrects nothing. */
  readonly batches: readonly FamilyBatch[];
  /** Whether none of it is corrected any more. */
  readonly isFull: boolean;
};

/**
 * `of`: the row id of the batch that is corrected. `compared`: with how many of its family its rows were compared. `isAgain`: each is sent the
 * text again that failed.
 */
export type Correction = {
  readonly of: number;
  readonly compared: number;
  readonly isAgain?: boolean;
};

/** Another batch of the family was accepted since rows were compared with it. */
export class StaleCorrection extends Error {}

/**
 * Says which batch a new one corrects, in the transaction that accepts it. Nothing leaves a family, so that as many as were compared are
 * the same.
 *
 * @throws OvertakenCorrection where others were accepted meanwhile: the new batch is undone with what else the transaction wrote.
 */
export function recordCorrection(tx: Tx, batchId: number, { of, compared, isAgain = false }: Correction): void {
  if (familyOf(tx, of).batches.length !== compared) throw new StaleCorrection();
  tx.run(
    "INSERT INTO corrections (batch_id, corrects, is_again) VALUES (?, ?, ?)",
    batchId,
    of,
    isAgain ? 1 : 0,
  );
}

/** The row id of the batch in which a text was written: one that sends each the text again that failed has none of its own. */
export function findTextBatch(read: Reader, batchId: number): number {
  const again = read.get<{ corrects: number }>(
    "SELECT corrects FROM corrections WHERE batch_id = ? AND is_again = 1",
    batchId,
  );
  return again === null ? batchId : findTextBatch(read, again.corrects);
}

/** A batch with all that it corrects, and all that correct those. Rows are only ever of one account. */
export function familyOf(read: Reader, batchId: number): BatchFamily {
  // A recursive query goes on from what was found first (sqlite.org/lang_with.html): the nearest come first.
  const found = read.all<{ id: number }>(
    `WITH RECURSIVE family (id) AS (
       SELECT ?
       UNION SELECT c.corrects FROM family f JOIN corrections c ON c.batch_id = f.id
       UNION SELECT c.batch_id FROM family f JOIN corrections c ON c.corrects = f.id
     ) SELECT id FROM family LIMIT ?`,
    batchId,
    MAX_FAMILY_BATCHES + 1,
  );
  const ids = found.map(({ id }) => id);
  const batches = read.all<FamilyBatch>(
    `SELECT b.id, b.ulid, p.ulid AS corrects, b.created_at AS createdAtMs, b.status, b.first_message_id AS firstMessageId,
       b.accepted AS messages
     FROM json_each(?) e JOIN batches b ON b.id = e.value AND b.status <> 'STAGING'
       LEFT JOIN corrections c ON c.batch_id = b.id LEFT JOIN batches p ON p.id = c.corrects`,
    JSON.stringify(ids),
  );
  // None is begun before the one that it corrects is taken, nor taken while another is: their ids are in order, whatever the clock did.
  batches.sort((a, b) => a.id - b.id);
  return { batches, isFull: found.length > MAX_FAMILY_BATCHES };
}

/** A batch that corrects another one, with its first messages. */
export type CorrectingBatch = {
  readonly id: number;
  readonly messages: readonly MessageRow[];
};

/** The batches that correct one, or a correction of it, in the order in which they were accepted; of all of them `limit` messages at most. */
export function correctingBatches(read: Reader, batchId: number, limit: number): readonly CorrectingBatch[] {
  const { batches } = familyOf(read, batchId);
  const later = new Set(batches.filter(({ id }) => id === batchId).map(({ ulid }) => ulid));
  const found: CorrectingBatch[] = [];
  let left = limit;
  // A correction stands behind what it corrects.
  for (const { id, ulid, corrects, firstMessageId, messages: count } of batches) {
    if (corrects === null || !later.has(corrects)) continue;
    later.add(ulid);
    const messages = read.all<MessageRow>(
      `SELECT ${MESSAGE_COLUMNS} FROM ${MESSAGES}
       WHERE m.id >= ? AND m.id < ? AND m.batch_id = ? AND ${IS_VISIBLE} ORDER BY m.id`,
      firstMessageId,
      firstMessageId + Math.min(count, left),
      id,
    );
    left -= messages.length;
    found.push({ id, messages });
  }
  return found;
}
