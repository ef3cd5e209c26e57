/**
 * People who sign in to the console: their logins, roles, passwords and second factors, sessions, links that set a password.
 *
 * Begin here: this file holds the rows of users. `sign-in.ts` lets somebody in, `sessions.ts` keeps them in and puts them out,
 * `user-links.ts` is how they come to have a password. Nothing here knows HTTP, cookies or what a role may do.
 */

import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { accountById } from "./accounts.ts";
import type { Role, UserLanguage } from "./roles.ts";

export type ConsoleUser = {
  readonly id: number;
  /** An e-mail address in small letters. */
  readonly login: string;
  readonly role: Role;
  /** The account of an account's role; null of staff. */
  readonly accountId: number | null;
  /** Null: the browser's. */
  readonly language: UserLanguage | null;
  /** Null: the default of the configuration. */
  readonly timezone: string | null;
  readonly status: "ACTIVE" | "DISABLED";
  /** Null until a link was used: nobody signs in then. */
  readonly passwordHash: string | null;
  /** Sealed (`second-factor.ts`). */
  readonly totpSecret: string | null;
  /** The last step of time whose code was taken: none up to it is taken again. */
  readonly totpStep: number;
  /** 1: the second factor followed from a link, as it did once, and is to be renewed. */
  readonly hasLinkFactor: 0 | 1;
  readonly createdAtMs: number;
};

const COLUMNS = `id, login, role, account_id AS accountId, language, timezone, status, password_hash AS passwordHash,
  totp_secret AS totpSecret, totp_step AS totpStep, has_link_factor AS hasLinkFactor, created_at AS createdAtMs`;

/** A login as it is kept and compared. */
export function normaliseLogin(text: string): string {
  return text.trim().normalize("NFC").toLowerCase();
}

const LOGIN = /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]+\.[^\s@\p{Cc}.]{2,}$/u;
const MAX_LOGIN = 254;

/** Whether a plain login has the shape of an e-mail address (RFC 5321 section 4.5.3.1 for its length). */
export function isLogin(login: string): boolean {
  return login.length <= MAX_LOGIN && LOGIN.test(login);
}

export function userByLogin(read: Reader, login: string): ConsoleUser | null {
  return read.get<ConsoleUser>(`SELECT ${COLUMNS} FROM users WHERE login = ?`, normaliseLogin(login));
}

export function userById(read: Reader, id: number): ConsoleUser | null {
  return read.get<ConsoleUser>(`SELECT ${COLUMNS} FROM users WHERE id = ?`, id);
}

/** Whether a user has used a link once, also where their password was taken away since. */
export function hasSignedIn({ passwordHash, totpStep }: ConsoleUser): boolean {
  return passwordHash !== null || totpStep > 0;
}

/** Whether a user may be let in: enabled, and of staff or of an account that is not closed. Of a suspended account people may look. */
export function canSignIn(read: Reader, user: ConsoleUser | null): user is ConsoleUser {
  if (user?.status !== "ACTIVE") return false;
  return user.accountId === null || accountById(read, user.accountId)?.status !== "CLOSED";
}

/** Whether there is nobody else who could stand in for an owner: who can sign in, for one who can. */
export function isLastOwner(read: Reader, { id, role, status, passwordHash }: ConsoleUser): boolean {
  if (role !== "OWNER" || status !== "ACTIVE") return false;
  const other = read.get(
    `SELECT 1 FROM users WHERE role = 'OWNER' AND status = 'ACTIVE' AND id <> ? AND (password_hash IS NOT NULL OR ?)
     LIMIT 1`,
    id,
    passwordHash === null ? 1 : 0,
  );
  return other === null;
}

/** Whether there is anybody who could sign in, or be given a link. */
export function hasUsers(read: Reader): boolean {
  return read.get("SELECT 1 FROM users LIMIT 1") !== null;
}

/** The most users that a list names. */
const MAX_LISTED = 10_000;

export function listUsers(read: Reader): ConsoleUser[] {
  return read.all<ConsoleUser>(`SELECT ${COLUMNS} FROM users ORDER BY id LIMIT ?`, MAX_LISTED);
}

export function usersOfAccount(read: Reader, accountId: number): ConsoleUser[] {
  return read.all<ConsoleUser>(
    `SELECT ${COLUMNS} FROM users WHERE account_id = ? ORDER BY id LIMIT ?`,
    accountId,
    MAX_LISTED,
  );
}

/** Users of an account, or of none, behind a row; `isOfOwn`: those alone who have come in (see `hasSignedIn`). */
export function listUsersAfter(
  read: Reader,
  { accountId, isOfOwn }: { readonly accountId: number | null; readonly isOfOwn: boolean },
  after: number,
  limit: number,
): ConsoleUser[] {
  const whose = accountId === null ? "account_id IS NULL AND $accountId IS NULL" : "account_id = $accountId";
  const known = isOfOwn ? "AND (password_hash IS NOT NULL OR totp_step > 0)" : "";
  return read.all<ConsoleUser>(
    `SELECT ${COLUMNS} FROM users WHERE ${whose} AND id > $after ${known} ORDER BY id LIMIT $limit`,
    { accountId, after, limit },
  );
}

export type NewUser = Pick<ConsoleUser, "login" | "role" | "accountId" | "language">;

/** Adds a user who cannot sign in yet; the id. */
export function createUser(tx: Tx, user: NewUser, nowMs: number): number {
  return tx.insert(
    `INSERT INTO users (login, role, account_id, language, created_at)
     VALUES ($login, $role, $accountId, $language, $nowMs)`,
    { ...user, nowMs },
  );
}

export function setRole(tx: Tx, id: number, role: Role): void {
  tx.run("UPDATE users SET role = ? WHERE id = ?", role, id);
}

export function setStatus(tx: Tx, id: number, status: ConsoleUser["status"]): void {
  tx.run("UPDATE users SET status = ? WHERE id = ?", status, id);
}

export function setLanguage(tx: Tx, id: number, language: UserLanguage): void {
  tx.run("UPDATE users SET language = ? WHERE id = ?", language, id);
}

export function setPassword(tx: Tx, id: number, passwordHash: string): void {
  tx.run("UPDATE users SET password_hash = ? WHERE id = ?", passwordHash, id);
}

/** Puts a sealed second factor in place, whose codes count from after `totpStep`. */
export function setSecondFactor(tx: Tx, id: number, sealed: string, totpStep: number): void {
  const sql = "UPDATE users SET totp_secret = ?, totp_step = ?, has_link_factor = 0 WHERE id = ?";
  tx.run(sql, sealed, totpStep, id);
}

/** Takes a step of time for good. False: it, or a later one, was taken before. */
export function consumeTotpStep(tx: Tx, id: number, totpStep: number): boolean {
  return tx.run("UPDATE users SET totp_step = ?1 WHERE id = ?2 AND totp_step < ?1", totpStep, id) === 1;
}

/** Takes password and second factor away: only a link lets this user in again. */
export function clearCredentials(tx: Tx, id: number): void {
  const sql = "UPDATE users SET password_hash = NULL, totp_secret = NULL, has_link_factor = 0 WHERE id = ?";
  tx.run(sql, id);
}

/** Takes a user away, with all that is of them alone. What they did stays in the audit under their login. */
export function deleteUser(tx: Tx, id: number): void {
  tx.run("DELETE FROM user_networks WHERE user_id = ?", id);
  tx.run("DELETE FROM user_recovery_codes WHERE user_id = ?", id);
  tx.run("DELETE FROM user_sessions WHERE user_id = ?", id);
  tx.run("DELETE FROM user_links WHERE user_id = ?", id);
  tx.run("DELETE FROM users WHERE id = ?", id);
}
