/**
 * Sender identities of accounts: request, approval, and the registration with an operator without which nothing is sent
 * under them.
 */
import { assert } from "../../core/assert.ts";
import { CHANNELS, type Channel, toChannel } from "../../core/channels.ts";
import { isoUtc } from "../../core/clock.ts";
import { isSandbox, toLiveId } from "../../core/sandbox.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";

export type SenderStatus = "REQUESTED" | "APPROVED" | "REJECTED";

/** A sender identity of one account and the operators that know it. */
export type Sender = {
  readonly id: number;
  readonly name: string;
  readonly status: SenderStatus;
  /** Null unless rejected. */
  readonly rejectionReason: string | null;
  /** Codes of the operators that it is registered with, by all of their routes or by some, in alphabetical order. */
  readonly operators: readonly string[];
  /** What it is registered for, in alphabetical order: an operator's code stands for all of its routes, "orange/agg" for one. */
  readonly registrations: readonly string[];
  readonly createdAtMs: number;
};

type SenderRow = {
  readonly id: number;
  readonly name: string;
  readonly status: SenderStatus;
  readonly rejection_reason: string | null;
  readonly created_at: number;
  readonly operators: string | null;
};

const SELECT = `SELECT id, name, status, rejection_reason, created_at,
    (SELECT group_concat(operator, ',' ORDER BY operator) FROM sender_registrations WHERE sender_id = senders.id)
      AS operators
  FROM senders`;

/** The account's sender of exactly this name, or null. A sandbox has those of its account. */
export function senderByName(read: Reader, accountId: number, name: string): Sender | null {
  const row = read.known<SenderRow>(`${SELECT} WHERE account_id = ? AND name = ?`, toLiveId(accountId), name);
  return row && senderRecord(row);
}

/** The sender that every sandbox has, whatever its account's may be (docs/behaviour.md#test-keys). */
const TEST_SENDER = "TEST";

/** Whether an account may send as this sender, or its sandbox. */
export function isApproved(read: Reader, accountId: number, name: string): boolean {
  return isTestSender(accountId, name) || senderByName(read, accountId, name)?.status === "APPROVED";
}

/** The name of an approved sender of the account, or its sandbox, that differs from `name` by its case alone; null: none does. */
export function approvedLike(read: Reader, accountId: number, name: string): string | null {
  const own = listSenders(read, toLiveId(accountId)).filter(({ status }) => status === "APPROVED");
  const names = [...own.map((sender) => sender.name), ...(isSandbox(accountId) ? [TEST_SENDER] : [])];
  return names.find((known) => known.toLowerCase() === name.toLowerCase()) ?? null;
}

/** Whether a name is that of the sender which every sandbox has, for who asks from one. */
export function isTestSender(accountId: number, name: string): boolean {
  return isSandbox(accountId) && name === TEST_SENDER;
}

/** Every sender that an account or its sandbox may ask for, as `publicSender` shows it. `operators`: all that there are. */
export function publicSenders(read: Reader, accountId: number, operators: readonly string[]) {
  const is_sandbox = isSandbox(accountId);
  const senders = listSenders(read, toLiveId(accountId)).filter(({ name }) => !isTestSender(accountId, name));
  const shown = senders.map((sender) => ({ ...publicSender(sender), is_sandbox }));
  if (!is_sandbox) return shown;
  const own = {
    id: 0,
    name: TEST_SENDER,
    status: "APPROVED",
    rejectionReason: null,
    registrations: [],
  } as const;
  const createdAtMs = madeAtMs(read, accountId);
  const test = publicSender({ ...own, operators: operators.toSorted(), createdAtMs });
  // By WhatsApp too where the service has no number: templates are there for it (docs/behaviour.md#test-keys).
  return [{ ...test, channels: CHANNELS, is_sandbox }, ...shown];
}

/** When an account, or a sandbox, was made. */
function madeAtMs(read: Reader, accountId: number): number {
  const row = read.known<{ created_at: number }>("SELECT created_at FROM accounts WHERE id = ?", accountId);
  assert(row, "who asks has an account");
  return row.created_at;
}

/** Every sender the account has requested, oldest first. */
export function listSenders(read: Reader, accountId: number): Sender[] {
  return read.all<SenderRow>(`${SELECT} WHERE account_id = ? ORDER BY id`, accountId).map(senderRecord);
}

/** A sender that needs an action, and whose it is. */
type PendingSender = Sender & { readonly accountUlid: string; readonly accountName: string };

/** The oldest `limit` senders that wait for an approval, or approved for a first registration, over all accounts. */
export function pendingSenders(read: Reader, limit: number): PendingSender[] {
  return read
    .all<SenderRow & { account_ulid: string; account_name: string }>(
      `SELECT pending.*, accounts.ulid AS account_ulid, accounts.name AS account_name
       FROM (SELECT id, account_id, name, status, rejection_reason, created_at, NULL AS operators FROM senders
         WHERE status = 'REQUESTED' OR (status = 'APPROVED'
           AND NOT EXISTS (SELECT 1 FROM sender_registrations WHERE sender_id = senders.id))) AS pending
       JOIN accounts ON accounts.id = pending.account_id ORDER BY pending.id LIMIT ?`,
      limit,
    )
    .map((row) => ({
      ...senderRecord(row),
      accountUlid: row.account_ulid,
      accountName: row.account_name,
    }));
}

/** The accounts that own an approved sender of one of these names. */
export function ownersOfSender(read: Reader, names: readonly string[]): number[] {
  const owners = names.flatMap((name) =>
    read.all<{ id: number }>(
      "SELECT account_id AS id FROM senders WHERE name = ? AND status = 'APPROVED' ORDER BY account_id",
      name,
    ),
  );
  return [...new Set(owners.map(({ id }) => id))];
}

// A registration is for all routes of an operator, under its code, or for one of them, under the code of the route. The name of a route
// has no character above "z", and nothing but a slash behind an operator's code begins one: so a range of the index has them.

/** The accounts that have an approved sender which is registered with an operator. */
export function accountsRegisteredWith(read: Reader, operator: string): number[] {
  return read
    .all<{ id: number }>(
      `SELECT DISTINCT s.account_id AS id FROM senders s JOIN sender_registrations r ON r.sender_id = s.id
       WHERE (r.operator = +?1 OR r.operator BETWEEN ?1 || '/' AND ?1 || '/~') AND s.status = 'APPROVED'
       ORDER BY s.account_id`,
      operator,
    )
    .map(({ id }) => id);
}

/** By which routes of an operator messages of a sender may leave, by name in order; null where it is registered for all of them. */
export type SenderRoutes = readonly string[] | null;

/** Where the routes stand for all of an operator, and where none does. */
export const ALL_ROUTES = null;
const NO_ROUTES: SenderRoutes = [];

/** The routes of an operator that a sender is registered for; none where it is not approved. */
export function readSenderRoutes(
  read: Reader,
  accountId: number,
  senderName: string,
  operator: string,
): SenderRoutes {
  if (isTestSender(accountId, senderName)) return ALL_ROUTES;
  const row = read.known<{ codes: string | null }>(
    `SELECT group_concat(r.operator, ',') AS codes
     FROM senders s JOIN sender_registrations r ON r.sender_id = s.id
     WHERE s.account_id = ?1 AND s.name = ?2 AND s.status = 'APPROVED'
       AND r.operator BETWEEN ?3 AND ?3 || '/~' AND (r.operator = ?3 OR r.operator >= ?3 || '/')`,
    toLiveId(accountId),
    senderName,
    operator,
  );
  const codes = row?.codes?.split(",") ?? [];
  if (codes.length === 0) return NO_ROUTES;
  return codes.includes(operator) ? ALL_ROUTES : codes.map((code) => code.slice(operator.length + 1)).sort();
}

/** Whether an operator knows a sender, which is approved, by any of its routes. */
export function isRegistered(read: Reader, accountId: number, senderName: string, operator: string): boolean {
  const routes = readSenderRoutes(read, accountId, senderName, operator);
  return routes === ALL_ROUTES || routes.length > 0;
}

/** The same, with a registration that was noted by a moment. */
export function wasRegistered(
  read: Reader,
  accountId: number,
  senderName: string,
  operator: string,
  atMs: number,
): boolean {
  if (isTestSender(accountId, senderName)) return true;
  const row = read.get<{ found: number }>(
    `SELECT 1 AS found FROM senders s JOIN sender_registrations r ON r.sender_id = s.id
     WHERE s.account_id = ?1 AND s.name = ?2 AND s.status = 'APPROVED' AND r.created_at <= ?4
       AND r.operator BETWEEN ?3 AND ?3 || '/~' AND (r.operator = ?3 OR r.operator >= ?3 || '/')`,
    ...[toLiveId(accountId), senderName, operator, atMs],
  );
  return row !== null;
}

/** Approved and registered with at least one operator (docs/behaviour.md#senders). */
function isSendable(sender: Sender): boolean {
  return sender.status === "APPROVED" && sender.operators.length > 0;
}

/** The channels that operators are of, each once. */
function channelsOf(operators: readonly string[]): readonly Channel[] {
  const found = new Set(operators.map(toChannel));
  return CHANNELS.filter((channel) => found.has(channel));
}

/** A sender as `GET /sender-ids` and the commands show it (docs/behaviour.md#senders). */
export function publicSender(sender: Sender) {
  return {
    sender: sender.name,
    status: sender.status,
    is_sendable: isSendable(sender),
    operators: sender.operators,
    channels: channelsOf(sender.operators),
    rejection_reason: sender.rejectionReason,
    created_at: isoUtc(sender.createdAtMs),
  };
}

/** A sender as those see it who register it: which operators know it by some of their routes alone, too. No client reads that. */
export function adminSender(sender: Sender) {
  const { registrations } = sender;
  const isByRoute = registrations.some((code) => code.includes("/"));
  return { ...publicSender(sender), ...(isByRoute && { registrations }) };
}

/** Adds a sender as REQUESTED. A rejected one is asked for again; any other that exists stays as it is. */
export function requestSender(tx: Tx, accountId: number, name: string, nowMs: number): void {
  tx.run(
    `INSERT INTO senders (account_id, name, status, created_at) VALUES (?, ?, 'REQUESTED', ?)
     ON CONFLICT (account_id, name) DO UPDATE SET status = 'REQUESTED', rejection_reason = NULL
     WHERE status = 'REJECTED'`,
    accountId,
    name,
    nowMs,
  );
}

export function approveSender(tx: Tx, senderId: number): void {
  tx.run("UPDATE senders SET status = 'APPROVED', rejection_reason = NULL WHERE id = ?", senderId);
}

/** Refuses a sender, or takes an approval back. Its registrations stay, for the day it is approved again. */
export function rejectSender(tx: Tx, senderId: number, reason: string): void {
  tx.run("UPDATE senders SET status = 'REJECTED', rejection_reason = ? WHERE id = ?", reason, senderId);
}

/** Gives up every sender of an account, with its registrations: nobody sends under them any more. How many there were. */
export function freeSenders(tx: Tx, accountId: number, reason: string): number {
  tx.run(
    "DELETE FROM sender_registrations WHERE sender_id IN (SELECT id FROM senders WHERE account_id = ?)",
    accountId,
  );
  return tx.run(
    "UPDATE senders SET status = 'REJECTED', rejection_reason = ? WHERE account_id = ? AND status <> 'REJECTED'",
    reason,
    accountId,
  );
}

/** Notes that an operator knows the sender, or one of its routes does. True when that is new. */
export function registerSender(tx: Tx, senderId: number, operator: string, nowMs: number): boolean {
  return (
    tx.run(
      `INSERT INTO sender_registrations (sender_id, operator, created_at) VALUES (?, ?, ?)
       ON CONFLICT (sender_id, operator) DO NOTHING`,
      senderId,
      operator,
      nowMs,
    ) === 1
  );
}

/** Notes that an operator does not know the sender any more, by any route. True when it was registered. */
export function unregisterSender(tx: Tx, senderId: number, operator: string): boolean {
  return (
    tx.run(
      `DELETE FROM sender_registrations
       WHERE sender_id = ?1 AND (operator = ?2 OR operator BETWEEN ?2 || '/' AND ?2 || '/~')`,
      senderId,
      operator,
    ) > 0
  );
}

/** Takes back what was noted under one code alone: for one route, or for all but those that are noted one by one. */
export function dropRegistration(tx: Tx, senderId: number, code: string): boolean {
  return (
    tx.run("DELETE FROM sender_registrations WHERE sender_id = ? AND operator = ?", senderId, code) === 1
  );
}

function senderRecord(row: SenderRow): Sender {
  const registrations = row.operators === null ? [] : row.operators.split(",");
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    rejectionReason: row.rejection_reason,
    operators: [...new Set(registrations.map(toOperatorCode))].sort(),
    registrations,
    createdAtMs: row.created_at,
  };
}

/** The operator's code in one that is its own, or that of one of its routes. */
export function toOperatorCode(code: string): string {
  return code.split("/", 1)[0] ?? code;
}

/** How a sender appears on the wire: each kind has its own type of number (SMPP 3.4 section 5.2.5). */
type SenderKind = "ALPHANUMERIC" | "SHORT_CODE" | "NUMBER";

/** An alphanumeric address holds 11 septets at most (3GPP TS 23.040 section 9.1.2.5). */
const ALPHANUMERIC_LONGEST = 11;

/**
 * The kind of a sender name, or null when no SMS can carry it: 3 to 8 digits are a short code; up to 15 digits, `+`
 * before them or not, a number; up to 11 letters, digits and a little punctuation, one letter at least, a name.
 */
export function senderKind(name: string): SenderKind | null {
  if (/^\d{3,8}$/.test(name)) return "SHORT_CODE";
  if (/^(\+\d{7,15}|\d{9,15})$/.test(name)) return "NUMBER";
  if (/^(?=.*[A-Za-z])[A-Za-z0-9.&'_-]([A-Za-z0-9 .&'_-]{0,9}[A-Za-z0-9.&'_-])?$/.test(name)) {
    return "ALPHANUMERIC";
  }
  return null;
}

/** Why a name cannot be a sender on SMS; null when it can. */
export function senderFault(name: string): Phrase | null {
  if (senderKind(name) !== null) return null;
  if (name.trim() === "") return phrase("fault.sender.blank");
  if (name !== name.trim()) return phrase("fault.sender.spaces");
  if (/^\+?\d+$/.test(name)) return phrase("fault.sender.digits");
  if (/[^\x20-\x7e]/.test(name)) return phrase("fault.sender.ascii");
  if (name.length > ALPHANUMERIC_LONGEST) {
    return phrase("fault.sender.too_long", { most: ALPHANUMERIC_LONGEST, length: name.length });
  }
  if (!/[A-Za-z]/.test(name)) return phrase("fault.sender.no_letter");
  return phrase("fault.sender.characters");
}
