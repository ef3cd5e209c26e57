/**
 * Operations on accounts: create, show, list, rename, set, suspend, resume, close. Closing is final: queued messages are
 * cancelled and the wallet ends at zero.
 */
import { Type as t } from "typebox";
import type { Config } from "../../config/config.ts";
import { describeExpected, type Shape } from "../../config/faults.ts";
import { SETTINGS } from "../../config/settings.ts";
import { assert } from "../../core/assert.ts";
import { isTimezone, parseHours, renderHours } from "../../core/calendar.ts";
import { isoOrNull, isoUtc } from "../../core/clock.ts";
import { createYielder } from "../../core/concurrency.ts";
import type { Xof } from "../../core/money.ts";
import { toSandboxId } from "../../core/sandbox.ts";
import { MISSING_ATTRIBUTES, TEXT_POLICIES } from "../../core/text-rules.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import {
  type Account,
  type AccountChanges,
  accountById,
  changeAccount,
  closeAccount,
  createAccount,
  listAccounts,
  resumeAccount,
  suspendAccount,
} from "../../domain/accounts/accounts.ts";
import { revokeAccountKeys } from "../../domain/accounts/api-keys.ts";
import type { AuditDetail } from "../../domain/accounts/audit.ts";
import { revokeAccountCompatUsers } from "../../domain/accounts/compat-users.ts";
import { MESSAGE_CLASSES } from "../../domain/accounts/message-class.ts";
import { derivePolicy, type PolicyOverrides } from "../../domain/accounts/policies.ts";
import { freeSenders } from "../../domain/accounts/senders.ts";
import { endSessionsOfAccount } from "../../domain/accounts/sessions.ts";
import { revokeAccountSmppUsers } from "../../domain/accounts/smpp-users.ts";
import { adjust } from "../../domain/ledger/funding.ts";
import { openWallet, readBalance, readWallet, reviewLevel, type Wallet } from "../../domain/ledger/wallet.ts";
import { readLastBatchId, waitingOfAccount } from "../../domain/messages/queue.ts";
import { migrateDayCounts } from "../../domain/submission/recipient-counts.ts";
import { migrateRejectionCounts } from "../../domain/submission/rejections.ts";
import { MAX_FALLBACK_SECONDS, MIN_FALLBACK_SECONDS } from "../../domain/submission/request.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { disableEndpoint, listEndpoints } from "../../webhooks/endpoints.ts";
import { checkAccountName, findAccount } from "./account-names.ts";
import { cancelBatch } from "./batches.ts";
import { change, changeAnyAccount, changeOpenAccount } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { operation, type Parameter, type ValuesOf } from "./operation.ts";
import {
  ACCOUNT,
  amount,
  checkAmount,
  checkWords,
  ifGiven,
  oneOf,
  optional,
  orNull,
  otherwise,
  REASON,
  severalOf,
  text,
  typedAs,
  whole,
  word,
  YES,
} from "./parameters.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";

// The settings that `account set` changes: as typed, as console forms send them, and as accounts store them.

/** Without the name, which `account rename` changes. */
type AccountSettings = Omit<AccountChanges, "name">;

/** The word that resets a rule to the configuration's default. */
const DEFAULT = "default";

const MAX_NUMBER = 1_000_000_000;

const CREDIT_LIMIT = amount(0);
const TIMEZONE = text("TZ", 64);
const SHORT_NAME = text("NAME", 20);

/** The billing mode, typed in small letters. */
const BILLING = typedAs<Account["billingMode"], false>(
  {
    choices: ["prepaid", "postpaid"],
    read: (typed) => done(typed === "postpaid" ? "POSTPAID" : "PREPAID"),
  },
  oneOf("MODE", ["PREPAID", "POSTPAID"]),
);

const KNOWN_CLASSES = MESSAGE_CLASSES.join(", ");
const CLASSES = typedAs(
  { helpValues: { classes: KNOWN_CLASSES } },
  severalOf(MESSAGE_CLASSES, (unknown) => refuse("INVALID_CLASS", { text: unknown, known: KNOWN_CLASSES })),
);

/** A whole number or the word; the refusal of anything else names both. */
function wholeOr(flag: string, word: string, value = "N"): Parameter<number | null, false> {
  const parameter = whole(value, { minimum: 0, maximum: MAX_NUMBER });
  const read = (text: string) => {
    const number = parameter.typed.read(text);
    return number.ok ? number : refuse("INVALID_NUMBER.flag", { flag, why: number.refusal.detail, word });
  };
  return orNull(word, typedAs({ read }, parameter));
}

/** Every setting, in help order. One that is left out stays as it is. */
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

const {
  credit_limit,
  low_balance,
  billing_mode,
  charge_on,
  fallback_seconds: _,
  ...rules
} = SETTING_PARAMETERS;

/** Money settings: the console asks for the second factor before it changes them. */
const MONEY_SETTINGS = { credit_limit, low_balance, billing_mode, charge_on };

/** Settings of the console's other form; the fallback is set only by the command. */
const RULES = rules;

/** What accounts call each setting, in the order of the audit list. */
const SETTING_FIELDS = {
  billing_mode: "billingMode",
  short_name: "shortName",
  credit_limit: "creditLimit",
  timezone: "timezone",
  classes: "classes",
  charge_on: "chargeOn",
  low_balance: "lowBalance",
  recipients_per_minute: "recipientsPerMinute",
  recipients_per_day: "recipientsPerDay",
  marketing_hours: "marketingHours",
  marketing_per_day: "marketingPerDay",
  marketing_per_week: "marketingPerWeek",
  text_policy: "textPolicy",
  missing_attributes: "missingAttributes",
  fallback_seconds: "fallbackSeconds",
} as const satisfies Record<keyof typeof SETTING_PARAMETERS, keyof AccountSettings>;

const SETTING_NAMES = Object.entries(SETTING_FIELDS) as [
  keyof typeof SETTING_FIELDS,
  keyof AccountSettings,
][];

/** The given settings, as accounts store them. */
function settingsGiven(given: Partial<ValuesOf<typeof SETTING_PARAMETERS>>): AccountSettings {
  const settings = SETTING_NAMES.flatMap(([name, field]) =>
    given[name] === undefined ? [] : [[field, given[name]]],
  );
  return Object.fromEntries(settings);
}

type AccountToCreate = {
  readonly name: string;
  readonly billing: Account["billingMode"];
  readonly creditLimit: Xof;
  /** Null: the configuration's default. */
  readonly timezone: string | null;
  /** May be typed in place of the id; absent: none. */
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
      checkAccountName(tx, { name: name.value }) ??
      (shortName === null ? null : checkAccountName(tx, { shortName }));
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

/** Why an account cannot become prepaid, or null. */
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

/** The audit detail of a change, under the commands' names; settings not given are absent. */
function detailOf(settings: AccountSettings): AuditDetail {
  return Object.fromEntries(SETTING_NAMES.map(([name, field]) => [name, settings[field]]));
}

const NAME = text("NAME", 200);

/** A closed account cannot be reopened: a form must say whether queued messages are cancelled. */
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
  /** Every account, oldest first. */
  "account list": operation({
    does: "reads",
    params: {},
    run: (context) => {
      const nowMs = context.clock.nowMs();
      const { read } = context.store;
      return done({
        accounts: listAccounts(read).map((account) => toAccountView(read, context.config, account, nowMs)),
      });
    },
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
  /** Suspends an account from the API; its queued messages wait until it is resumed. */
  "account suspend": operation({
    may: "accounts.change",
    params: { account: ACCOUNT, reason: REASON },
    run: (context, { account: accountId, reason }) =>
      changeOpenAccount(context, accountId, (tx, account, nowMs) => {
        suspendAccount(tx, account.id, reason);
        return done({
          value: readAccountView(tx, context.config, account.id, nowMs),
          audit: { action: "account suspend", subject: account.ulid, detail: { reason } },
          concern: { kind: "account", accountId: account.id },
        });
      }),
  }),
  /** Resumes a suspended account. */
  "account resume": operation({
    may: "accounts.change",
    params: { account: ACCOUNT },
    run: (context, { account: accountId }) =>
      changeOpenAccount(context, accountId, (tx, account, nowMs) => {
        const isSuspended = account.status === "SUSPENDED";
        if (isSuspended) resumeAccount(tx, account.id);
        return done({
          value: readAccountView(tx, context.config, account.id, nowMs),
          audit: isSuspended ? { action: "account resume", subject: account.ulid, detail: {} } : null,
          concern: { kind: "account", accountId: account.id },
        });
      }),
  }),
  /** Renames an account, closed or not; what was sent or printed under the old name stays as it is. */
  "account rename": operation({
    may: "accounts.change",
    params: { account: ACCOUNT, name: word("NAME", NAME) },
    run: async (context, { account: accountId, name: wanted }) => {
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
    },
  }),
  /**
   * Ends an account (docs/administration.md#closing-an-account). Refused while something waits or its wallet holds or owes anything,
   * unless `isForced`: then what waits is cancelled, and what the wallet holds or owes is entered as CLOSING. Closing a closed
   * account does what is left of it.
   */
  "account close": operation({
    may: "accounts.change",
    params: { account: ACCOUNT, force: FORCE },
    run: async (context, { account: accountId, force: isForced }) => {
      const { read } = context.store;
      const found = findAccount(read, accountId);
      if (!found.ok) return found;
      const { id } = found.value;
      const waitingNow = async () => {
        const batches = await waitingOfAccount(read, createYielder(context.clock), id);
        return { batches, messages: batches.reduce((sum, place) => sum + place.messages, 0) };
      };
      let lookedFrom = readLastBatchId(read, id);
      let before = await waitingNow();
      // Counting takes many turns of the event loop while clients submit: repeat until no batch came meanwhile.
      while (!isForced && readLastBatchId(read, id) !== lookedFrom) {
        lookedFrom = readLastBatchId(read, id);
        before = await waitingNow();
      }
      const ended = await change(context, (tx, nowMs) => {
        const wallet = readWallet(tx, id);
        const { batches, messages } = before;
        const isMore = readLastBatchId(tx, id) !== lookedFrom;
        if (!isForced && (batches.length > 0 || isMore || wallet.funds !== 0 || wallet.reserved !== 0))
          return notSettled(found.value, { batches: batches.length, messages, isMore }, wallet);
        const { isNew, ...value } = end(tx, id, nowMs);
        const detail = {
          forced: isForced,
          batches_waiting: batches.length,
          messages_waiting: messages,
          ...value,
        };
        return done({
          value,
          audit: isNew ? { action: "account close", subject: found.value.ulid, detail } : null,
          concern: { kind: "account", accountId: id },
        });
      });
      if (!ended.ok) return ended;
      context.server?.changed({ kind: "webhooks" });
      // Nothing more is accepted from here on. What came since the last count is found now.
      const { batches, messages } = isForced ? await waitingNow() : before;
      // A running server cancels too: the answer tells what was waiting.
      for (const { batchId } of batches) await cancelBatch(context, { accountId: id, batchId }, CLOSING);
      return enterRest(context, found.value, {
        ...ended.value,
        batches_cancelled: batches.length,
        messages_cancelled: messages,
      });
    },
  }),
};

/** The console's parts of `account set`, by permission: traffic rules, and money. */
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

/** The ledger kind and reason recorded when an account is closed. */
const CLOSING = "CLOSING";

/** Ends keys, endpoints and console sessions, live and sandbox; those already ended are not counted again. */
function end(tx: Tx, id: number, nowMs: number) {
  const isNew = closeAccount(tx, id, nowMs);
  const enabled = [...listEndpoints(tx, id), ...listEndpoints(tx, toSandboxId(id))].filter(
    ({ status }) => status === "ENABLED",
  );
  for (const endpoint of enabled)
    disableEndpoint(tx, endpoint.id, "DISABLED_BY_USER", phrase("webhook.disabled.account_closed"));
  endSessionsOfAccount(tx, id);
  return {
    isNew,
    keys_ended:
      revokeAccountKeys(tx, id, nowMs) +
      revokeAccountCompatUsers(tx, id, nowMs) +
      revokeAccountSmppUsers(tx, id, nowMs),
    endpoints_disabled: enabled.length,
  };
}

/**
 * Posts what the wallet holds or owes beyond reservations, so that it ends at zero, then frees the senders: earlier, queued messages
 * would fail for want of a sender instead of being cancelled.
 */
function enterRest(
  context: AdminContext,
  { id, ulid }: Account,
  told: Readonly<
    Record<"keys_ended" | "endpoints_disabled" | "batches_cancelled" | "messages_cancelled", number>
  >,
) {
  return change(context, (tx, nowMs) => {
    const sendersFreed = freeSenders(tx, id, "the account is closed");
    const { funds, reserved } = readWallet(tx, id);
    const entered = funds === 0 ? 0 : -funds;
    if (entered !== 0)
      adjust(tx, { accountId: id, amount: entered, reason: CLOSING, id: context.newId(), atMs: nowMs });
    return done({
      value: {
        ...readAccountView(tx, context.config, id, nowMs),
        closing: {
          ...told,
          senders_freed: sendersFreed,
          /** The CLOSING entry of its wallet: negative for a balance taken out, positive for a debt written off. */
          entered,
          /** Still reserved by messages under way: what is released later is entered by closing the account again. */
          still_reserved: reserved,
        },
      },
      audit:
        entered === 0
          ? null
          : { action: "wallet adjust", subject: ulid, detail: { amount: entered, reason: CLOSING } },
    });
  });
}

/** `isMore`: a batch was accepted while counting. */
type Waiting = { readonly batches: number; readonly messages: number; readonly isMore: boolean };

function waitingPhrase({ batches, messages }: Pick<Waiting, "batches" | "messages">): Phrase {
  if (messages === 1) return phrase("fault.closing.message_waits");
  return batches === 1
    ? phrase("fault.closing.batch_waits", { messages })
    : phrase("fault.closing.batches_wait", { messages, batches });
}

function notSettled({ name, ulid }: Account, waiting: Waiting, { funds, reserved }: Wallet) {
  const reasons = [
    ...(waiting.batches > 0 ? [waitingPhrase(waiting)] : []),
    ...(waiting.isMore ? [phrase("fault.closing.just_accepted")] : []),
    ...(reserved > 0 ? [phrase("fault.closing.set_aside", { amount: reserved })] : []),
    ...(funds > 0 ? [phrase("fault.closing.holds", { amount: funds })] : []),
    ...(funds < 0 ? [phrase("fault.closing.owes", { amount: -funds })] : []),
  ];
  return refuse("ACCOUNT_NOT_SETTLED", { name, id: ulid, reasons, entry: CLOSING });
}

/**
 * An account as the commands and the console show it: settings, status and wallet. A rule that is null is as the
 * configuration says; `policy` holds what counts in the end.
 */
export function toAccountView(read: Reader, config: Config, account: Account, nowMs: number) {
  const { overrides } = account;
  const policy = derivePolicy(account, config.policy);
  return {
    account_id: account.ulid,
    name: account.name,
    short_name: account.shortName,
    status: account.status,
    suspended_reason: account.suspendedReason,
    timezone: account.timezone,
    billing_mode: account.billingMode,
    credit_limit: account.creditLimit,
    /** Null: as the configuration says. */
    charge_on: account.chargeOn,
    classes: account.classes,
    recipients_per_minute: overrides.recipientsPerMinute,
    recipients_per_day: overrides.recipientsPerDay,
    marketing_hours: overrides.marketingHours,
    marketing_per_day: overrides.marketingPerDay,
    marketing_per_week: overrides.marketingPerWeek,
    text_policy: account.textRules.textPolicy,
    missing_attributes: account.textRules.missingAttributes,
    /** Null: WhatsApp messages do not fall back to SMS. */
    fallback_seconds: account.fallbackSeconds,
    /** Null: nobody is told. */
    low_balance: account.lowBalance,
    created_at: isoUtc(account.createdAtMs),
    closed_at: isoOrNull(account.closedAtMs),
    policy: {
      recipients_per_minute: policy.recipientsPerMinute,
      recipients_per_day: policy.recipientsPerDay,
      marketing_hours: renderHours(policy.marketingHours),
      marketing_per_day: policy.marketingPerDay,
      marketing_per_week: policy.marketingPerWeek,
    },
    wallet: readBalance(read, account.id, nowMs),
  };
}

export type AccountView = Readonly<ReturnType<typeof toAccountView>>;

function readAccountView(read: Reader, config: Config, id: number, nowMs: number): AccountView {
  const account = accountById(read, id);
  assert(account, `account ${id} exists`);
  return toAccountView(read, config, account, nowMs);
}

/** Whole-number rules an account may override, with their keys in the configuration's `[policy]`. */
const WHOLES = [
  ["recipientsPerMinute", "recipients_per_minute"],
  ["recipientsPerDay", "recipients_per_day"],
  ["marketingPerDay", "marketing_per_day"],
  ["marketingPerWeek", "marketing_per_week"],
] as const;

/** Why an account cannot have these rules, or null; the bounds are those of the configuration. */
function checkPolicy(rules: Partial<PolicyOverrides>) {
  for (const [name, key] of WHOLES) {
    const value = rules[name] ?? null;
    const shape = shapeOf(key);
    if (value !== null && !isInBounds(value, shape)) {
      return refuse("INVALID_NUMBER.policy", { key, expected: describeExpected(shape) });
    }
  }
  const hours = rules.marketingHours ?? null;
  if (hours !== null && parseHours(hours) === null) {
    const expected = describeExpected(shapeOf("marketing_hours"));
    return refuse("INVALID_HOURS", { hours, expected });
  }
  return null;
}

function isInBounds(value: number, { minimum, maximum }: Shape): boolean {
  assert(minimum !== undefined && maximum !== undefined, "the configuration bounds its whole numbers");
  return Number.isInteger(value) && value >= minimum && value <= maximum;
}

function shapeOf(key: string): Shape {
  const setting = SETTINGS.find((each) => each.table === "policy" && each.key === key);
  assert(setting, `the configuration has policy.${key}`);
  return setting.shape;
}
