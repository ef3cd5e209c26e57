/** Stores posts: each from before its first byte leaves until its message is deleted, with the statuses that came of it. */
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import type { CloudStatus } from "./post-facts.ts";

/** A post as its row has it. */
export type PostRecord = {
  readonly messageId: number;
  readonly n: number;
  readonly number: string;
  readonly wamid: string | null;
  /** Which statuses came: 1 sent, 2 delivered, 4 read, 8 failed. */
  readonly statusBits: number;
  /** When waiting for its statuses is given up; null: nothing is waited for, or it is not known yet until when. */
  readonly closeAt: number | null;
  /** Meta's id of the user; null where no status gave it. */
  readonly userId: string | null;
  readonly state: PostState | "POSTED";
  /** Meta's number of the user where it is another than the one that was written to, in digits; null: the same, or not known. */
  readonly waId: string | null;
};

/** The result of a post, by its answer. */
type PostState = "ACCEPTED" | "HELD" | "REFUSED" | "UNANSWERED";

const KEPT =
  "message_id AS messageId, n, number, wamid, told AS statusBits, close_at AS closeAt, user_id AS userId, state, wa_id AS waId";

/** Notes that a message is about to be posted by a number; returns which of its posts it is, from 1. */
export function notePost(tx: Tx, messageId: number, number: string, nowMs: number): number {
  const n = readLatestPostNumber(tx, messageId) + 1;
  tx.run(
    "INSERT INTO whatsapp_posts (message_id, n, number, posted_at, state) VALUES (?, ?, ?, ?, 'POSTED')",
    messageId,
    n,
    number,
    nowMs,
  );
  return n;
}

/** The number of a message's latest post; 0 where there is none. */
export function readLatestPostNumber(read: Reader, messageId: number): number {
  const sql = "SELECT max(n) AS n FROM whatsapp_posts WHERE message_id = ?";
  return read.get<{ n: number | null }>(sql, messageId)?.n ?? 0;
}

/** Whether the latest post of a message is one of which no answer was noted. */
export function isPosting(read: Reader, messageId: number): boolean {
  const sql = "SELECT state FROM whatsapp_posts WHERE message_id = ? ORDER BY n DESC LIMIT 1";
  return read.get<{ state: PostState | "POSTED" }>(sql, messageId)?.state === "POSTED";
}

/** Notes a post that Meta reports and that is not known: another appliance made it, or this one before a restore. */
export function adoptPost(tx: Tx, post: Pick<PostRecord, "messageId" | "n" | "number">, nowMs: number): void {
  tx.run(
    `INSERT INTO whatsapp_posts (message_id, n, number, posted_at, state)
     VALUES ($messageId, $n, $number, $nowMs, 'UNANSWERED')`,
    { messageId: post.messageId, n: post.n, number: post.number, nowMs },
  );
}

export function findPost(read: Reader, messageId: number, n: number): PostRecord | null {
  return read.get<PostRecord>(
    `SELECT ${KEPT} FROM whatsapp_posts WHERE message_id = ? AND n = ?`,
    messageId,
    n,
  );
}

/** A post with all that is known of it, for its message's timeline. `told`: 1 sent, 2 delivered, 4 read, 8 failed. */
export type PostTrace = {
  readonly n: number;
  readonly number: string;
  readonly postedMs: number;
  readonly state: PostState | "POSTED";
  readonly code: number | null;
  /** Meta's id; null where nothing gave it. */
  readonly wamid: string | null;
  readonly told: number;
  readonly readMs: number | null;
};

/** The posts of a message, in their order. */
export function readPostTraces(read: Reader, messageId: number): PostTrace[] {
  return read.all<PostTrace>(
    `SELECT n, number, posted_at AS postedMs, state, code, wamid, told, read_at AS readMs FROM whatsapp_posts
     WHERE message_id = ? ORDER BY n`,
    messageId,
  );
}

/** The posts that Meta gave an id; more than one only where a stand-in uses ids again. */
export function findPostByWamid(read: Reader, wamid: string): PostRecord | null {
  return read.get<PostRecord>(
    `SELECT ${KEPT} FROM whatsapp_posts WHERE wamid = ? ORDER BY message_id DESC LIMIT 1`,
    wamid,
  );
}

/**
 * Notes the answer to a post. `closeAtMs`: when waiting for statuses is given up. One without an answer may have a status
 * already, and is waited for as long as that one says.
 */
export function noteAnswer(
  tx: Tx,
  { messageId, n }: Pick<PostRecord, "messageId" | "n">,
  answer: {
    readonly state: PostState;
    readonly wamid?: string;
    readonly code?: number | null;
    readonly closeAtMs?: number;
    readonly waId?: string | null;
  },
): void {
  const { state, wamid = null, code = null, closeAtMs: closeAt = null, waId = null } = answer;
  tx.run(
    `UPDATE whatsapp_posts SET state = $state, wamid = coalesce($wamid, wamid), code = coalesce($code, code),
       wa_id = coalesce($waId, wa_id), close_at = iif($state = 'UNANSWERED', close_at, $closeAt)
     WHERE message_id = $messageId AND n = $n`,
    { messageId, n, state, wamid, code, closeAt, waId },
  );
}

/** Deletes a post that was certainly not read: it counts as never made. */
export function dropPost(tx: Tx, { messageId, n }: Pick<PostRecord, "messageId" | "n">): void {
  tx.run("DELETE FROM whatsapp_posts WHERE message_id = ? AND n = ?", messageId, n);
}

/** Notes that a status came. `closeAtMs`: until when others are waited for, where that is not known yet. */
export function noteStatus(
  tx: Tx,
  { messageId, n }: Pick<PostRecord, "messageId" | "n">,
  status: {
    readonly bit: number;
    readonly wamid: string;
    readonly userId: string | null;
    readonly waId: string | null;
    readonly code: number | null;
    readonly readAtMs: number | null;
    readonly closeAtMs: number | null;
  },
): void {
  tx.run(
    `UPDATE whatsapp_posts SET told = told | $bit, wamid = coalesce(wamid, $wamid), user_id = coalesce(user_id, $userId),
       wa_id = coalesce(wa_id, $waId), code = coalesce($code, code), read_at = coalesce(read_at, $readAt), close_at = coalesce(close_at, $closeAt) WHERE message_id = $messageId AND n = $n`,
    {
      messageId,
      n,
      bit: status.bit,
      wamid: status.wamid,
      userId: status.userId,
      waId: status.waId,
      code: status.code,
      readAt: status.readAtMs,
      closeAt: status.closeAtMs,
    },
  );
}

/** Posts whose statuses were waited for until now. */
export function readOverduePosts(
  read: Reader,
  nowMs: number,
  limit: number,
): Pick<PostRecord, "messageId" | "n">[] {
  return read.all(
    `SELECT message_id AS messageId, n FROM whatsapp_posts WHERE close_at <= ? ORDER BY close_at LIMIT ?`,
    nowMs,
    limit,
  );
}

export function isPostOverdue(read: Reader, nowMs: number): boolean {
  return readOverduePosts(read, nowMs, 1).length > 0;
}

/** Ends waiting for statuses. */
export function closePost(tx: Tx, { messageId, n }: Pick<PostRecord, "messageId" | "n">): void {
  tx.run("UPDATE whatsapp_posts SET close_at = NULL WHERE message_id = ? AND n = ?", messageId, n);
}

/** Deletes the posts of deleted messages, by their ids as a JSON list. */
export function forgetPosts(tx: Tx, messageIds: string): void {
  tx.run("DELETE FROM whatsapp_posts WHERE message_id IN (SELECT value FROM json_each(?))", messageIds);
}

/** The latest message that reached the user of a user id; null where no status told of one. */
export function findMessageToUser(read: Reader, userId: string): number | null {
  const sql = "SELECT max(message_id) AS messageId FROM whatsapp_posts WHERE user_id = ?";
  return read.get<{ messageId: number | null }>(sql, userId)?.messageId ?? null;
}

/** The latest messages to a user whom Meta calls by another number than was written to, the latest first. */
export function readMessagesToWaId(read: Reader, waId: string, limit: number): number[] {
  const sql =
    "SELECT message_id AS messageId FROM whatsapp_posts WHERE wa_id = ? ORDER BY message_id DESC LIMIT ?";
  return read.all<{ messageId: number }>(sql, waId, limit).map(({ messageId }) => messageId);
}

/** Erases Meta's ids, some of which hold a user's number, from the posts of messages, by their ids as a JSON list. */
export function erasePosts(tx: Tx, messageIds: string): void {
  tx.run(
    `UPDATE whatsapp_posts SET wamid = NULL, user_id = NULL, wa_id = NULL
     WHERE message_id IN (SELECT value FROM json_each(?))
       AND (wamid IS NOT NULL OR user_id IS NOT NULL OR wa_id IS NOT NULL)`,
    messageIds,
  );
}

/** A page of the posts since an instant that were not refused, oldest first: by which numbers, and of which messages. */
export function readPostsSince(
  read: Reader,
  after: { readonly atMs: number; readonly messageId: number },
  limit: number,
): { readonly messageId: number; readonly number: string; readonly postedAt: number }[] {
  return read.all(
    `SELECT message_id AS messageId, number, posted_at AS postedAt FROM whatsapp_posts
     WHERE (posted_at, message_id) > (?, ?) AND state <> 'REFUSED' AND told & 8 = 0
     ORDER BY posted_at, message_id LIMIT ?`,
    after.atMs,
    after.messageId,
    limit,
  );
}

// Unmatched statuses: they came before their post was known, and wait for the answer to it, 72 hours at most.

export const UNMATCHED_STATUS_MS = 72 * 3_600_000;

export function storeUnmatchedStatus(tx: Tx, status: CloudStatus, nowMs: number): void {
  tx.run(
    `INSERT INTO whatsapp_unmatched_statuses (wamid, status, received_at, told) VALUES (?, ?, ?, ?)
     ON CONFLICT (wamid, status) DO NOTHING`,
    status.wamid,
    status.status,
    nowMs,
    JSON.stringify(status),
  );
}

/** Takes out the statuses of an id, in the order in which they came. */
export function takeUnmatchedStatuses(tx: Tx, wamid: string): CloudStatus[] {
  const rows = readUnmatched(tx, wamid);
  if (rows.length > 0) tx.run("DELETE FROM whatsapp_unmatched_statuses WHERE wamid = ?", wamid);
  return rows;
}

function readUnmatched(read: Reader, wamid: string): CloudStatus[] {
  return read
    .all<{ told: string }>(
      "SELECT told FROM whatsapp_unmatched_statuses WHERE wamid = ? ORDER BY received_at LIMIT 16",
      wamid,
    )
    .map(({ told }) => ({ userId: null, waId: null, ...JSON.parse(told) }));
}

/** Whether a status has waited since before an instant. */
export function isStatusOld(read: Reader, beforeMs: number): boolean {
  const sql = "SELECT 1 FROM whatsapp_unmatched_statuses WHERE received_at < ? LIMIT 1";
  return read.get(sql, beforeMs) !== null;
}

/** Deletes statuses that waited too long, up to `limit`; returns how many. */
export function dropExpiredStatuses(tx: Tx, beforeMs: number, limit: number): number {
  return tx.run(
    `DELETE FROM whatsapp_unmatched_statuses WHERE (wamid, status) IN
       (SELECT wamid, status FROM whatsapp_unmatched_statuses WHERE received_at < ? ORDER BY received_at LIMIT ?)`,
    beforeMs,
    limit,
  );
}
