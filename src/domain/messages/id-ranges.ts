/** Messages as searches of the administration read them: of whatever account, in the order of their ids. */
import type { Reader } from "../../db/reader.ts";
import { IS_NOT_OPEN } from "./batch-status.ts";

/** Messages `m` with their batches `b`, in SQL. */
export const MESSAGES = "messages m JOIN batches b ON b.id = m.batch_id";

/** Selects a message `m` of a batch `b` that somebody was answered for. */
export const IS_VISIBLE = `NOT b.${IS_NOT_OPEN}`;

/** Ids from `fromId` to before `belowId`. */
export type IdSpan = { readonly fromId: number; readonly belowId: number };

/** Ids of a span to a number, whatever else they are. */
export function idsTo(read: Reader, msisdn: string, { fromId, belowId }: IdSpan): number[] {
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
export function rowIdOf(read: Reader, ulid: string): number | null {
  return read.get<{ id: number }>("SELECT id FROM messages WHERE ulid = ?", ulid)?.id ?? null;
}

/** The public id of a message by its row. */
export function ulidOf(read: Reader, id: number): string | null {
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
