/** What `account set` changes: each setting as it is typed, as forms of the console bring it, and as accounts keep it. */
import { Type as t } from "typebox";
import { MISSING_ATTRIBUTES, TEXT_POLICIES } from "../../core/text-rules.ts";
import type { Account, AccountChanges } from "../../domain/accounts/accounts.ts";
import { MESSAGE_CLASSES } from "../../domain/accounts/classes.ts";
import type { Parameter, ValuesOf } from "./operation.ts";
import { amount, ifGiven, oneOf, severalOf, text, typedAs, whole } from "./parameters.ts";
import { done, refuse } from "./refusal.ts";

/** A name is given by renaming. */
export type AccountSettings = Omit<AccountChanges, "name">;

/** The word that gives a rule back to the configuration. */
const DEFAULT = "default";

const MAX_NUMBER = 1_000_000_000;

export const CREDIT_LIMIT = amount(0);
export const TIMEZONE = text("TZ", 64);
export const SHORT_NAME = text("NAME", 20);

/** When an account pays, in small letters where it is typed. */
export const BILLING = typedAs<Account["billingMode"], false>(
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
export const SETTINGS = {
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

const { credit_limit, low_balance, billing_mode, charge_on, fallback_seconds: _, ...rules } = SETTINGS;

/** Settings that are money: the console asks for the second factor before it changes them. */
export const MONEY_SETTINGS = { credit_limit, low_balance, billing_mode, charge_on };

/** Settings of the console's other form; the fallback is set by the command alone. */
export const RULES = rules;

/** What was given of settings, as accounts keep it. */
export function settingsGiven(given: Partial<ValuesOf<typeof SETTINGS>>): AccountSettings {
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
