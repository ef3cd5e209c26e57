/**
 * Stores what is posted to another Bendre: by message and by whose feed tells of it the newest post, from its claim on. The idempotency key
 * counts refusals: a post whose answer was lost is repeated under the same key, also by another process. And how far each feed was read.
 */
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { readUlid } from "../../domain/messages/id-ranges.ts";

/** POSTED: claimed, and no answer is known; TAKEN: it has it; SENT: its operator has it; ENDED: nothing more is waited for. */
type PostState = "POSTED" | "TAKEN" | "SENT" | "ENDED";

/** A post, and how it left. */
export type StoredPost = {
  readonly messageId: number;
  /** The address of the API whose feed tells of it. */
  readonly feed: string;
  /** How many keys the message has had there. */
  readonly n: number;
  readonly attempt: number;
  readonly connection: number;
  readonly postedAt: number;
  readonly account: string;
  /** The route that it left by; "" of an operator without routes. */
  readonly route: string;
  readonly state: PostState;
};

const KEPT =
  "message_id AS messageId, feed, n, attempt, connection, posted_at AS postedAt, account, route, state";

/** The newest post of a message to a feed's owner. */
export function findPost(read: Reader, messageId: number, feed: string): StoredPost | null {
  return read.get<StoredPost>(
    `SELECT ${KEPT} FROM partner_posts WHERE message_id = ? AND feed = ?`,
    messageId,
    feed,
  );
}

/** Notes, in the transaction of its claim, that a message is about to be posted; returns the key. */
export function claimPost(tx: Tx, post: Omit<StoredPost, "n" | "state">): string {
  const before = findPost(tx, post.messageId, post.feed);
  // What it has, as its feed told before an answer did, it is not given again under another key.
  const isOpen = before?.state === "POSTED" || before?.state === "TAKEN";
  const n = before === null ? 1 : isOpen ? before.n : before.n + 1;
  tx.run(
    `INSERT INTO partner_posts (message_id, feed, n, attempt, connection, posted_at, account, route, state)
     VALUES ($messageId, $feed, $n, $attempt, $connection, $postedAt, $account, $route, 'POSTED')
     ON CONFLICT (message_id, feed) DO UPDATE SET n = excluded.n, attempt = excluded.attempt, connection = excluded.connection,
       posted_at = excluded.posted_at, account = excluded.account, route = excluded.route, state = excluded.state`,
    { ...post, n },
  );
  return `${readUlid(tx, post.messageId) ?? post.messageId}-${n}`;
}

/** Reads a key; null for what is none of ours. */
export function parseKey(key: string): { readonly ulid: string; readonly n: number } | null {
  const [, ulid = "", n = ""] = /^([0-9A-HJKMNP-TV-Z]{26})-([1-9]\d{0,8})$/.exec(key) ?? [];
  return ulid === "" ? null : { ulid, n: Number(n) };
}

/** Notes how far a post has come. */
export function movePost(
  tx: Tx,
  { messageId, feed }: Pick<StoredPost, "messageId" | "feed">,
  state: PostState,
): void {
  tx.run("UPDATE partner_posts SET state = ? WHERE message_id = ? AND feed = ?", state, messageId, feed);
}

/** Whether another Bendre has a message, and has not said yet what becomes of it. */
export function isWithPartner(read: Reader, messageId: number): boolean {
  return (
    read.get("SELECT 1 FROM partner_posts WHERE message_id = ? AND state = 'TAKEN' LIMIT 1", messageId) !==
    null
  );
}

/** Whether the owner of a feed has answered to the newest post of a message. */
export function hasAnswered(read: Reader, messageId: number, feed: string): boolean {
  const post = findPost(read, messageId, feed);
  return post !== null && post.state !== "POSTED";
}

/** When the oldest post left of which a feed may still tell; null where there is none. */
export function oldestOpenPost(read: Reader, feed: string): number | null {
  return (
    read.get<{ atMs: number }>(
      "SELECT posted_at AS atMs FROM partner_posts WHERE feed = ? AND state <> 'ENDED' ORDER BY posted_at LIMIT 1",
      feed,
    )?.atMs ?? null
  );
}

/** Deletes the posts of deleted messages, by their ids as a JSON list. */
export function forgetPartnerPosts(tx: Tx, messageIds: string): void {
  tx.run("DELETE FROM partner_posts WHERE message_id IN (SELECT value FROM json_each(?))", messageIds);
}

/** Who reads a feed: a connection of an operator. */
export type FeedReader = { readonly operator: string; readonly connection: string };

/** The cursor of a feed as its owner gave it; null where it was never read. */
export function readFeedCursor(read: Reader, { operator, connection }: FeedReader): string | null {
  return (
    read.get<{ at: string }>(
      "SELECT at FROM partner_feeds WHERE operator = ? AND connection = ?",
      operator,
      connection,
    )?.at ?? null
  );
}

export function saveFeedCursor(tx: Tx, { operator, connection }: FeedReader, at: string): void {
  tx.run(
    `INSERT INTO partner_feeds (operator, connection, at) VALUES (?, ?, ?)
     ON CONFLICT (operator, connection) DO UPDATE SET at = excluded.at`,
    operator,
    connection,
    at,
  );
}
