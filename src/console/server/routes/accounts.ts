/** The page "Accounts": list with search; one account with settings, classes, limits, prices; suspend, resume, rename, close. */
import { type Static, Type as t } from "typebox";
import { findAccount } from "../../../admin/operations/account-names.ts";
import {
  ACCOUNT_OPERATIONS,
  ACCOUNT_SET_PARTS,
  type AccountView,
  accountShow,
} from "../../../admin/operations/accounts.ts";
import { done } from "../../../admin/operations/refusal.ts";
import { accountFind } from "../../../admin/reports/account-find.ts";
import { createYielder } from "../../../core/concurrency.ts";
import { waitingOfAccount } from "../../../domain/messages/backlog.ts";
import { operationRoutes } from "./operation-routes.ts";
import { canSeeBalance, type PageContext, resolveAccount } from "./request-context.ts";
import { route } from "./route.ts";
import { ACCOUNT_PATH, filters, ID, LIMIT, USUAL_ROWS, WORD } from "./schemas.ts";

const NAME = t.String({ minLength: 1, maxLength: 200 });

const ACCOUNTS_QUERY = t.Object({
  ...filters({ search: NAME, status: WORD, after: ID }).properties,
  limit: LIMIT,
});

/**
 * An account without its money, for those who may not see it. Staff who answer for messages see the amount to spend, and no
 * money settings.
 */
function shown(asked: PageContext, { wallet, credit_limit, low_balance, ...account }: AccountView) {
  const seesSettings = asked.seesMoney && asked.may("money.read");
  return {
    ...account,
    wallet: canSeeBalance(asked) ? wallet : null,
    credit_limit: seesSettings ? credit_limit : null,
    low_balance: seesSettings ? low_balance : null,
  };
}

/** Lists accounts by name. A confined user finds their own. */
async function accountsPage(asked: PageContext, query: Static<typeof ACCOUNTS_QUERY>) {
  if (asked.account !== null) {
    const own = accountShow(asked.context, asked.account);
    return own.ok ? done({ accounts: [shown(asked, own.value)], next: null }) : own;
  }
  const { search = null, status = null, after = null, limit = USUAL_ROWS } = query;
  const found = await accountFind(asked.context, { search, status, after, limit });
  if (!found.ok) return found;
  return done({ ...found.value, accounts: found.value.accounts.map((one) => shown(asked, one)) });
}

function accountPage(asked: PageContext, wanted: string) {
  const account = resolveAccount(asked, wanted);
  if (!account.ok) return account;
  const found = accountShow(asked.context, account.value);
  if (!found.ok) return found;
  // Applies where the account has no rule of its own.
  const { charge_on } = asked.context.config.billing;
  return done({ ...shown(asked, found.value), usual_charge_on: charge_on });
}

/** Counts the messages of an account that have not left. */
async function waitingPage(asked: PageContext, wanted: string) {
  const account = resolveAccount(asked, wanted);
  if (!account.ok) return account;
  const { store, clock } = asked.context;
  const found = findAccount(store.read, account.value);
  if (!found.ok) return found;
  const batches = await waitingOfAccount(store.read, createYielder(clock), found.value.id);
  return done({
    batches: batches.length,
    messages: batches.reduce((sum, { messages }) => sum + messages, 0),
  });
}

export const ACCOUNT_ROUTES = {
  "GET /accounts": route({ operation: "accounts.read", query: ACCOUNTS_QUERY }, (asked, { query }) =>
    accountsPage(asked, query),
  ),
  "GET /accounts/:account": route({ operation: "accounts.read", params: ACCOUNT_PATH }, (asked, { params }) =>
    accountPage(asked, params.account),
  ),
  "GET /accounts/:account/waiting": route(
    { operation: "accounts.read", params: ACCOUNT_PATH },
    (asked, { params }) => waitingPage(asked, params.account),
  ),
  ...operationRoutes({
    "POST /accounts": ACCOUNT_OPERATIONS["account create"],
    "PATCH /accounts/:account": ACCOUNT_SET_PARTS.rules,
    "PATCH /accounts/:account/money": ACCOUNT_SET_PARTS.money,
    "POST /accounts/:account/rename": ACCOUNT_OPERATIONS["account rename"],
    "POST /accounts/:account/suspend": ACCOUNT_OPERATIONS["account suspend"],
    "POST /accounts/:account/resume": ACCOUNT_OPERATIONS["account resume"],
    "POST /accounts/:account/close": ACCOUNT_OPERATIONS["account close"],
  }),
};
