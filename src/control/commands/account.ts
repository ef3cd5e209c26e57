import { isMessageClass, MESSAGE_CLASSES, type MessageClass } from "../../accounts/classes.ts";
import type { ChargeOn, Xof } from "../../base/money.ts";
import { MISSING_ATTRIBUTES, TEXT_POLICIES } from "../../base/text-rules.ts";
import { accountClose } from "../../operations/account-closing.ts";
import {
  type AccountSettings,
  accountCreate,
  accountList,
  accountRename,
  accountResume,
  accountSet,
  accountShow,
  accountSuspend,
} from "../../operations/accounts.ts";
import { type AdminOutcome, type AdminRefusal, done, refuse } from "../../operations/refusal.ts";
import { readAmount, readWhole } from "../../operations/typed-values.ts";
import { ACCOUNT, type AdminCommand, type Args, type Flag, needed, optional } from "../command.ts";
import { readList } from "./list.ts";

const CREDIT_LIMIT: Flag = {
  name: "credit-limit",
  value: "XOF",
};
const SHORT_NAME: Flag = {
  name: "short-name",
  value: "NAME",
};
const BILLING: Flag = {
  name: "billing",
  value: "MODE",
  choices: ["prepaid", "postpaid"],
};
const TIMEZONE: Flag = { name: "timezone", value: "TZ" };

/** The word that gives a rule back to the configuration. */
const DEFAULT = "default";
const RECIPIENTS_PER_MINUTE = { name: "recipients-per-minute", value: "N" };
const RECIPIENTS_PER_DAY = { name: "recipients-per-day", value: "N" };
const MARKETING_HOURS = { name: "marketing-hours", value: "HH:MM-HH:MM" };
const MARKETING_PER_DAY = { name: "marketing-per-day", value: "N" };
const MARKETING_PER_WEEK = { name: "marketing-per-week", value: "N" };
const LOW_BALANCE: Flag = {
  name: "low-balance",
  value: "XOF",
};
const CHARGE_ON: Flag = {
  name: "charge-on",
  value: "WHEN",
  choices: ["accepted", "delivered", DEFAULT],
};
const TEXT_POLICY: Flag = {
  name: "text-policy",
  value: "POLICY",
  choices: TEXT_POLICIES,
};
const MISSING: Flag = {
  name: "missing-attributes",
  value: "WHAT",
  choices: MISSING_ATTRIBUTES,
};

const FALLBACK: Flag = {
  name: "fallback-seconds",
  value: "N|off",
};

export const ACCOUNT_COMMANDS: readonly AdminCommand[] = [
  {
    name: "account create",
    positionals: [],
    flags: [
      { name: "name", value: "NAME", isRequired: true },
      { ...BILLING, isRequired: true },
      SHORT_NAME,
      CREDIT_LIMIT,
      TIMEZONE,
    ],
    run: (context, args) => {
      const creditLimit = optionalAmount(args, CREDIT_LIMIT.name);
      if (!creditLimit.ok) return creditLimit;
      return accountCreate(context, {
        name: needed(args, "name"),
        billing: billingOf(needed(args, BILLING.name)),
        creditLimit: creditLimit.value ?? 0,
        timezone: optional(args, TIMEZONE.name),
        shortName: optional(args, SHORT_NAME.name),
      });
    },
  },
  {
    name: "account list",
    does: "reads",
    positionals: [],
    flags: [],
    table: {
      rows: "accounts",
      columns: [
        ...["name", "short_name", "status", "billing_mode"],
        ...["wallet.balance", "wallet.spendable", "account_id"],
      ],
    },
    run: (context) => accountList(context),
  },
  {
    name: "account show",
    does: "reads",
    positionals: [ACCOUNT],
    flags: [],
    run: (context, args) => accountShow(context, needed(args, "ACCOUNT")),
  },
  {
    name: "account set",
    positionals: [ACCOUNT],
    flags: [
      CREDIT_LIMIT,
      TIMEZONE,
      RECIPIENTS_PER_MINUTE,
      RECIPIENTS_PER_DAY,
      MARKETING_HOURS,
      MARKETING_PER_DAY,
      MARKETING_PER_WEEK,
      { name: "classes", value: "A,B", told: { classes: MESSAGE_CLASSES.join(", ") } },
      CHARGE_ON,
      LOW_BALANCE,
      TEXT_POLICY,
      MISSING,
      FALLBACK,
      SHORT_NAME,
      BILLING,
      { name: "force", value: null },
    ],
    run: (context, args) => {
      const changes = readChanges(args);
      return changes.ok
        ? accountSet(context, needed(args, "ACCOUNT"), changes.value, args.force !== undefined)
        : changes;
    },
  },
  {
    name: "account suspend",
    positionals: [ACCOUNT],
    flags: [{ name: "reason", value: "TEXT", isRequired: true }],
    run: (context, args) => accountSuspend(context, needed(args, "ACCOUNT"), needed(args, "reason")),
  },
  {
    name: "account resume",
    positionals: [ACCOUNT],
    flags: [],
    run: (context, args) => accountResume(context, needed(args, "ACCOUNT")),
  },
  {
    name: "account rename",
    positionals: [ACCOUNT, { name: "NAME" }],
    flags: [],
    run: (context, args) => accountRename(context, needed(args, "ACCOUNT"), needed(args, "NAME")),
  },
  {
    name: "account close",
    positionals: [ACCOUNT],
    flags: [
      {
        name: "force",
        value: null,
      },
    ],
    run: (context, args) => accountClose(context, needed(args, "ACCOUNT"), args.force !== undefined),
  },
];

/** The settings that were given, as far as their words can be read at all. */
function readChanges(args: Args): AdminOutcome<AccountSettings> {
  const creditLimit = optionalAmount(args, CREDIT_LIMIT.name);
  if (!creditLimit.ok) return creditLimit;
  const classes = optionalClasses(args);
  if (!classes.ok) return classes;
  const timezone = optional(args, TIMEZONE.name);
  const shortName = optional(args, SHORT_NAME.name);
  const billing = optional(args, BILLING.name);
  const given: { -readonly [Name in keyof AccountSettings]: AccountSettings[Name] } = {
    ...(creditLimit.value !== null && { creditLimit: creditLimit.value }),
    ...(timezone !== null && { timezone }),
    ...(billing !== null && { billingMode: billingOf(billing) }),
    ...(shortName !== null && { shortName }),
    ...(classes.value !== null && { classes: classes.value }),
  };
  for (const [flag, name] of WHOLES) {
    const text = optional(args, flag.name);
    if (text === null) continue;
    const value = text === DEFAULT ? done(null) : readWhole(text);
    if (!value.ok) return notTaken(flag, value.refusal, DEFAULT);
    given[name] = value.value;
  }
  const lowBalance = optional(args, LOW_BALANCE.name);
  if (lowBalance !== null) {
    const amount = lowBalance === DEFAULT ? done(null) : readAmount(lowBalance);
    if (!amount.ok) return amount;
    given.lowBalance = amount.value;
  }
  const hours = optional(args, MARKETING_HOURS.name);
  if (hours !== null) given.marketingHours = hours === DEFAULT ? null : hours;
  const chargeOn = optional(args, CHARGE_ON.name);
  if (chargeOn !== null) given.chargeOn = readChargeOn(chargeOn);
  const policy = TEXT_POLICIES.find((one) => one === args[TEXT_POLICY.name]);
  if (policy) given.textPolicy = policy;
  const fallback = optional(args, FALLBACK.name);
  if (fallback !== null) {
    const seconds = fallback === "off" ? done(null) : readWhole(fallback);
    if (!seconds.ok) return notTaken(FALLBACK, seconds.refusal, "off");
    given.fallbackSeconds = seconds.value;
  }
  const missing = MISSING_ATTRIBUTES.find((one) => one === args[MISSING.name]);
  if (missing) given.missingAttributes = missing;
  return done(given);
}

/** Refuses what stands behind a flag that takes a whole number or `word`. */
function notTaken({ name }: Flag, { detail }: AdminRefusal, word: string) {
  return refuse("INVALID_NUMBER.flag", { flag: name, why: detail, word });
}

const WHOLES = [
  [RECIPIENTS_PER_MINUTE, "recipientsPerMinute"],
  [RECIPIENTS_PER_DAY, "recipientsPerDay"],
  [MARKETING_PER_DAY, "marketingPerDay"],
  [MARKETING_PER_WEEK, "marketingPerWeek"],
] as const;

function optionalAmount(args: Args, flag: string): AdminOutcome<Xof | null> {
  const text = optional(args, flag);
  return text === null ? done(null) : readAmount(text);
}

function optionalClasses(args: Args): AdminOutcome<readonly MessageClass[] | null> {
  const text = optional(args, "classes");
  if (text === null) return done(null);
  const { known, unknown } = readList(text, MESSAGE_CLASSES, isMessageClass);
  return unknown === null
    ? done(known)
    : refuse("INVALID_CLASS", { text: unknown, known: MESSAGE_CLASSES.join(", ") });
}

function billingOf(text: string): "PREPAID" | "POSTPAID" {
  return text === "postpaid" ? "POSTPAID" : "PREPAID";
}

function readChargeOn(text: string): ChargeOn | null {
  if (text === "accepted" || text === "delivered") return text;
  return null;
}
