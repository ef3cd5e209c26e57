/** The page "Accounts": list with search; one account with settings, classes, limits, prices; suspend, resume, rename, close. */
import { type Static, Type as t } from "typebox";
import { MESSAGE_CLASSES } from "../../accounts/classes.ts";
import { slicer } from "../../base/slices.ts";
import { waitingOfAccount } from "../../messages/waiting.ts";
import { accountClose } from "../../operations/account-closing.ts";
import type { AccountView } from "../../operations/account-view.ts";
import {
  accountCreate,
  accountRename,
  accountResume,
  accountSet,
  accountShow,
  accountSuspend,
} from "../../operations/accounts.ts";
import { findAccount } from "../../operations/find-account.ts";
import { done } from "../../operations/refusal.ts";
import { accountFind } from "../../reports/account-find.ts";
import { type Asked, oneAccount, seesBalance } from "./asked.ts";
import { route } from "./route.ts";
import { ACCOUNT_PATH, filters, ID, LIMIT, nullable, REASON, USUAL_ROWS, WORD } from "./shapes.ts";

const NAME = t.String({ minLength: 1, maxLength: 200 });
const XOF = t.Integer({ minimum: 0, maximum: 1_000_000_000_000 });
const CLASS = t.Enum(MESSAGE_CLASSES);
const CEILING = nullable(t.Integer({ minimum: 0, maximum: 1_000_000_000 }));
const BILLING = t.Union([t.Literal("PREPAID"), t.Literal("POSTPAID")]);

const ACCOUNTS_QUERY = t.Object({
  ...filters({ search: NAME, status: WORD, after: ID }).properties,
  limit: LIMIT,
});
const NEW_ACCOUNT = t.Object({
  name: NAME,
  billing: BILLING,
  credit_limit: t.Optional(XOF),
  timezone: t.Optional(nullable(t.String({ maxLength: 64 }))),
  short_name: t.Optional(nullable(t.String({ maxLength: 20 }))),
});
const ACCOUNT_SETTINGS = t.Partial(
  t.Object({
    timezone: t.String({ maxLength: 64 }),
    short_name: t.String({ maxLength: 20 }),
    classes: t.Array(CLASS, { minItems: 1, maxItems: 3, uniqueItems: true }),
    recipients_per_minute: CEILING,
    recipients_per_day: CEILING,
    marketing_hours: nullable(t.String({ maxLength: 11 })),
    marketing_per_day: CEILING,
    marketing_per_week: CEILING,
    text_policy: t.Union([t.Literal("as_is"), t.Literal("rewrite"), t.Literal("gsm_only")]),
    missing_attributes: t.Union([t.Literal("empty"), t.Literal("reject")]),
  }),
);
/** What of an account's settings is money. */
const MONEY_SETTINGS = t.Partial(
  t.Object({
    credit_limit: XOF,
    low_balance: nullable(XOF),
    billing_mode: BILLING,
    charge_on: nullable(t.Union([t.Literal("accepted"), t.Literal("delivered")])),
    force: t.Boolean(),
  }),
);
export const RENAME = t.Object({ name: NAME });
const SUSPEND = t.Object({ reason: REASON });
const CLOSE = t.Object({ force: t.Boolean() });
/**
 * An account without what is money, for those who may not see it. Staff who answer for messages see what there is to spend, and none of
 * the settings of it.
 */
function shown(asked: Asked, { wallet, credit_limit, low_balance, ...account }: AccountView) {
  const seesSettings = asked.seesMoney && asked.may("money.read");
  return {
    ...account,
    wallet: seesBalance(asked) ? wallet : null,
    credit_limit: seesSettings ? credit_limit : null,
    low_balance: seesSettings ? low_balance : null,
  };
}

/** Accounts by name. A confined user finds their own. */
async function accountsPage(asked: Asked, query: Static<typeof ACCOUNTS_QUERY>) {
  if (asked.account !== null) {
    const own = accountShow(asked.context, asked.account);
    return own.ok ? done({ accounts: [shown(asked, own.value)], next: null }) : own;
  }
  const { search = null, status = null, after = null, limit = USUAL_ROWS } = query;
  const found = await accountFind(asked.context, { search, status, after, limit });
  if (!found.ok) return found;
  return done({ ...found.value, accounts: found.value.accounts.map((one) => shown(asked, one)) });
}

function accountPage(asked: Asked, wanted: string) {
  const account = oneAccount(asked, wanted);
  if (!account.ok) return account;
  const found = accountShow(asked.context, account.value);
  if (!found.ok) return found;
  // What holds where the account has no rule of its own.
  const { charge_on } = asked.context.config.billing;
  return done({ ...shown(asked, found.value), usual_charge_on: charge_on });
}

/** How many messages of an account have not left. */
async function waitingPage(asked: Asked, wanted: string) {
  const account = oneAccount(asked, wanted);
  if (!account.ok) return account;
  const { store, clock } = asked.context;
  const found = findAccount(store.read, account.value);
  if (!found.ok) return found;
  const batches = await waitingOfAccount(store.read, slicer(clock), found.value.id);
  return done({
    batches: batches.length,
    messages: batches.reduce((sum, { messages }) => sum + messages, 0),
  });
}

export function createAccount({ context }: Asked, wanted: Static<typeof NEW_ACCOUNT>) {
  return accountCreate(context, {
    name: wanted.name,
    billing: wanted.billing,
    creditLimit: wanted.credit_limit ?? 0,
    timezone: wanted.timezone ?? null,
    shortName: wanted.short_name ?? null,
  });
}

/** Changes settings that are not money. What is left out stays; null: as the configuration says. */
function changeSettings({ context }: Asked, account: string, body: Static<typeof ACCOUNT_SETTINGS>) {
  return accountSet(
    context,
    account,
    given({
      timezone: body.timezone,
      shortName: body.short_name,
      classes: body.classes && MESSAGE_CLASSES.filter((name) => body.classes?.includes(name)),
      recipientsPerMinute: body.recipients_per_minute,
      recipientsPerDay: body.recipients_per_day,
      marketingHours: body.marketing_hours,
      marketingPerDay: body.marketing_per_day,
      marketingPerWeek: body.marketing_per_week,
      textPolicy: body.text_policy,
      missingAttributes: body.missing_attributes,
    }),
  );
}

function changeMoneySettings({ context }: Asked, account: string, body: Static<typeof MONEY_SETTINGS>) {
  return accountSet(
    context,
    account,
    given({
      creditLimit: body.credit_limit,
      lowBalance: body.low_balance,
      billingMode: body.billing_mode,
      chargeOn: body.charge_on,
    }),
    body.force === true,
  );
}

/** A record without what is undefined. */
function given<T extends Readonly<Record<string, unknown>>>(fields: T) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
}

function renameAccount({ context }: Asked, account: string, { name }: Static<typeof RENAME>) {
  return accountRename(context, account, name);
}

export function suspendAccount({ context }: Asked, account: string, { reason }: Static<typeof SUSPEND>) {
  return accountSuspend(context, account, reason);
}

export function resumeAccount({ context }: Asked, account: string) {
  return accountResume(context, account);
}

export function closeAccount({ context }: Asked, account: string, { force }: Static<typeof CLOSE>) {
  return accountClose(context, account, force);
}

export const ACCOUNT_ROUTES = {
  "GET /accounts": route({ operation: "accounts.read", query: ACCOUNTS_QUERY }, (asked, { query }) =>
    accountsPage(asked, query),
  ),
  "POST /accounts": route({ operation: "accounts.change", body: NEW_ACCOUNT }, (asked, { body }) =>
    createAccount(asked, body),
  ),
  "GET /accounts/:account": route({ operation: "accounts.read", params: ACCOUNT_PATH }, (asked, { params }) =>
    accountPage(asked, params.account),
  ),
  "GET /accounts/:account/waiting": route(
    { operation: "accounts.read", params: ACCOUNT_PATH },
    (asked, { params }) => waitingPage(asked, params.account),
  ),
  "PATCH /accounts/:account": route(
    { operation: "accounts.change", params: ACCOUNT_PATH, body: ACCOUNT_SETTINGS },
    (asked, { params, body }) => changeSettings(asked, params.account, body),
  ),
  "PATCH /accounts/:account/money": route(
    { operation: "money.change", params: ACCOUNT_PATH, body: MONEY_SETTINGS },
    (asked, { params, body }) => changeMoneySettings(asked, params.account, body),
  ),
  "POST /accounts/:account/rename": route(
    { operation: "accounts.change", params: ACCOUNT_PATH, body: RENAME },
    (asked, { params, body }) => renameAccount(asked, params.account, body),
  ),
  "POST /accounts/:account/suspend": route(
    { operation: "accounts.change", params: ACCOUNT_PATH, body: SUSPEND },
    (asked, { params, body }) => suspendAccount(asked, params.account, body),
  ),
  "POST /accounts/:account/resume": route(
    { operation: "accounts.change", params: ACCOUNT_PATH },
    (asked, { params }) => resumeAccount(asked, params.account),
  ),
  "POST /accounts/:account/close": route(
    { operation: "accounts.change", params: ACCOUNT_PATH, body: CLOSE },
    (asked, { params, body }) => closeAccount(asked, params.account, body),
  ),
};
