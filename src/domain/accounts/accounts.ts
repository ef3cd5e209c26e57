/**
 * Who may send what: accounts, keys, senders, prices, policies, suppressions, and the audit of what administrators changed.
 *
 * Words: an account is a client company; a key has scopes; a sender is approved by us and registered with operators; a policy is hours,
 * caps and ceilings. Other rooms ask here ("may this number be written to?") and decide themselves. No money and no message is here.
 */
import { assert } from "../../core/assert.ts";
import type { ChargeOn, Xof } from "../../core/money.ts";
import { isSandbox, toLiveId, toSandboxId } from "../../core/sandbox.ts";
import type { TextRules } from "../../core/text-rules.ts";
import type { Param, Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { joinClasses, type MessageClass, parseClasses } from "./message-class.ts";
import type { PolicyOverrides } from "./policies.ts";

type AccountStatus = "ACTIVE" | "SUSPENDED" | "CLOSED";
type BillingMode = "PREPAID" | "POSTPAID";
/** A client company: owns keys, senders, a wallet, batches and webhooks (docs/behaviour.md#1-words). */
export type Account = {
  readonly id: number;
  readonly ulid: string;
  readonly name: string;
  /** What people may type in place of its id; null for none. */
  readonly shortName: string | null;
  readonly status: AccountStatus;
  /** Null while active. */
  readonly suspendedReason: string | null;
  /** IANA name. */
  readonly timezone: string;
  readonly billingMode: BillingMode;
  /** How far below zero a postpaid account may go; 0 for prepaid. */
  readonly creditLimit: Xof;
  /** Null: as the configuration says for everybody. */
  readonly chargeOn: ChargeOn | null;
  /** What it may send, the most urgent first. */
  readonly classes: readonly MessageClass[];
  /** Where its policy differs from the configuration's; `policyOf` brings the two together. */
  readonly overrides: PolicyOverrides;
  /** What its batches ask for their texts, where they don't say so themselves. */
  readonly textRules: TextRules;
  /** After how many seconds its batches of WhatsApp fall back to SMS that do not say so themselves; null: never. */
  readonly fallbackSeconds: number | null;
  /** Below this much to spend the account is told so; null: never. */
  readonly lowBalance: Xof | null;
  readonly createdAtMs: number;
  /** Null unless it is closed: it has ended then, and only receipts and corrections still move it. */
  readonly closedAtMs: number | null;
};

type AccountRow = {
  readonly id: number;
  readonly ulid: string;
  readonly name: string;
  readonly short_name: string | null;
  readonly status: Exclude<AccountStatus, "CLOSED">;
  readonly suspended_reason: string | null;
  readonly timezone: string;
  readonly billing_mode: BillingMode;
  readonly credit_limit: number;
  readonly charge_on: ChargeOn | null;
  readonly classes: string;
  readonly recipients_per_minute: number | null;
  readonly recipients_per_day: number | null;
  readonly marketing_hours: string | null;
  readonly marketing_per_day: number | null;
  readonly marketing_per_week: number | null;
  readonly text_policy: TextRules["textPolicy"];
  readonly missing_attributes: TextRules["missingAttributes"];
  readonly fallback_seconds: number | null;
  readonly low_balance: number | null;
  readonly created_at: number;
  readonly closed_at: number | null;
};

const COLUMNS = `id, ulid, name, short_name, status, suspended_reason, timezone, billing_mode, credit_limit, charge_on, classes,
  recipients_per_minute, recipients_per_day, marketing_hours, marketing_per_day, marketing_per_week,
  text_policy, missing_attributes, fallback_seconds, low_balance, created_at, closed_at`;

export type NewAccount = Pick<
  Account,
  "ulid" | "name" | "timezone" | "billingMode" | "creditLimit" | "chargeOn" | "classes"
> &
  Partial<Pick<Account, "shortName">>;

/** Adds an account and returns its row id. Its wallet is opened by the wallet room, in the same transaction. */
export function createAccount(tx: Tx, account: NewAccount, nowMs: number): number {
  return tx.insert(
    `INSERT INTO accounts
       (ulid, name, short_name, status, timezone, billing_mode, credit_limit, charge_on, classes, created_at)
     VALUES ($ulid, $name, $shortName, 'ACTIVE', $timezone, $billingMode, $creditLimit, $chargeOn, $classes, $nowMs)`,
    { ...account, shortName: account.shortName ?? null, classes: joinClasses(account.classes), nowMs },
  );
}

export function accountByUlid(read: Reader, ulid: string): Account | null {
  const row = read.get<AccountRow>(`SELECT ${COLUMNS} FROM accounts WHERE ulid = ? AND id > 0`, ulid);
  return row && accountRecord(row);
}

/** An account; its sandbox goes by what is decided of the account, and is prepaid. */
export function accountById(read: Reader, id: number): Account | null {
  const row = read.known<AccountRow>(`SELECT ${COLUMNS} FROM accounts WHERE id = ?`, toLiveId(id));
  if (!row) return null;
  const account = accountRecord(row);
  return isSandbox(id) ? { ...account, id, billingMode: "PREPAID", creditLimit: 0 } : account;
}

/** Whether an account has a sandbox: it was given a test key once. */
export function hasSandbox(read: Reader, accountId: number): boolean {
  return read.get("SELECT 1 FROM accounts WHERE id = ?", toSandboxId(accountId)) !== null;
}

/** The row ids of all sandboxes. */
export function listSandboxes(read: Reader): number[] {
  const row = read.known<{ ids: string }>("SELECT json_group_array(id) AS ids FROM accounts WHERE id < 0");
  const ids: unknown = JSON.parse(row?.ids ?? "[]");
  return Array.isArray(ids) ? ids.map(Number).sort((a, b) => b - a) : [];
}

/** Adds the sandbox of an account that has none. Its wallet is opened by the wallet room, in the same transaction. */
export function createSandbox(tx: Tx, accountId: number, ulid: string, nowMs: number): void {
  tx.run(
    `INSERT INTO accounts (id, sandbox_of, ulid, name, status, timezone, billing_mode, classes, created_at)
     SELECT ?1, id, ?2, name, 'ACTIVE', timezone, 'PREPAID', classes, ?3 FROM accounts WHERE id = ?4`,
    toSandboxId(accountId),
    ulid,
    nowMs,
    toLiveId(accountId),
  );
}

/** The public id of an account that exists; its sandbox goes by the same. */
export function accountUlid(read: Reader, id: number): string {
  return read.get<{ ulid: string }>(`SELECT ${ulidOfAccount("?")} AS ulid`, id)?.ulid ?? "";
}

/** The same in SQL, of the account whose row id `id` stands for. */
export function ulidOfAccount(id: string): string {
  return `(SELECT ulid FROM accounts WHERE id = abs(${id}))`;
}

/** The IANA name of an account's timezone; null where there is no such account. */
export function readTimezone(read: Reader, id: number): string | null {
  return (
    read.known<{ timezone: string }>("SELECT timezone FROM accounts WHERE id = ?", toLiveId(id))?.timezone ??
    null
  );
}

/** The timezones of all accounts by their rows, sandboxes apart. */
export function accountZones(read: Reader): ReadonlyMap<number, string> {
  const rows = read.all<{ id: number; timezone: string }>("SELECT id, timezone FROM accounts WHERE id > 0");
  return new Map(rows.map(({ id, timezone }) => [id, timezone]));
}

/** Another object as soon as something of any account was written. */
export function accountsNote(read: Reader): object | null {
  return read.known("SELECT max(id) AS id FROM accounts");
}

/** How far an account's wallet may go, and below what a warning is wanted. */
type WalletTerms = Pick<Account, "creditLimit" | "lowBalance">;

/** The terms of an account that exists. */
export function walletTerms(read: Reader, id: number): WalletTerms {
  const terms = read.known<WalletTerms>(
    "SELECT credit_limit AS creditLimit, low_balance AS lowBalance FROM accounts WHERE id = ?",
    toLiveId(id),
  );
  assert(terms, `account ${id} exists`);
  return isSandbox(id) ? { ...terms, creditLimit: 0 } : terms;
}

/** What accounts are called. */
export type AccountNames = Pick<Account, "id" | "ulid" | "name" | "shortName"> & { readonly isClosed: 0 | 1 };

/** The names of every account, oldest first, sandboxes apart. */
export function listAccountNames(read: Reader): AccountNames[] {
  return read.all(
    "SELECT id, ulid, name, short_name AS shortName, closed_at IS NOT NULL AS isClosed FROM accounts WHERE id > 0 ORDER BY id",
  );
}

/** Every account, oldest first, sandboxes apart. */
export function listAccounts(read: Reader): Account[] {
  return read.all<AccountRow>(`SELECT ${COLUMNS} FROM accounts WHERE id > 0 ORDER BY id`).map(accountRecord);
}

/** The settings an administrator may change; what is left out stays as it is. */
export type AccountChanges = {
  readonly name?: string;
  /** A prepaid account has no credit limit: with it goes one of 0. */
  readonly billingMode?: BillingMode;
  readonly shortName?: string;
  readonly creditLimit?: Xof;
  readonly timezone?: string;
  readonly classes?: readonly MessageClass[];
  /** Null: as the configuration says for everybody. */
  readonly chargeOn?: ChargeOn | null;
  /** Null: never. */
  readonly lowBalance?: Xof | null;
  /** Null: never. */
  readonly fallbackSeconds?: number | null;
} & Partial<PolicyOverrides> &
  Partial<TextRules>;

/** Writes the settings that `changes` names. The credit limit of a prepaid account must stay 0. */
export function changeAccount(tx: Tx, id: number, changes: AccountChanges): void {
  const assignments: string[] = [];
  const values: Param[] = [];
  const set = (column: string, value: Param | undefined): void => {
    if (value === undefined) return;
    assignments.push(`${column} = ?`);
    values.push(value);
  };
  set("name", changes.name);
  set("billing_mode", changes.billingMode);
  set("short_name", changes.shortName);
  set("credit_limit", changes.creditLimit);
  set("timezone", changes.timezone);
  set("classes", changes.classes && joinClasses(changes.classes));
  set("charge_on", changes.chargeOn);
  set("low_balance", changes.lowBalance);
  set("fallback_seconds", changes.fallbackSeconds);
  set("recipients_per_minute", changes.recipientsPerMinute);
  set("recipients_per_day", changes.recipientsPerDay);
  set("marketing_hours", changes.marketingHours);
  set("marketing_per_day", changes.marketingPerDay);
  set("marketing_per_week", changes.marketingPerWeek);
  set("text_policy", changes.textPolicy);
  set("missing_attributes", changes.missingAttributes);
  if (assignments.length > 0) {
    tx.run(`UPDATE accounts SET ${assignments.join(", ")} WHERE id = ?`, ...values, id);
  }
}

/** Bars an account from the API and holds its waiting messages back. A new reason replaces the old one. */
export function suspendAccount(tx: Tx, id: number, reason: string): void {
  tx.run("UPDATE accounts SET status = 'SUSPENDED', suspended_reason = ? WHERE id = ?", reason, id);
}

/** Lets a suspended account in again; harmless when it is active. */
export function resumeAccount(tx: Tx, id: number): void {
  tx.run("UPDATE accounts SET status = 'ACTIVE', suspended_reason = NULL WHERE id = ?", id);
}

/** Ends an account: it is barred for good, and its short name is free. False where it was closed before. */
export function closeAccount(tx: Tx, id: number, nowMs: number): boolean {
  return (
    tx.run(
      `UPDATE accounts SET status = 'SUSPENDED', suspended_reason = 'closed', closed_at = ?, short_name = NULL
       WHERE id = ? AND closed_at IS NULL`,
      nowMs,
      id,
    ) === 1
  );
}

function accountRecord(row: AccountRow): Account {
  return {
    id: row.id,
    ulid: row.ulid,
    name: row.name,
    shortName: row.short_name,
    status: row.closed_at === null ? row.status : "CLOSED",
    suspendedReason: row.suspended_reason,
    timezone: row.timezone,
    billingMode: row.billing_mode,
    creditLimit: row.credit_limit,
    chargeOn: row.charge_on,
    classes: parseClasses(row.classes),
    overrides: {
      recipientsPerMinute: row.recipients_per_minute,
      recipientsPerDay: row.recipients_per_day,
      marketingHours: row.marketing_hours,
      marketingPerDay: row.marketing_per_day,
      marketingPerWeek: row.marketing_per_week,
    },
    textRules: { textPolicy: row.text_policy, missingAttributes: row.missing_attributes },
    fallbackSeconds: row.fallback_seconds,
    lowBalance: row.low_balance,
    createdAtMs: row.created_at,
    closedAtMs: row.closed_at,
  };
}
