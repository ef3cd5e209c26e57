/** Messages by spans of their row ids, as searches of the administration read them, and row ids by public ids. */
import type { Reader } from "../../db/reader.ts";
import { IS_NOT_OPEN } from "./batch-status.ts";
import { MESSAGE_COLUMNS, type MessageRow } from "./message-view.ts";

/** Messages `m` with their batches `b`, in SQL. */
export const MESSAGES = "messages m JOIN batches b ON b.id = m.batch_id";

/** Selects a message `m` of a batch `b` that somebody was answered for. */
export const IS_VISIBLE = `NOT b.${IS_NOT_OPEN}`;

/** Ids from `fromId` to before `belowId`. */
export type IdSpan = { readonly fromId: number; readonly belowId: number };

/** Ids of a span to a number, whatever else they are. */
export function findIdsTo(read: Reader, msisdn: string, { fromId, belowId }: IdSpan): number[] {
  return read
    .all<{ id: number }>(
      "SELECT id FROM messages WHERE id >= ? AND id < ? AND msisdn = ?",
      fromId,
      belowId,
      msisdn,
    )
    .map(({ id }) => id);
}

type Place = { readonly id: number; readonly ulid: string; readonly createdAt: number };

/** The first message with an id from one on, and when its batch was accepted. */
export function placeFrom(read: Reader, id: number): Place | null {
  return read.get<Place>(
    "SELECT id, ulid, created_at AS createdAt FROM messages WHERE id >= ? ORDER BY id LIMIT 1",
    id,
  );
}

/** The lowest and the highest id there are; null without messages. */
export function idsAtAll(read: Reader): { readonly first: number; readonly last: number } | null {
  const found = read.get<{ first: number | null; last: number | null }>(
    "SELECT (SELECT min(id) FROM messages) AS first, (SELECT max(id) FROM messages) AS last",
  );
  return found?.first == null || found.last === null ? null : { first: found.first, last: found.last };
}

/** The row of a message by its public id. */
export function findRowId(read: Reader, ulid: string): number | null {
  return read.get<{ id: number }>("SELECT id FROM messages WHERE ulid = ?", ulid)?.id ?? null;
}

/** The public id of a message by its row. */
export function readUlid(read: Reader, id: number): string | null {
  return read.get<{ ulid: string }>("SELECT ulid FROM messages WHERE id = ?", id)?.ulid ?? null;
}

/** The highest id below another, null where there is none. */
export function idBelow(read: Reader, id: number): number | null {
  return (
    read.get<{ id: number }>("SELECT id FROM messages WHERE id < ? ORDER BY id DESC LIMIT 1", id)?.id ?? null
  );
}

/** The highest id: read again only after something was written to messages or batches, and then as another object. */
export function highestId(read: Reader): { readonly id: number | null } | null {
  return read.known<{ id: number | null; batchId: number | null }>(
    "SELECT (SELECT max(id) FROM messages) AS id, (SELECT max(id) FROM batches) AS batchId",
  );
}

/** Below this id every message is written, but for those of submissions that are being accepted at this moment. */
export function completeBelow(read: Reader): number {
  const row = read.get<{ newest: number | null; staging: number | null; validating: number | null }>(
    `SELECT (SELECT max(id) + 1 FROM messages) AS newest,
       (SELECT min(first_message_id) FROM batches WHERE status = 'STAGING') AS staging,
       (SELECT min(first_message_id) FROM batches WHERE status = 'VALIDATING') AS validating`,
  );
  const above = Number.MAX_SAFE_INTEGER;
  return Math.min(row?.newest ?? 0, row?.staging ?? above, row?.validating ?? above);
}

/** Up to `limit` messages of an account that moved between two stamps, in the order of stamps. */
export function movedBetween(
  read: Reader,
  accountId: number,
  { afterUs, toUs }: { readonly afterUs: number; readonly toUs: number },
  limit: number,
): { readonly id: number; readonly stampUs: number }[] {
  return read.all(
    `SELECT id, stamp_us AS stampUs FROM messages WHERE account_id = ? AND stamp_us > ? AND stamp_us <= ?
     ORDER BY stamp_us LIMIT ?`,
    accountId,
    afterUs,
    toUs,
    limit,
  );
}

/** Batches of an account that were opened after a stamp, and whose messages bear no stamps of their own. */
export function runsSince(
  read: Reader,
  accountId: number,
  afterUs: number,
): { readonly firstId: number; readonly count: number }[] {
  return read.all(
    `SELECT first_message_id AS firstId, accepted AS count FROM batches
     WHERE account_id = ? AND queued_stamp_us IS NOT NULL AND queued_stamp_us > ?`,
    accountId,
    afterUs,
  );
}

// Searches messages to numbers of which a part is known. No index leads to them, for it would cost every message: the
// newest batches are gone through, some hundred messages of the primary key in one go.

/** Where a search for a part of a number goes on: below this message of this batch. */
export type PartPlace = { readonly batchId: number; readonly createdAtMs: number; readonly belowId: number };

/** Messages of a batch that follow each other. */
type PartSpan = PartPlace & { readonly fromId: number; readonly accountId: number };

/** Before everything. */
export const NEWEST: PartPlace = {
  batchId: Number.MAX_SAFE_INTEGER,
  createdAtMs: Number.MAX_SAFE_INTEGER,
  belowId: 0,
};

/** The next batches below one, of one account or of all; the newest first. */
export function spansBelow(
  read: Reader,
  { batchId, createdAtMs }: PartPlace,
  accountId: number | null,
  limit: number,
): PartSpan[] {
  const columns = `id AS batchId, account_id AS accountId, created_at AS createdAtMs, first_message_id AS fromId,
    first_message_id + accepted AS belowId`;
  if (accountId === null) {
    return read.all<PartSpan>(
      `SELECT ${columns} FROM batches WHERE id < ? ORDER BY id DESC LIMIT ?`,
      batchId,
      limit,
    );
  }
  return read.all<PartSpan>(
    `SELECT ${columns} FROM batches INDEXED BY batches_of_account
     WHERE account_id = ? AND (created_at, id) < (?, ?) ORDER BY created_at DESC, id DESC LIMIT ?`,
    accountId,
    createdAtMs,
    batchId,
    limit,
  );
}

export type MessageToPart = MessageRow & { readonly account_id: number };

/** Those of a span whose number has some digits among its last `national` ones, the newest first. */
export function messagesWithPart(
  read: Reader,
  { fromId, belowId, batchId }: Pick<PartSpan, "fromId" | "belowId" | "batchId">,
  digits: string,
  national: number,
): MessageToPart[] {
  return read.all<MessageToPart>(
    `SELECT ${MESSAGE_COLUMNS}, m.account_id FROM ${MESSAGES}
     WHERE m.id >= $fromId AND m.id < $belowId AND m.batch_id = $batchId AND ${IS_VISIBLE}
       AND m.msisdn LIKE '+%' AND instr(substr(m.msisdn, -$national), $digits) > 0 ORDER BY m.id DESC`,
    { fromId, belowId, batchId, digits, national },
  );
}
