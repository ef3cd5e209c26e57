import type { Chance } from "../../core/chance.ts";
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import { hashOfSecret } from "./sessions.ts";

/** A link works once, and for this long. */
export const LINK_MS = 30 * 60_000;
const SECRET_OCTETS = 32;

/** A link that sets a password and a second factor; without a user it makes the first one. */
export type UserLink = { readonly id: number; readonly userId: number | null };

/** Makes a link; its secret. It voids what the same user had before. */
export function createLink(tx: Tx, chance: Chance, userId: number | null, nowMs: number): string {
  revokeLinks(tx, userId);
  const secret = Buffer.from(chance.bytes(SECRET_OCTETS)).toString("base64url");
  tx.insert(
    "INSERT INTO user_links (user_id, secret_hash, expires_at) VALUES (?, ?, ?)",
    userId,
    hashOfSecret(secret),
    nowMs + LINK_MS,
  );
  return secret;
}

/** Voids every link of a user; of null, those that make the first one. */
export function revokeLinks(tx: Tx, userId: number | null): void {
  tx.run("DELETE FROM user_links WHERE user_id IS ?", userId);
}

/** The link of a secret while it works; looking changes nothing. */
export function findUsableLink(read: Reader, secret: string, nowMs: number): UserLink | null {
  return read.get<UserLink>(
    "SELECT id, user_id AS userId FROM user_links WHERE secret_hash = ? AND expires_at > ?",
    hashOfSecret(secret),
    nowMs,
  );
}

/** The link of a secret, however long ago it ended; it is known for about a day. */
export function findLink(read: Reader, secret: string): UserLink | null {
  return read.get<UserLink>(
    "SELECT id, user_id AS userId FROM user_links WHERE secret_hash = ?",
    hashOfSecret(secret),
  );
}

/** Forgets up to `limit` links that ended before an instant; how many. */
export function purgeLinks(tx: Tx, beforeMs: number, limit: number): number {
  return tx.run(
    "DELETE FROM user_links WHERE id IN (SELECT id FROM user_links WHERE expires_at < ? ORDER BY expires_at LIMIT ?)",
    beforeMs,
    limit,
  );
}
