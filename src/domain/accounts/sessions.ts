/**
 * Sessions of console users: 12 hours at most, 30 minutes without use; the password alone counts for five minutes. Only a
 * hash of the secret is stored.
 */
import { createHash } from "node:crypto";
import type { Chance } from "../../core/chance.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";

/** A session ends this long after it began, and after this long without a request. */
const SESSION_MS = 12 * 3_600_000;
const IDLE_MS = 30 * 60_000;
/** How long the password alone counts, until the second factor must have followed. */
const PENDING_MS = 5 * 60_000;
/** How long a second factor that was asked for again counts. */
const CONFIRMED_MS = 5 * 60_000;
/** A session that is used is written down at most this often. */
const SEEN_EVERY_MS = 60_000;

const TOKEN_OCTETS = 32;

/** What the password opened, or both factors. */
type SessionStage = "PASSWORD" | "FULL";

export type Session = {
  readonly id: number;
  readonly userId: number;
  readonly stage: SessionStage;
  readonly createdAtMs: number;
  readonly seenAtMs: number;
  /** When the second factor was given again; null: not yet. */
  readonly confirmedAtMs: number | null;
  readonly address: string;
  readonly agent: string;
};

/** Where somebody came from, as far as it is known. */
export type ClientOrigin = { readonly address: string; readonly agent: string };

const COLUMNS = `id, user_id AS userId, stage, created_at AS createdAtMs, seen_at AS seenAtMs,
  confirmed_at AS confirmedAtMs, address, agent`;

/** What is kept of a secret that was drawn at random: enough to know it again. */
export function hashOfSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

/** Begins a session; returns its secret, which is given to the browser and kept nowhere. */
export function beginSession(
  tx: Tx,
  chance: Chance,
  userId: number,
  stage: SessionStage,
  visitor: ClientOrigin,
  nowMs: number,
): string {
  const token = Buffer.from(chance.bytes(TOKEN_OCTETS)).toString("base64url");
  const { address, agent } = visitor;
  tx.insert(
    `INSERT INTO user_sessions (user_id, token_hash, stage, created_at, seen_at, address, agent)
     VALUES ($userId, $hash, $stage, $nowMs, $nowMs, $address, $agent)`,
    { userId, hash: hashOfSecret(token), stage, nowMs, address, agent },
  );
  return token;
}

/** The session of a secret while it lasts; null for any other text. */
export function findSession(read: Reader, token: string, nowMs: number): Session | null {
  const session = read.get<Session>(
    `SELECT ${COLUMNS} FROM user_sessions WHERE token_hash = ?`,
    hashOfSecret(token),
  );
  return session && isAlive(session, nowMs) ? session : null;
}

/** Whether a session that was found before still lasts. Another may have its row by now: ids of the newest ones are given again. */
export function isLasting(read: Reader, known: Session, nowMs: number): boolean {
  const session = read.get<Session>(`SELECT ${COLUMNS} FROM user_sessions WHERE id = ?`, known.id);
  const { userId, stage, createdAtMs } = known;
  const isSame = session?.userId === userId && session.stage === stage && session.createdAtMs === createdAtMs;
  return isSame && isAlive(session, nowMs);
}

function isAlive({ stage, createdAtMs, seenAtMs }: Session, nowMs: number): boolean {
  const lasts = stage === "FULL" ? SESSION_MS : PENDING_MS;
  return nowMs < createdAtMs + lasts && nowMs < seenAtMs + IDLE_MS;
}

/** Whether the second factor was given again a moment ago. */
export function isConfirmed({ confirmedAtMs }: Session, nowMs: number): boolean {
  return confirmedAtMs !== null && nowMs < confirmedAtMs + CONFIRMED_MS && nowMs >= confirmedAtMs;
}

/** Whether it is to be written down that a session is used. */
export function isSeenDue({ seenAtMs }: Session, nowMs: number): boolean {
  return nowMs >= seenAtMs + SEEN_EVERY_MS;
}

export function noteSeen(tx: Tx, id: number, nowMs: number): void {
  tx.run("UPDATE user_sessions SET seen_at = ? WHERE id = ?", nowMs, id);
}

export function confirmSession(tx: Tx, id: number, nowMs: number): void {
  tx.run("UPDATE user_sessions SET confirmed_at = ? WHERE id = ?", nowMs, id);
}

/** Ends one session of a user; false where there is none such. */
export function endSession(tx: Tx, userId: number, id: number): boolean {
  return tx.run("DELETE FROM user_sessions WHERE id = ? AND user_id = ?", id, userId) === 1;
}

/** Ends every session of a user; how many. */
export function endSessions(tx: Tx, userId: number): number {
  return tx.run("DELETE FROM user_sessions WHERE user_id = ?", userId);
}

/** Ends every session and voids every link of an account's users. */
export function endSessionsOfAccount(tx: Tx, accountId: number): void {
  tx.run("DELETE FROM user_sessions WHERE user_id IN (SELECT id FROM users WHERE account_id = ?)", accountId);
  tx.run("DELETE FROM user_links WHERE user_id IN (SELECT id FROM users WHERE account_id = ?)", accountId);
}

/** Ends every session and voids every link: of a copy nobody knows which of them ended after it was made. */
export function endAllSessions(tx: Tx): void {
  tx.run("DELETE FROM user_sessions");
  tx.run("DELETE FROM user_links");
}

/** The most sessions that a list names. */
const MAX_LISTED = 200;

/** The sessions of a user that both factors opened and that last, newest first. */
export function sessionsOfUser(read: Reader, userId: number, nowMs: number): Session[] {
  return read
    .all<Session>(
      `SELECT ${COLUMNS} FROM user_sessions WHERE user_id = ? ORDER BY id DESC LIMIT ?`,
      userId,
      MAX_LISTED,
    )
    .filter((session) => session.stage === "FULL" && isAlive(session, nowMs));
}

/** Forgets up to `limit` sessions that began before an instant, oldest first; how many. */
export function purgeSessions(tx: Tx, beforeMs: number, limit: number): number {
  return tx.run(
    `DELETE FROM user_sessions WHERE id IN
       (SELECT id FROM user_sessions WHERE created_at < ? ORDER BY created_at LIMIT ?)`,
    beforeMs,
    limit,
  );
}
