/**
 * Purges what is over in the order in which it became so, which the feed keeps: a message that is final never moves in it again. So nothing
 * is searched for, and how far each pass has come is one row an account (docs/behaviour.md#10-retention).
 *
 * A text that a whole batch shares goes with the last of its messages, where the batch ended with that. A batch may end later: a scheduled
 * one waits for its time when all its messages are over, and one without an accepted recipient has no message. So batches are gone through
 * too, in the order in which they were accepted, and what is not over when its turn comes is looked at until it is.
 */
import { type PassCursor, readCursor, saveCursor } from "../../db/cursors.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { clearFallbackBodies, deleteFallback } from "./batch-fallback.ts";
import { dropBatchSenders } from "./batch-senders.ts";
import { recordPurgedLines } from "./billing.ts";
import { clearInactiveTexts, deleteLegs } from "./fallback-legs.ts";
import { MESSAGES_A_BLOCK } from "./feed-stamps.ts";
import { dropCells, dropImports, dropRows } from "./import-rows.ts";
import { deleteMessageReferences } from "./insert.ts";
import { deleteReads } from "./message-view.ts";
import { deleteHeld } from "./restore-holds.ts";
import { deleteSeconds } from "./second-sms.ts";
import { deleteSentTwice } from "./segments.ts";

/** What is purged: of the messages of some classes that ended, or the batches that failed, before an instant. */
export type PurgePass = {
  /** The name under which the progress of the pass is kept. */
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

/** Called before messages are deleted: other rooms record what is derived from them, and delete what is kept about them. */
export type PurgeHook = (tx: Tx, messageIds: readonly number[]) => void;

type Due = { readonly id: number; readonly batchId: number; readonly at: number; readonly isFinal: number };
type DueBatch = { readonly id: number; readonly messageClass: string; readonly isOver: number };

/** A batch mostly ends with its last message, some milliseconds after that one's place in the feed: it need not wait for its own turn. */
const SAME_MOMENT_MS = 60_000;

/** One step over messages: up to `limit` of them. */
export function purgeMessages(
  tx: Tx,
  accountId: number,
  pass: PurgePass,
  limit: number,
  alsoForget: PurgeHook,
): PurgeStep {
  const found = dueMessages(tx, accountId, pass, readCursor(tx, accountId, pass.name), limit);
  const due = pass.what === "texts" ? found : ofFewBlocks(found);
  const batches = batchesOf(tx, pass, [...new Set(due.map(({ batchId }) => batchId))]);
  const ids = taken(due, batches);
  const isOver = found.length < limit && due.length === found.length;
  const over = batches.filter((batch) => batch.isOver === 1);
  const moveOn = ({ at, id }: Due) => saveCursor(tx, accountId, pass.name, { at, rowId: id });
  return purged(tx, { pass, due, limit, isOver, moveOn }, over, () =>
    pass.what === "texts" ? dropTexts(tx, JSON.stringify(ids)) : dropMessages(tx, ids, alsoForget),
  );
}

/** Blocks of messages that one step takes some of: each records the outcomes of all its messages first, which takes a moment. */
const MAX_BLOCKS_A_STEP = 4;

/** The first of what is due, as far as it is of few blocks. */
function ofFewBlocks(due: readonly Due[]): readonly Due[] {
  const blocks = new Set<number>();
  const end = due.findIndex(
    ({ id }) => blocks.add(Math.floor(id / MESSAGES_A_BLOCK)).size > MAX_BLOCKS_A_STEP,
  );
  return end === -1 ? due : due.slice(0, end);
}

/** One step over batches in the order in which they were accepted: looks at up to `limit` of them. */
export function purgeBatches(tx: Tx, accountId: number, pass: PurgePass, limit: number): PurgeStep {
  const name = `${pass.name} of all batches`;
  const due = tx.all<DueBatch & { readonly at: number }>(
    `SELECT id, created_at AS at, message_class AS messageClass, ${OVER_BY} AS isOver FROM batches b
     WHERE account_id = $accountId + 0 AND (created_at, id) > ($at, $rowId) AND created_at <= $beforeMs + 0
     ORDER BY created_at, id LIMIT $limit`,
    {
      accountId,
      ...readCursor(tx, accountId, name),
      beforeMs: pass.beforeMs - USUALLY_OPEN_MS,
      endedMs: pass.beforeMs,
      limit,
    },
  );
  const batches = due.filter(({ messageClass }) => pass.classes.includes(messageClass));
  const moveOn = ({ at, id }: { readonly at: number; readonly id: number }) => {
    for (const batch of batches) if (batch.isOver === 0) leave(tx, accountId, pass, batch.id);
    saveCursor(tx, accountId, name, { at, rowId: id });
  };
  const over = batches.filter(({ isOver }) => isOver === 1);
  return purged(tx, { pass, due, limit, isOver: due.length < limit, moveOn }, over, () => 0);
}

/** Notes a batch that was not over yet when its turn came. */
function leave(tx: Tx, accountId: number, { name }: PurgePass, batchId: number): void {
  tx.run(
    "INSERT INTO unpurged_batches (account_id, pass, batch_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    accountId,
    name,
    batchId,
  );
}

/**
 * One step over the batches that were not over when their turn came, behind an id: looks at up to `limit` of them. `throughId`: what it
 * looked at.
 */
export function purgeLeftovers(
  tx: Tx,
  accountId: number,
  pass: PurgePass,
  afterId: number,
  limit: number,
): PurgeStep & { readonly throughId: number } {
  const due = tx.all<{ readonly id: number; readonly isOver: number }>(
    `SELECT u.batch_id AS id, b.id IS NULL OR (${OVER_BY}) AS isOver
     FROM unpurged_batches u LEFT JOIN batches b ON b.id = u.batch_id
     WHERE u.account_id = $accountId + 0 AND u.pass = $pass AND u.batch_id > $afterId
     ORDER BY u.batch_id LIMIT $limit`,
    { accountId, pass: pass.name, afterId, endedMs: pass.beforeMs, limit },
  );
  const over = due.filter(({ isOver }) => isOver === 1);
  let throughId = afterId;
  const moveOn = ({ id }: { readonly id: number }) => {
    throughId = id;
    for (const batch of over) {
      tx.run(
        "DELETE FROM unpurged_batches WHERE account_id = ? AND pass = ? AND batch_id = ?",
        accountId,
        pass.name,
        batch.id,
      );
    }
  };
  const step = purged(tx, { pass, due, limit, isOver: due.length < limit, moveOn }, over, () => 0);
  return { ...step, throughId };
}

type Looked<Item> = {
  readonly pass: PurgePass;
  readonly due: readonly Item[];
  readonly limit: number;
  /** Nothing more is due behind it. */
  readonly isOver: boolean;
  /** Notes that all was looked at up to the last. */
  readonly moveOn: (last: Item) => void;
};

/** Purges what was looked at, and of batches that are over. Rejected recipients go first: a large batch may have more than a step takes. */
function purged<Item>(
  tx: Tx,
  { pass, due, limit, isOver, moveOn }: Looked<Item>,
  batches: readonly { readonly id: number }[],
  drop: () => number,
): PurgeStep {
  const last = due.at(-1);
  const over = JSON.stringify(batches.map(({ id }) => id));
  const isAll = pass.what === "messages";
  const rejected = isAll ? dropRejections(tx, over, limit) : 0;
  const unread = isAll ? dropRows(tx, over, limit) : dropCells(tx, over, limit);
  const rejections = isAll ? rejected + unread : 0;
  if (!last || rejected === limit || unread === limit)
    return { messages: 0, batches: 0, rejections, isOver: !last };
  moveOn(last);
  clearFallbackBodies(tx, over);
  if (isAll) {
    dropImports(tx, over);
    dropBatchSenders(tx, over);
  }
  return { messages: drop(), batches: tx.run(DROP_BODIES, over), rejections, isOver };
}

/** How many messages of the next `limit` changes a pass would purge, and where it would go on; null: nothing more is due. */
export function countDue(
  read: Reader,
  accountId: number,
  pass: PurgePass,
  from: PassCursor | null,
  limit: number,
): { readonly messages: number; readonly next: PassCursor | null } {
  const due = dueMessages(read, accountId, pass, from ?? readCursor(read, accountId, pass.name), limit);
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

/** Most batches are over so long after their acceptance: their turn comes then. */
const USUALLY_OPEN_MS = 3_600_000;

/** Selects a batch `b` that has ended before `$endedMs` with all its messages. */
const OVER_BY = "b.unfinished = 0 AND b.ended_at IS NOT NULL AND b.ended_at <= $endedMs + 0";

/** The next changes behind the cursor. A message that is not final yet is passed over: it gets a later place when it is. */
function dueMessages(
  read: Reader,
  accountId: number,
  { beforeMs }: PurgePass,
  from: PassCursor,
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
      `SELECT b.id, b.message_class AS messageClass, ${OVER_BY} AS isOver
       FROM batches b WHERE b.id IN (SELECT value FROM json_each($ids))`,
      { endedMs: beforeMs + SAME_MOMENT_MS, ids: JSON.stringify(ids) },
    )
    .filter(({ messageClass }) => classes.includes(messageClass));
}

function dropTexts(tx: Tx, messageIds: string): number {
  clearInactiveTexts(tx, messageIds);
  return tx.run(DROP_TEXTS, messageIds);
}

const DROP_TEXTS =
  "UPDATE messages SET text = '' WHERE id IN (SELECT value FROM json_each(?)) AND text <> ''";
const DROP_BODIES =
  "UPDATE batches SET body = '', other_tags = NULL, warnings = NULL WHERE id IN (SELECT value FROM json_each(?)) AND body <> ''";

function dropMessages(tx: Tx, ids: readonly number[], alsoForget: PurgeHook): number {
  const messageIds = JSON.stringify(ids);
  recordPurgedLines(tx, messageIds);
  alsoForget(tx, ids);
  tx.run("DELETE FROM parts WHERE message_id IN (SELECT value FROM json_each(?))", messageIds);
  deleteMessageReferences(tx, messageIds);
  deleteReads(tx, messageIds);
  deleteLegs(tx, messageIds);
  deleteHeld(tx, messageIds);
  deleteSentTwice(tx, messageIds);
  deleteSeconds(tx, messageIds);
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

/**
 * Takes up to `limit` batches of a sandbox away that ended before an instant and of which no message is left, with what was kept of
 * them; how many went. The newest of all stays: new ids go on above it. What is live keeps its batches for ever: they are its books.
 */
export function deleteSandboxBatches(tx: Tx, accountId: number, beforeMs: number, limit: number): number {
  const over = tx.all<{ id: number }>(
    `SELECT id FROM batches b WHERE account_id = ? AND account_id < 0 AND id < (SELECT max(id) FROM batches) AND created_at < ? AND ended_at < ? AND unclosed = 0
       AND NOT EXISTS (SELECT 1 FROM rejections r WHERE r.batch_id = b.id)
       AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.id >= b.first_message_id AND m.id < b.first_message_id + b.accepted)
     ORDER BY created_at LIMIT ?`,
    accountId,
    beforeMs,
    beforeMs,
    limit,
  );
  for (const { id } of over) {
    tx.run("DELETE FROM purged_lines WHERE batch_id = ?", id);
    deleteFallback(tx, id);
    tx.run("DELETE FROM batches WHERE id = ?", id);
  }
  return over.length;
}
