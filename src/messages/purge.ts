/**
 * What is over is purged in the order in which it became so, which the feed keeps: a message that is final never moves in it again. So
 * nothing is searched for, and how far each pass has come is one row an account (docs/behaviour.md#10-retention).
 *
 * A text that a whole batch shares goes with the last of its messages. Of a batch nobody of which was accepted there is no message:
 * such batches are gone through in the order in which they were accepted.
 */

import { markOf, type PassMark, setMark } from "../store/pass-marks.ts";
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";
import { dropCorrectedLines } from "./corrections.ts";
import { dropFallbackBodies } from "./fallbacks.ts";
import { dropFileLines } from "./file-lines.ts";
import { forgetReferences } from "./message-references.ts";
import { keepLines } from "./purged-lines.ts";
import { forgetReads } from "./read-by-users.ts";
import { dropOtherTexts, forgetSecondWays } from "./second-ways.ts";
import { dropUnreadable, dropUnreadableTexts } from "./unreadable-rows.ts";

/** What is purged of the messages of some classes that ended, or the batches that failed, before an instant. */
export type PurgePass = {
  /** Under this name it is kept how far the pass has come. */
  readonly name: string;
  /** Texts only, or all but what they cost. */
  readonly what: "texts" | "messages";
  readonly classes: readonly string[];
  readonly beforeMs: number;
};

/**
 * What a step purged: messages of which a text, or all, is gone; texts of batches; rejected recipients, and rows of files that were
 * none. `isOver`: nothing more is due.
 */
export type PurgeStep = {
  readonly messages: number;
  readonly batches: number;
  readonly rejections: number;
  readonly isOver: boolean;
};

/** Takes away what another room keeps about messages that go, by their ids as a JSON list. */
export type AlsoForget = (tx: Tx, messageIds: string) => void;

type Due = { readonly id: number; readonly batchId: number; readonly at: number; readonly isFinal: number };
type DueBatch = { readonly id: number; readonly messageClass: string; readonly isOver: number };

/** A batch ends with its last message: some milliseconds after that one's place in the feed at most. */
const SAME_MOMENT_MS = 60_000;

/** One step over messages: up to `limit` of them. */
export function purgeMessages(
  tx: Tx,
  accountId: number,
  pass: PurgePass,
  limit: number,
  alsoForget: AlsoForget,
): PurgeStep {
  const due = dueMessages(tx, accountId, pass, markOf(tx, accountId, pass.name), limit);
  const batches = batchesOf(tx, pass, [...new Set(due.map(({ batchId }) => batchId))]);
  const list = JSON.stringify(taken(due, batches));
  return purged(tx, { accountId, pass, name: pass.name, due, limit }, batches, () =>
    pass.what === "texts" ? dropTexts(tx, list) : dropMessages(tx, list, alsoForget),
  );
}

/** One step over batches of which nobody was accepted: looks at up to `limit` batches. */
export function purgeBatches(tx: Tx, accountId: number, pass: PurgePass, limit: number): PurgeStep {
  const name = `${pass.name} of batches`;
  const due = tx.all<DueBatch & { readonly at: number; readonly accepted: number }>(
    `SELECT id, created_at AS at, accepted, message_class AS messageClass,
       ended_at IS NOT NULL AND ended_at <= $beforeMs + 0 AS isOver FROM batches
     WHERE account_id = $accountId + 0 AND (created_at, id) > ($at, $rowId) AND created_at <= $beforeMs + 0
     ORDER BY created_at, id LIMIT $limit`,
    { accountId, ...markOf(tx, accountId, name), beforeMs: pass.beforeMs - LONGEST_OPEN_MS, limit },
  );
  const batches = due.filter(
    ({ accepted, messageClass }) => accepted === 0 && pass.classes.includes(messageClass),
  );
  return purged(tx, { accountId, pass, name, due, limit }, batches, () => 0);
}

type Looked = {
  readonly accountId: number;
  readonly pass: PurgePass;
  readonly name: string;
  readonly due: readonly { readonly id: number; readonly at: number }[];
  readonly limit: number;
};

/** Purges what was looked at. Who was left out goes first: a large batch may have more of them than a step takes. */
function purged(
  tx: Tx,
  { accountId, pass, name, due, limit }: Looked,
  batches: readonly DueBatch[],
  drop: () => number,
): PurgeStep {
  const last = due.at(-1);
  const over = JSON.stringify(batches.filter(({ isOver }) => isOver === 1).map(({ id }) => id));
  const isAll = pass.what === "messages";
  const rejected = isAll ? dropRejections(tx, over, limit) : 0;
  const unread = isAll ? dropUnreadable(tx, over, limit) : dropUnreadableTexts(tx, over, limit);
  const rejections = isAll ? rejected + unread : 0;
  if (!last || rejected === limit || unread === limit)
    return { messages: 0, batches: 0, rejections, isOver: !last };
  setMark(tx, accountId, name, { at: last.at, rowId: last.id });
  dropFallbackBodies(tx, over);
  if (isAll) {
    dropFileLines(tx, over);
    dropCorrectedLines(tx, over);
  }
  return { messages: drop(), batches: tx.run(DROP_BODIES, over), rejections, isOver: due.length < limit };
}

/** How many messages of the next `limit` changes a pass would purge, and where it would go on; null: nothing more is due. */
export function countDue(
  read: Reader,
  accountId: number,
  pass: PurgePass,
  from: PassMark | null,
  limit: number,
): { readonly messages: number; readonly next: PassMark | null } {
  const due = dueMessages(read, accountId, pass, from ?? markOf(read, accountId, pass.name), limit);
  const last = due.at(-1);
  const batches = batchesOf(read, pass, [...new Set(due.map(({ batchId }) => batchId))]);
  const messages = taken(due, batches).length;
  return { messages, next: last && due.length === limit ? { at: last.at, rowId: last.id } : null };
}

/** The ids of messages that a pass takes. */
function taken(due: readonly Due[], batches: readonly DueBatch[]): readonly number[] {
  const known = new Set(batches.map(({ id }) => id));
  return due.filter(({ isFinal, batchId }) => isFinal === 1 && known.has(batchId)).map(({ id }) => id);
}

/** A batch of which nobody is accepted ended with its validation, within so long of its acceptance. */
const LONGEST_OPEN_MS = 3_600_000;

/** The next changes behind the mark. A message that is not final yet is passed over: it gets a later place when it is. */
function dueMessages(
  read: Reader,
  accountId: number,
  { beforeMs }: PurgePass,
  from: PassMark,
  limit: number,
): Due[] {
  return read.all<Due>(
    `SELECT id, batch_id AS batchId, stamp_us AS at, is_final AS isFinal FROM messages
     WHERE account_id = $accountId + 0 AND (stamp_us, id) > ($at, $rowId) AND stamp_us <= $beforeUs + 0
     ORDER BY stamp_us LIMIT $limit`,
    { accountId, ...from, beforeUs: beforeMs * 1000, limit },
  );
}

/** Those of the pass among some batches, and whether all of their messages have ended so long ago. */
function batchesOf(read: Reader, { classes, beforeMs }: PurgePass, ids: readonly number[]): DueBatch[] {
  return read
    .all<DueBatch>(
      `SELECT id, message_class AS messageClass, unfinished = 0 AND ended_at IS NOT NULL AND ended_at <= ? + 0 AS isOver
       FROM batches WHERE id IN (SELECT value FROM json_each(?))`,
      beforeMs + SAME_MOMENT_MS,
      JSON.stringify(ids),
    )
    .filter(({ messageClass }) => classes.includes(messageClass));
}

function dropTexts(tx: Tx, messageIds: string): number {
  dropOtherTexts(tx, messageIds);
  return tx.run(DROP_TEXTS, messageIds);
}

const DROP_TEXTS =
  "UPDATE messages SET text = '' WHERE id IN (SELECT value FROM json_each(?)) AND text <> ''";
const DROP_BODIES =
  "UPDATE batches SET body = '' WHERE id IN (SELECT value FROM json_each(?)) AND body <> ''";

function dropMessages(tx: Tx, messageIds: string, alsoForget: AlsoForget): number {
  keepLines(tx, messageIds);
  alsoForget(tx, messageIds);
  tx.run("DELETE FROM parts WHERE message_id IN (SELECT value FROM json_each(?))", messageIds);
  forgetReferences(tx, messageIds);
  forgetReads(tx, messageIds);
  forgetSecondWays(tx, messageIds);
  tx.run("DELETE FROM message_notes WHERE message_id IN (SELECT value FROM json_each(?))", messageIds);
  return tx.run("DELETE FROM messages WHERE id IN (SELECT value FROM json_each(?))", messageIds);
}

function dropRejections(tx: Tx, batchIds: string, limit: number): number {
  return tx.run(
    `DELETE FROM rejections WHERE (batch_id, position) IN
       (SELECT batch_id, position FROM rejections WHERE batch_id IN (SELECT value FROM json_each(?)) LIMIT ?)`,
    batchIds,
    limit,
  );
}
