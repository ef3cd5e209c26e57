/** Credentials of clients of the Kannel and Jasmin interfaces, which open nothing else (docs/behaviour.md#users-of-these-doors). */
import { timingSafeEqual } from "node:crypto";
import type { Chance } from "../../core/chance.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { hashSecret } from "./api-keys.ts";
import type { MessageClass } from "./message-class.ts";
import { drawPassword } from "./passwords.ts";

/** Who may use the HTTP routes for clients of Kannel and Jasmin, and nothing else (docs/behaviour.md#users-of-these-doors). */
export type CompatUser = {
  readonly id: number;
  readonly name: string;
  readonly accountId: number;
  /** Of all that the user sends. */
  readonly messageClass: MessageClass;
  /** Where a request names none; null: the request must. */
  readonly sender: string | null;
  readonly createdAtMs: number;
  readonly revokedAtMs: number | null;
};

type NewCompatUser = Pick<CompatUser, "name" | "accountId" | "messageClass" | "sender">;

/** Sixteen letters and digits are 95 bits: a fast hash is enough. Jasmin's clients take no longer ones. */
const PASSWORD_LENGTH = 16;

/** Creates a user whose name nobody has; the password, which cannot be read again from anywhere. */
export function createCompatUser(tx: Tx, chance: Chance, user: NewCompatUser, nowMs: number): string {
  const password = drawPassword(chance, PASSWORD_LENGTH);
  tx.insert(
    `INSERT INTO compat_users (name, account_id, message_class, sender, password_sha256, created_at)
     VALUES ($name, $accountId, $messageClass, $sender, $digest, $nowMs)`,
    { ...user, digest: hashSecret(password), nowMs },
  );
  return password;
}

const COLUMNS = `id, name, account_id AS accountId, message_class AS messageClass, sender, created_at AS createdAtMs,
  revoked_at AS revokedAtMs`;

/** The user of this name who was not revoked, or null. */
export function compatUserByName(read: Reader, name: string): CompatUser | null {
  return read.get<CompatUser>(
    `SELECT ${COLUMNS} FROM compat_users WHERE name = ? AND revoked_at IS NULL`,
    name,
  );
}

/** The account's users, oldest first, revoked ones included. */
export function listCompatUsers(read: Reader, accountId: number): CompatUser[] {
  return read.all<CompatUser>(
    `SELECT ${COLUMNS} FROM compat_users WHERE account_id = ? ORDER BY id`,
    accountId,
  );
}

/** Ends a user for good. */
export function revokeCompatUser(tx: Tx, id: number, nowMs: number): void {
  tx.run("UPDATE compat_users SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", nowMs, id);
}

/** Ends every user of an account; how many. */
export function revokeAccountCompatUsers(tx: Tx, accountId: number, nowMs: number): number {
  return tx.run(
    "UPDATE compat_users SET revoked_at = ? WHERE account_id = ? AND revoked_at IS NULL",
    nowMs,
    accountId,
  );
}

/** Stands in for the digest of a user who does not exist. */
const NO_DIGEST = new Uint8Array(32);

/** Who this is, or null: alike for an unknown name, a wrong password and a suspended account. */
export function authenticateCompatUser(read: Reader, name: string, password: string): CompatUser | null {
  const row = read.get<CompatUser & { readonly digest: Uint8Array; readonly status: string }>(
    `SELECT u.id, u.name, u.account_id AS accountId, u.message_class AS messageClass, u.sender,
       u.created_at AS createdAtMs, u.revoked_at AS revokedAtMs, u.password_sha256 AS digest, a.status
     FROM compat_users u JOIN accounts a ON a.id = u.account_id WHERE u.name = ? AND u.revoked_at IS NULL`,
    name,
  );
  const isRight = timingSafeEqual(hashSecret(password), row?.digest ?? NO_DIGEST);
  if (!row || !isRight || row.status !== "ACTIVE") return null;
  const { digest: _, status: __, ...user } = row;
  return user;
}
