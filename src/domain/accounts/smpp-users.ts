/**
 * Customers' SMPP users: who may bind with which system_id, from where, how fast, and how they are answered.
 *
 * A password is eight letters and digits, since libraries of SMPP 3.4 take no more, so it is kept as argon2id. Nothing here knows
 * sessions, sockets or PDUs.
 */
import type { Chance } from "../../core/chance.ts";
import { toSandboxId } from "../../core/sandbox.ts";
import type { Param, Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { accountById } from "./accounts.ts";
import type { MessageClass } from "./message-class.ts";
import { drawPassword } from "./passwords.ts";

export const SMPP_TLS = ["required", "optional"] as const;
export const SMPP_ALPHABETS = ["gsm", "latin1", "ascii"] as const;
export const SMPP_ID_FORMS = ["ulid", "decimal", "hex"] as const;

/** What is said of a user when it is created; `smpp set` changes all but the mode. */
export type SmppUserSettings = {
  /** Of all that the user sends, where `classesBy` finds none. */
  readonly messageClass: MessageClass;
  /** What else the class is read from; null: nothing. */
  readonly classesBy: "service_type" | null;
  /** Where a submit names none; null: it must. */
  readonly sender: string | null;
  readonly maxBinds: number;
  /** Submits, query_sm and cancel_sm a second, over all sessions. */
  readonly throughput: number;
  /** Submits unanswered, a session; receipts too. */
  readonly window: number;
  /** Where the user binds from; empty: from anywhere. */
  readonly networks: readonly string[];
  readonly tls: (typeof SMPP_TLS)[number];
  /** What data_coding 0 means. */
  readonly alphabet: (typeof SMPP_ALPHABETS)[number];
  /** How message ids are written. */
  readonly ids: (typeof SMPP_ID_FORMS)[number];
  /** Whether refusals carry our reason in private TLVs. */
  readonly reasons: boolean;
  /** Characters of the text that a receipt repeats. */
  readonly receiptText: 0 | 20;
  /** Whether texts that come in are delivered. */
  readonly inbound: boolean;
};

/** Who may bind with a system_id. */
export type SmppUser = SmppUserSettings & {
  readonly id: number;
  readonly systemId: string;
  /** Of a test user, the sandbox's. */
  readonly accountId: number;
  readonly createdAtMs: number;
  readonly revokedAtMs: number | null;
};

export type NewSmppUser = SmppUserSettings & Pick<SmppUser, "systemId" | "accountId">;

const SYSTEM_ID = /^[A-Za-z0-9_-]{3,15}$/;

/** Whether a text may be a system_id. */
export function isSystemId(text: string): boolean {
  return SYSTEM_ID.test(text);
}

type SmppUserRow = {
  readonly id: number;
  readonly system_id: string;
  readonly account_id: number;
  readonly message_class: MessageClass;
  readonly classes_by: "service_type" | null;
  readonly sender: string | null;
  readonly max_binds: number;
  readonly throughput: number;
  readonly window_size: number;
  readonly networks: string;
  readonly tls: SmppUser["tls"];
  readonly alphabet: SmppUser["alphabet"];
  readonly ids: SmppUser["ids"];
  readonly has_reasons: 0 | 1;
  readonly receipt_text: SmppUser["receiptText"];
  readonly has_inbound: 0 | 1;
  readonly created_at: number;
  readonly revoked_at: number | null;
};

const COLUMNS = `id, system_id, account_id, message_class, classes_by, sender, max_binds, throughput, window_size, networks, tls,
  alphabet, ids, has_reasons, receipt_text, has_inbound, created_at, revoked_at`;

function smppUser(row: SmppUserRow): SmppUser {
  return {
    id: row.id,
    systemId: row.system_id,
    accountId: row.account_id,
    messageClass: row.message_class,
    classesBy: row.classes_by,
    sender: row.sender,
    maxBinds: row.max_binds,
    throughput: row.throughput,
    window: row.window_size,
    networks: row.networks === "" ? [] : row.networks.split(","),
    tls: row.tls,
    alphabet: row.alphabet,
    ids: row.ids,
    reasons: row.has_reasons === 1,
    receiptText: row.receipt_text,
    inbound: row.has_inbound === 1,
    createdAtMs: row.created_at,
    revokedAtMs: row.revoked_at,
  };
}

/** A user, revoked or not. */
export function smppUserById(read: Reader, id: number): SmppUser | null {
  const row = read.get<SmppUserRow>(`SELECT ${COLUMNS} FROM smpp_users WHERE id = ?`, id);
  return row && smppUser(row);
}

/** The user of this system_id, whose case counts, revoked or not. */
export function smppUserBySystemId(read: Reader, systemId: string): SmppUser | null {
  const row = read.get<SmppUserRow>(`SELECT ${COLUMNS} FROM smpp_users WHERE system_id = ?`, systemId);
  return row && smppUser(row);
}

/** The most users that a list names. */
const MAX_LISTED = 10_000;

/** Every user, oldest first, revoked ones included. */
export function listSmppUsers(read: Reader): SmppUser[] {
  return read
    .all<SmppUserRow>(`SELECT ${COLUMNS} FROM smpp_users ORDER BY id LIMIT ?`, MAX_LISTED)
    .map(smppUser);
}

/** The users of an account and of its sandbox, oldest first, revoked ones included. */
export function smppUsersOfAccount(read: Reader, accountId: number): SmppUser[] {
  return read
    .all<SmppUserRow>(
      `SELECT ${COLUMNS} FROM smpp_users WHERE account_id IN (?, ?) ORDER BY id LIMIT ?`,
      accountId,
      toSandboxId(accountId),
      MAX_LISTED,
    )
    .map(smppUser);
}

/** Whether texts that come in are delivered to any user. */
export function hasInboundSmppUsers(read: Reader): boolean {
  return (
    read.get(
      "SELECT 1 FROM smpp_users INDEXED BY smpp_users_inbound WHERE has_inbound = 1 AND revoked_at IS NULL LIMIT 1",
    ) !== null
  );
}

/** The users of an account to whom texts that come in are delivered. */
export function inboundSmppUsers(read: Reader, accountId: number): number[] {
  return read
    .all<{ id: number }>(
      `SELECT id FROM smpp_users WHERE account_id = ? AND has_inbound = 1 AND revoked_at IS NULL ORDER BY id LIMIT ?`,
      accountId,
      MAX_LISTED,
    )
    .map(({ id }) => id);
}

/** What a bind is judged by. */
type SmppLogin = {
  readonly user: SmppUser;
  readonly accountStatus: "ACTIVE" | "SUSPENDED" | "CLOSED";
  /** Hashes of the passwords that count: the present one, then the one before, for a while. */
  readonly hashes: readonly string[];
};

/** Who a system_id is, revoked or not; null: nobody. */
export function smppLogin(read: Reader, systemId: string, nowMs: number): SmppLogin | null {
  type Row = SmppUserRow & {
    readonly password_hash: string;
    readonly old_hash: string | null;
    readonly old_until: number | null;
  };
  const row = read.get<Row>(
    `SELECT ${COLUMNS}, password_hash, old_hash, old_until FROM smpp_users WHERE system_id = ?`,
    systemId,
  );
  const account = row && accountById(read, row.account_id);
  if (!row || !account) return null;
  const isOldGood = row.old_hash !== null && row.old_until !== null && row.old_until > nowMs;
  return {
    user: smppUser(row),
    accountStatus: account.status,
    hashes: isOldGood && row.old_hash !== null ? [row.password_hash, row.old_hash] : [row.password_hash],
  };
}

/** Creates a user whose system_id nobody ever had; the row id. */
export function createSmppUser(tx: Tx, user: NewSmppUser, passwordHash: string, nowMs: number): number {
  return tx.insert(
    `INSERT INTO smpp_users (system_id, account_id, password_hash, message_class, classes_by, sender, max_binds, throughput,
       window_size, networks, tls, alphabet, ids, has_reasons, receipt_text, has_inbound, created_at)
     VALUES ($systemId, $accountId, $passwordHash, $messageClass, $classesBy, $sender, $maxBinds, $throughput,
       $window, $networks, $tls, $alphabet, $ids, $hasReasons, $receiptText, $hasInbound, $nowMs)`,
    {
      systemId: user.systemId,
      accountId: user.accountId,
      passwordHash,
      messageClass: user.messageClass,
      classesBy: user.classesBy,
      sender: user.sender,
      maxBinds: user.maxBinds,
      throughput: user.throughput,
      window: user.window,
      networks: user.networks.join(","),
      tls: user.tls,
      alphabet: user.alphabet,
      ids: user.ids,
      hasReasons: Number(user.reasons),
      receiptText: user.receiptText,
      hasInbound: Number(user.inbound),
      nowMs,
    },
  );
}

/** Writes the settings that `changes` names. */
export function changeSmppUser(tx: Tx, id: number, changes: Partial<SmppUserSettings>): void {
  const assignments: string[] = [];
  const values: Param[] = [];
  const set = (column: string, value: Param | undefined): void => {
    if (value === undefined) return;
    assignments.push(`${column} = ?`);
    values.push(value);
  };
  set("message_class", changes.messageClass);
  set("classes_by", changes.classesBy);
  set("sender", changes.sender);
  set("max_binds", changes.maxBinds);
  set("throughput", changes.throughput);
  set("window_size", changes.window);
  set("networks", changes.networks?.join(","));
  set("tls", changes.tls);
  set("alphabet", changes.alphabet);
  set("ids", changes.ids);
  set("has_reasons", changes.reasons === undefined ? undefined : Number(changes.reasons));
  set("receipt_text", changes.receiptText);
  set("has_inbound", changes.inbound === undefined ? undefined : Number(changes.inbound));
  if (assignments.length > 0) {
    tx.run(`UPDATE smpp_users SET ${assignments.join(", ")} WHERE id = ?`, ...values, id);
  }
}

/** How long an old password counts beside the new one. */
const OLD_PASSWORD_MS = 24 * 3_600_000;

/** Puts a new password in place; the old one counts for a while yet, or `now` no longer. */
export function setSmppPassword(
  tx: Tx,
  id: number,
  {
    passwordHash,
    now,
    nowMs,
  }: { readonly passwordHash: string; readonly now: boolean; readonly nowMs: number },
): void {
  if (now) {
    const sql = "UPDATE smpp_users SET password_hash = ?, old_hash = NULL, old_until = NULL WHERE id = ?";
    tx.run(sql, passwordHash, id);
    return;
  }
  tx.run(
    "UPDATE smpp_users SET old_hash = password_hash, old_until = ?, password_hash = ? WHERE id = ?",
    nowMs + OLD_PASSWORD_MS,
    passwordHash,
    id,
  );
}

/** Ends a user for good; its system_id stays taken. False where it was over already. */
export function revokeSmppUser(tx: Tx, id: number, nowMs: number): boolean {
  return tx.run("UPDATE smpp_users SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", nowMs, id) === 1;
}

/** Ends every user of an account and of its sandbox that is not over yet; how many. */
export function revokeAccountSmppUsers(tx: Tx, accountId: number, nowMs: number): number {
  return tx.run(
    "UPDATE smpp_users SET revoked_at = ? WHERE account_id IN (?, ?) AND revoked_at IS NULL",
    nowMs,
    accountId,
    toSandboxId(accountId),
  );
}

/** The longest password of SMPP 3.4 (section 4.1.1) without the octet that ends it. */
const PASSWORD_LENGTH = 8;

/** Draws a password, which goes to whoever asked for it and is kept nowhere. */
export function drawSmppPassword(chance: Chance): string {
  return drawPassword(chance, PASSWORD_LENGTH);
}

/** 19 MiB and two passes: what OWASP's cheat sheet on storing passwords has as the least, since binds come in floods. */
const ARGON2ID = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** The hash of a password, worked out beside the event loop. */
export function hashSmppPassword(password: string): Promise<string> {
  return Bun.password.hash(password, ARGON2ID);
}

/** Whether a password is that of one of some hashes. Worked out beside the event loop; how many at once is the caller's to say. */
export async function verifySmppPassword(password: string, hashes: readonly string[]): Promise<boolean> {
  if (password === "") return false;
  for (const hash of hashes) if (await Bun.password.verify(password, hash)) return true;
  return false;
}
