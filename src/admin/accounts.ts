import {
  type Account,
  accountById,
  accountByUlid,
  type ChargeOn,
  changeAccount,
  createAccount,
  listAccounts,
  resumeAccount,
  suspendAccount,
} from "../accounts/accounts.ts";
import { MESSAGE_CLASSES, type MessageClass } from "../accounts/classes.ts";
import { assert } from "../base/assert.ts";
import { isoUtc } from "../base/clock.ts";
import type { Xof } from "../base/money.ts";
import { isTimezone } from "../base/zoned-time.ts";
import type { Reader } from "../store/read.ts";
import { type Balance, balanceOf, openWallet } from "../wallet/wallet.ts";
import { checkAmount } from "./amount.ts";
import { change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import { checkWords } from "./words.ts";

/** An account as the commands and the console show it: settings, status and wallet. */
export type AccountView = {
  readonly account_id: string;
  readonly name: string;
  readonly status: Account["status"];
  readonly suspended_reason: string | null;
  readonly timezone: string;
  readonly billing_mode: Account["billingMode"];
  readonly credit_limit: Xof;
  /** Null: as the configuration says. */
  readonly charge_on: ChargeOn | null;
  readonly classes: readonly MessageClass[];
  readonly created_at: string;
  readonly wallet: Balance;
};

/** The account that a text names by its id, in capital or small letters. */
export function findAccount(read: Reader, accountId: string): AdminOutcome<Account> {
  const account = accountByUlid(read, accountId.toUpperCase());
  return account
    ? done(account)
    : refuse("ACCOUNT_NOT_FOUND", `there is no account ${JSON.stringify(accountId)}`);
}

export type AccountToCreate = {
  readonly name: string;
  readonly billing: Account["billingMode"];
  readonly creditLimit: Xof;
  /** Null: the configuration's default. */
  readonly timezone: string | null;
};

/** Creates an account with an empty wallet. */
export async function accountCreate(
  context: AdminContext,
  wanted: AccountToCreate,
): Promise<AdminOutcome<AccountView>> {
  const name = checkWords(wanted.name, "INVALID_NAME", "name", 200);
  if (!name.ok) return name;
  const timezone = wanted.timezone ?? context.config.defaults.timezone;
  const fault = settingsFault({ creditLimit: wanted.creditLimit, timezone }, wanted.billing);
  if (fault) return fault;
  return change(context, (tx, nowMs) => {
    const account = {
      ulid: context.newId(),
      name: name.value,
      timezone,
      billingMode: wanted.billing,
      creditLimit: wanted.creditLimit,
      chargeOn: null,
      classes: MESSAGE_CLASSES,
    };
    const id = createAccount(tx, account, nowMs);
    openWallet(tx, id);
    return done({
      value: viewById(tx, id, nowMs),
      audit: {
        action: "account create",
        subject: account.ulid,
        detail: {
          name: account.name,
          billing_mode: account.billingMode,
          credit_limit: account.creditLimit,
          timezone,
        },
      },
    });
  });
}

export function accountShow(context: AdminContext, accountId: string): AdminOutcome<AccountView> {
  const account = findAccount(context.store.read, accountId);
  return account.ok ? done(view(context.store.read, account.value, context.clock.nowMs())) : account;
}

/** Every account, oldest first. */
export function accountList(
  context: AdminContext,
): AdminOutcome<{ readonly accounts: readonly AccountView[] }> {
  const nowMs = context.clock.nowMs();
  const { read } = context.store;
  return done({ accounts: listAccounts(read).map((account) => view(read, account, nowMs)) });
}

/** The settings to change; what is left out stays. */
export type AccountSettings = {
  readonly creditLimit?: Xof;
  readonly timezone?: string;
  readonly classes?: readonly MessageClass[];
  /** Null: as the configuration says. */
  readonly chargeOn?: ChargeOn | null;
};

/** Changes settings of an account; batches accepted before keep what they were accepted with. */
export function accountSet(
  context: AdminContext,
  accountId: string,
  settings: AccountSettings,
): Promise<AdminOutcome<AccountView>> {
  return change(context, (tx, nowMs) => {
    const found = findAccount(tx, accountId);
    if (!found.ok) return found;
    const account = found.value;
    if (Object.keys(settings).length === 0) return refuse("NOTHING_TO_CHANGE", "no setting was given");
    const fault = settingsFault(settings, account.billingMode);
    if (fault) return fault;
    changeAccount(tx, account.id, settings);
    const { creditLimit: credit_limit, chargeOn: charge_on, ...same } = settings;
    return done({
      value: viewById(tx, account.id, nowMs),
      audit: {
        action: "account set",
        subject: account.ulid,
        detail: { credit_limit, charge_on, ...same },
      },
    });
  });
}

/** Bars an account from the API; its waiting messages stay where they are until it is resumed. */
export async function accountSuspend(
  context: AdminContext,
  accountId: string,
  reason: string,
): Promise<AdminOutcome<AccountView>> {
  const words = checkWords(reason, "INVALID_REASON", "reason", 500);
  if (!words.ok) return words;
  return change(context, (tx, nowMs) => {
    const found = findAccount(tx, accountId);
    if (!found.ok) return found;
    suspendAccount(tx, found.value.id, words.value);
    return done({
      value: viewById(tx, found.value.id, nowMs),
      audit: { action: "account suspend", subject: found.value.ulid, detail: { reason: words.value } },
    });
  });
}

/** Lets a suspended account in again. */
export function accountResume(context: AdminContext, accountId: string): Promise<AdminOutcome<AccountView>> {
  return change(context, (tx, nowMs) => {
    const found = findAccount(tx, accountId);
    if (!found.ok) return found;
    const isSuspended = found.value.status === "SUSPENDED";
    if (isSuspended) resumeAccount(tx, found.value.id);
    return done({
      value: viewById(tx, found.value.id, nowMs),
      audit: isSuspended ? { action: "account resume", subject: found.value.ulid, detail: {} } : null,
    });
  });
}

function settingsFault(settings: AccountSettings, billingMode: Account["billingMode"]) {
  const { creditLimit, timezone, classes } = settings;
  if (creditLimit !== undefined) {
    const amount = checkAmount(creditLimit, "the credit limit", 0);
    if (!amount.ok) return amount;
    if (billingMode === "PREPAID" && creditLimit !== 0) {
      return refuse("CREDIT_LIMIT_NOT_ALLOWED", "a prepaid account has no credit limit");
    }
  }
  if (timezone !== undefined && !isTimezone(timezone)) {
    return refuse("INVALID_TIMEZONE", `${JSON.stringify(timezone)} is not an IANA timezone`);
  }
  if (classes !== undefined && classes.length === 0) {
    return refuse("INVALID_CLASS", "an account needs at least one message class");
  }
  return null;
}

function viewById(read: Reader, id: number, nowMs: number): AccountView {
  const account = accountById(read, id);
  assert(account, `account ${id} exists`);
  return view(read, account, nowMs);
}

function view(read: Reader, account: Account, nowMs: number): AccountView {
  return {
    account_id: account.ulid,
    name: account.name,
    status: account.status,
    suspended_reason: account.suspendedReason,
    timezone: account.timezone,
    billing_mode: account.billingMode,
    credit_limit: account.creditLimit,
    charge_on: account.chargeOn,
    classes: account.classes,
    created_at: isoUtc(account.createdAtMs),
    wallet: balanceOf(read, account.id, nowMs),
  };
}
