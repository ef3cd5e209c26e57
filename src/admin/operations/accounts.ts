import { Type as t } from "typebox";
import type { Xof } from "../../core/money.ts";
import { toSandboxId } from "../../core/sandbox.ts";
import { MISSING_ATTRIBUTES, TEXT_POLICIES } from "../../core/text-rules.ts";
import { isTimezone } from "../../core/zoned-time.ts";
import type { Reader } from "../../db/read.ts";
import {
  type Account,
  type AccountChanges,
  changeAccount,
  createAccount,
  listAccounts,
  resumeAccount,
  suspendAccount,
} from "../../domain/accounts/accounts.ts";
import type { AuditDetail } from "../../domain/accounts/audit.ts";
import { MESSAGE_CLASSES } from "../../domain/accounts/classes.ts";
import { openWallet, reviewLevel, readWallet } from "../../domain/ledger/wallet.ts";
import { migrateDayCounts } from "../../domain/submission/recipient-counts.ts";
import { migrateRejectionCounts } from "../../domain/submission/rejection-counts.ts";
import { MAX_FALLBACK_SECONDS, MIN_FALLBACK_SECONDS } from "../../domain/submission/request-fallback.ts";
import { accountClose } from "./account-closing.ts";
import { checkAccountName } from "./account-names.ts";
import { type AccountView, toAccountView, readAccountView } from "./account-view.ts";
import { change, changeOpenAccount, changeAnyAccount } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { findAccount } from "./find-account.ts";
import { operation, type Parameter, type ValuesOf } from "./operation.ts";
import {
  ACCOUNT,
  amount,
  ifGiven,
  oneOf,
  optional,
  otherwise,
  REASON,
  severalOf,
  text,
  typedAs,
  whole,
  word,
  YES,
} from "./parameters.ts";
import { checkPolicy } from "./policy-fault.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import { checkAmount, checkWords } from "./typed-values.ts";

// What `account set` changes: each setting as it is typed, as forms of the console bring it, and as accounts keep it.

/** A name is given by renaming. */
type AccountSettings = Omit<AccountChanges, "name">;

/** The word that gives a rule back to the configuration. */
const DEFAULT = "default";

const MAX_NUMBER = 1_000_000_000;

const CREDIT_LIMIT = amount(0);
const TIMEZONE = text("TZ", 64);
const SHORT_NAME = text("NAME", 20);

/** When an account pays, in small letters where it is typed. */
const BILLING = typedAs<Account["billingMode"], false>(
  {
    choices: ["prepaid", "postpaid"],
    read: (typed) => done(typed === "postpaid" ? "POSTPAID" : "PREPAID"),
  },
  oneOf("MODE", ["PREPAID", "POSTPAID"]),
);

const KNOWN_CLASSES = MESSAGE_CLASSES.join(", ");
const CLASSES = typedAs(
  { told: { classes: KNOWN_CLASSES } },
  severalOf(MESSAGE_CLASSES, (unknown) => refuse("INVALID_CLASS", { text: unknown, known: KNOWN_CLASSES })),
);

/** A setting that is null where the word is typed; a form brings null. */
function orNull<Value>(word: string, parameter: Parameter<Value, false>): Parameter<Value | null, false> {
  const { schema, typed } = parameter;
  const { choices, read } = typed;
  return {
    ...parameter,
    schema: t.Union([schema, t.Null()]),
    typed: {
      ...typed,
      ...(choices && { choices: [...choices, word] }),
      read: (text) => (text === word ? done(null) : read(text)),
    },
  };
}

/** A whole number, or the word; of what is neither, the refusal names both. */
function wholeOr(flag: string, word: string, value = "N"): Parameter<number | null, false> {
  const parameter = whole(value, { minimum: 0, maximum: MAX_NUMBER });
  const read = (text: string) => {
    const number = parameter.typed.read(text);
    return number.ok ? number : refuse("INVALID_NUMBER.flag", { flag, why: number.refusal.detail, word });
  };
  return orNull(word, typedAs({ read }, parameter));
}

/** Each setting, in the order in which help tells them. What is left out stays as it is. */
const SETTING_PARAMETERS = {
  credit_limit: ifGiven(CREDIT_LIMIT),
  timezone: ifGiven(TIMEZONE),
  recipients_per_minute: ifGiven(wholeOr("recipients-per-minute", DEFAULT)),
  recipients_per_day: ifGiven(wholeOr("recipients-per-day", DEFAULT)),
  marketing_hours: ifGiven(orNull(DEFAULT, text("HH:MM-HH:MM", 11))),
  marketing_per_day: ifGiven(wholeOr("marketing-per-day", DEFAULT)),
  marketing_per_week: ifGiven(wholeOr("marketing-per-week", DEFAULT)),
  classes: ifGiven(CLASSES),
  charge_on: ifGiven(orNull(DEFAULT, oneOf("WHEN", ["accepted", "delivered"]))),
  low_balance: ifGiven(orNull(DEFAULT, amount(0))),
  text_policy: ifGiven(oneOf("POLICY", TEXT_POLICIES)),
  missing_attributes: ifGiven(oneOf("WHAT", MISSING_ATTRIBUTES)),
  fallback_seconds: ifGiven(wholeOr("fallback-seconds", "off", "N|off")),
  short_name: ifGiven(SHORT_NAME),
  billing_mode: ifGiven(typedAs({ flag: "billing" }, BILLING)),
};

const { credit_limit, low_balance, billing_mode, charge_on, fallback_seconds: _, ...rules } = SETTING_PARAMETERS;

/** Settings that are money: the console asks for the second factor before it changes them. */
const MONEY_SETTINGS = { credit_limit, low_balance, billing_mode, charge_on };

/** Settings of the console's other form; the fallback is set by the command alone. */
const RULES = rules;

/** What was given of settings, as accounts keep it. */
function settingsGiven(given: Partial<ValuesOf<typeof SETTING_PARAMETERS>>): AccountSettings {
  return withoutUndefined({
    creditLimit: given.credit_limit,
    timezone: given.timezone,
    recipientsPerMinute: given.recipients_per_minute,
    recipientsPerDay: given.recipients_per_day,
    marketingHours: given.marketing_hours,
    marketingPerDay: given.marketing_per_day,
    marketingPerWeek: given.marketing_per_week,
    classes: given.classes && MESSAGE_CLASSES.filter((name) => given.classes?.includes(name)),
    chargeOn: given.charge_on,
    lowBalance: given.low_balance,
    textPolicy: given.text_policy,
    missingAttributes: given.missing_attributes,
    fallbackSeconds: given.fallback_seconds,
    shortName: given.short_name,
    billingMode: given.billing_mode,
  });
}

function withoutUndefined<T extends Readonly<Record<string, unknown>>>(fields: T) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
}

type AccountToCreate = {
  readonly name: string;
  readonly billing: Account["billingMode"];
  readonly creditLimit: Xof;
  /** Null: the configuration's default. */
  readonly timezone: string | null;
  /** What may be typed in place of its id; none without it. */
  readonly shortName?: string | null;
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
    const shortName = wanted.shortName ?? null;
    const called =
      checkAccountName(tx, { name: name.value }) ?? (shortName === null ? null : checkAccountName(tx, { shortName }));
    if (called) return called;
    const account = {
      ulid: context.newId(),
      name: name.value,
      shortName,
      timezone,
      billingMode: wanted.billing,
      creditLimit: wanted.creditLimit,
      chargeOn: null,
      classes: MESSAGE_CLASSES,
    };
    const id = createAccount(tx, account, nowMs);
    openWallet(tx, id);
    return done({
      value: readAccountView(tx, context.config, id, nowMs),
      audit: {
        action: "account create",
        subject: account.ulid,
        detail: {
          name: account.name,
          short_name: shortName ?? undefined,
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
  return account.ok
    ? done(toAccountView(context.store.read, context.config, account.value, context.clock.nowMs()))
    : account;
}

/** Every account, oldest first. */
export function accountList(
  context: AdminContext,
): AdminOutcome<{ readonly accounts: readonly AccountView[] }> {
  const nowMs = context.clock.nowMs();
  const { read } = context.store;
  return done({
    accounts: listAccounts(read).map((account) => toAccountView(read, context.config, account, nowMs)),
  });
}

/** Gives an account another name, closed or not; what was told or printed under the old one stays as it is. */
export async function accountRename(
  context: AdminContext,
  accountId: string,
  wanted: string,
): Promise<AdminOutcome<AccountView>> {
  const words = checkWords(wanted, "INVALID_NAME", "name", 200);
  if (!words.ok) return words;
  const name = words.value;
  return changeAnyAccount(context, accountId, (tx, account, nowMs) => {
    const fault = checkAccountName(tx, { name, of: account.id });
    if (fault) return fault;
    const isNew = name !== account.name;
    if (isNew) changeAccount(tx, account.id, { name });
    return done({
      value: readAccountView(tx, context.config, account.id, nowMs),
      audit: isNew
        ? { action: "account rename", subject: account.ulid, detail: { from: account.name, to: name } }
        : null,
    });
  });
}

/**
 * Changes settings of an account; batches accepted before keep what they were accepted with, and what is reserved stays
 * reserved. An account that owes something becomes prepaid only where that `isForced`.
 */
export function accountSet(
  context: AdminContext,
  accountId: string,
  settings: AccountSettings,
  isForced = false,
): Promise<AdminOutcome<AccountView>> {
  return changeOpenAccount(context, accountId, (tx, account, nowMs) => {
    if (Object.keys(settings).length === 0) return refuse("NOTHING_TO_CHANGE");
    const { shortName, billingMode = account.billingMode } = settings;
    const fault =
      settingsFault(settings, billingMode) ??
      (shortName === undefined ? null : checkAccountName(tx, { shortName, of: account.id })) ??
      (isForced ? null : debtFault(tx, account, billingMode));
    if (fault) return fault;
    const limit = billingMode === "PREPAID" && account.creditLimit > 0 ? { creditLimit: 0 } : {};
    changeAccount(tx, account.id, { ...settings, ...limit });
    if (settings.timezone !== undefined) {
      const zones = { from: account.timezone, to: settings.timezone };
      for (const id of [account.id, toSandboxId(account.id)]) {
        migrateDayCounts(tx, id, zones, nowMs);
        migrateRejectionCounts(tx, id, zones, nowMs);
      }
    }
    if (settings.creditLimit !== undefined || settings.lowBalance !== undefined || settings.billingMode) {
      reviewLevel(tx, account.id, nowMs);
    }
    return done({
      value: readAccountView(tx, context.config, account.id, nowMs),
      audit: {
        action: "account set",
        subject: account.ulid,
        detail: { ...detailOf(settings), forced: isForced || undefined },
      },
      concern: { kind: "account", accountId: account.id },
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
  return changeOpenAccount(context, accountId, (tx, account, nowMs) => {
    suspendAccount(tx, account.id, words.value);
    return done({
      value: readAccountView(tx, context.config, account.id, nowMs),
      audit: { action: "account suspend", subject: account.ulid, detail: { reason: words.value } },
      concern: { kind: "account", accountId: account.id },
    });
  });
}

/** Lets a suspended account in again. */
export function accountResume(context: AdminContext, accountId: string): Promise<AdminOutcome<AccountView>> {
  return changeOpenAccount(context, accountId, (tx, account, nowMs) => {
    const isSuspended = account.status === "SUSPENDED";
    if (isSuspended) resumeAccount(tx, account.id);
    return done({
      value: readAccountView(tx, context.config, account.id, nowMs),
      audit: isSuspended ? { action: "account resume", subject: account.ulid, detail: {} } : null,
      concern: { kind: "account", accountId: account.id },
    });
  });
}

/** Why an account cannot pay before it sends from now on, or null. */
function debtFault(read: Reader, account: Account, billingMode: Account["billingMode"]) {
  const { funds, reserved } = readWallet(read, account.id);
  if (billingMode !== "PREPAID" || account.billingMode === "PREPAID" || funds >= 0) return null;
  return refuse("ACCOUNT_IN_DEBT", {
    name: account.name,
    debt: -funds,
    balance: funds + reserved,
    reserved,
  });
}

function settingsFault(settings: AccountChanges, billingMode: Account["billingMode"]) {
  const { creditLimit, timezone, classes, lowBalance, fallbackSeconds } = settings;
  if (creditLimit !== undefined) {
    const amount = checkAmount(creditLimit, "credit_limit", 0);
    if (!amount.ok) return amount;
    if (billingMode === "PREPAID" && creditLimit !== 0) {
      return refuse("CREDIT_LIMIT_NOT_ALLOWED");
    }
  }
  if (timezone !== undefined && !isTimezone(timezone)) {
    return refuse("INVALID_TIMEZONE", { timezone });
  }
  if (classes !== undefined && classes.length === 0) {
    return refuse("INVALID_CLASS.none");
  }
  if (fallbackSeconds !== undefined && fallbackSeconds !== null) {
    const [least, most] = [MIN_FALLBACK_SECONDS, MAX_FALLBACK_SECONDS];
    if (!Number.isInteger(fallbackSeconds) || fallbackSeconds < least || fallbackSeconds > most) {
      return refuse("INVALID_NUMBER.fallback", { least, most });
    }
  }
  if (lowBalance !== undefined && lowBalance !== null) {
    const amount = checkAmount(lowBalance, "low_balance", 0);
    if (!amount.ok) return amount;
  }
  return checkPolicy(settings);
}

/** What the audit list keeps of a change, under the names that the commands show; what was not asked for is not there. */
function detailOf(settings: AccountSettings): AuditDetail {
  return {
    billing_mode: settings.billingMode,
    short_name: settings.shortName,
    credit_limit: settings.creditLimit,
    timezone: settings.timezone,
    classes: settings.classes,
    charge_on: settings.chargeOn,
    low_balance: settings.lowBalance,
    recipients_per_minute: settings.recipientsPerMinute,
    recipients_per_day: settings.recipientsPerDay,
    marketing_hours: settings.marketingHours,
    marketing_per_day: settings.marketingPerDay,
    marketing_per_week: settings.marketingPerWeek,
    text_policy: settings.textPolicy,
    missing_attributes: settings.missingAttributes,
    fallback_seconds: settings.fallbackSeconds,
  };
}

const NAME = text("NAME", 200);

/** Nothing brings a closed account back: a form must say whether what waits is cancelled. */
const FORCE: Parameter<boolean, false> = { ...YES, schema: t.Boolean(), isOptional: false };

export const ACCOUNT_OPERATIONS = {
  "account create": operation({
    may: "accounts.change",
    params: {
      name: NAME,
      billing: BILLING,
      short_name: optional(SHORT_NAME),
      credit_limit: otherwise(0, CREDIT_LIMIT),
      timezone: optional(TIMEZONE),
    },
    run: (context, { name, billing, short_name, credit_limit, timezone }) =>
      accountCreate(context, {
        name,
        billing,
        creditLimit: credit_limit,
        timezone,
        shortName: short_name,
      }),
  }),
  "account list": operation({
    does: "reads",
    params: {},
    run: accountList,
  }),
  "account show": operation({
    does: "reads",
    params: { account: ACCOUNT },
    run: (context, { account }) => accountShow(context, account),
  }),
  "account set": operation({
    params: { account: ACCOUNT, ...SETTING_PARAMETERS, force: YES },
    run: (context, { account, force, ...settings }) =>
      accountSet(context, account, settingsGiven(settings), force),
  }),
  "account suspend": operation({
    may: "accounts.change",
    params: { account: ACCOUNT, reason: REASON },
    run: (context, { account, reason }) => accountSuspend(context, account, reason),
  }),
  "account resume": operation({
    may: "accounts.change",
    params: { account: ACCOUNT },
    run: (context, { account }) => accountResume(context, account),
  }),
  "account rename": operation({
    may: "accounts.change",
    params: { account: ACCOUNT, name: word("NAME", NAME) },
    run: (context, { account, name }) => accountRename(context, account, name),
  }),
  "account close": operation({
    may: "accounts.change",
    params: { account: ACCOUNT, force: FORCE },
    run: (context, { account, force }) => accountClose(context, account, force),
  }),
};

/** What the console changes of `account set`, by who may: the rules of traffic, and what is money. */
export const ACCOUNT_SET_PARTS = {
  rules: operation({
    may: "accounts.change",
    params: { account: ACCOUNT, ...RULES },
    run: (context, { account, ...settings }) => accountSet(context, account, settingsGiven(settings)),
  }),
  money: operation({
    may: "money.change",
    params: { account: ACCOUNT, ...MONEY_SETTINGS, force: YES },
    run: (context, { account, force, ...settings }) =>
      accountSet(context, account, settingsGiven(settings), force),
  }),
};
