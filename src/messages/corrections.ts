/**
 * Which batch a batch corrects: it was sent out of corrected rows of that one's file, or to those whom that one failed to reach
 * (docs/administration.md#sending-a-file). A batch with all that it corrects and all that correct it is its family.
 */
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";

/** Batches of a family that are read at most, the nearest first. */
export const MOST_OF_FAMILY = 30;

export type FamilyBatch = {
  readonly id: number;
  readonly ulid: string;
  /** The public id of the batch that it corrects; null of the first. */
  readonly corrects: string | null;
  readonly createdAtMs: number;
  /** Its messages follow each other from this one on. */
  readonly firstMessageId: number;
  readonly messages: number;
};

export type BatchFamily = {
  /** In the order in which they were accepted; the batch itself alone where nothing corrects it and it corrects nothing. */
  readonly batches: readonly FamilyBatch[];
  /** Whether there are more than are read. */
  readonly isMore: boolean;
};

/** Says which batch a new one corrects, in the transaction that accepts it. */
export function noteCorrection(tx: Tx, batchId: number, corrects: number): void {
  tx.run("INSERT INTO corrections (batch_id, corrects) VALUES (?, ?)", batchId, corrects);
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
    MOST_OF_FAMILY + 1,
  );
  const ids = found.slice(0, MOST_OF_FAMILY).map(({ id }) => id);
  const batches = read.all<FamilyBatch>(
    `SELECT b.id, b.ulid, p.ulid AS corrects, b.created_at AS createdAtMs, b.first_message_id AS firstMessageId,
       b.accepted AS messages
     FROM json_each(?) e JOIN batches b ON b.id = e.value AND b.status <> 'STAGING'
       LEFT JOIN corrections c ON c.batch_id = b.id LEFT JOIN batches p ON p.id = c.corrects`,
    JSON.stringify(ids),
  );
  batches.sort((a, b) => a.createdAtMs - b.createdAtMs || a.id - b.id);
  return { batches, isMore: found.length > MOST_OF_FAMILY };
}
