/** The page "Accounts": list with search; one account with settings, classes, limits, prices; suspend, resume, rename, close. */
import { Type as t } from "typebox";
import {
  ACCOUNT_OPERATIONS,
  ACCOUNT_SET_PARTS,
  type AccountView,
  accountShow,
  toAccountView,
} from "../../../admin/operations/accounts.ts";
import { done } from "../../../admin/operations/refusal.ts";
import { accountFind } from "../../../admin/reports/account-find.ts";
import { createYielder } from "../../../core/concurrency.ts";
import type { Account } from "../../../domain/accounts/accounts.ts";
import { waitingOfAccount } from "../../../domain/messages/queue.ts";
import { operationRoutes } from "./operation-routes.ts";
import { ACCOUNT_SUBJECT, canSeeBalance, type PageContext } from "./request-context.ts";
import { type QueryOf, route, routeOn } from "./route.ts";
import { filters, ID, LIMIT, WORD } from "./schemas.ts";

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
async function accountsPage(asked: PageContext, query: QueryOf<typeof ACCOUNTS_QUERY>) {
  if (asked.account !== null) {
    const own = accountShow(asked.context, asked.account);
    return own.ok ? done({ accounts: [shown(asked, own.value)], next: null }) : own;
  }
  const found = await accountFind(asked.context, query);
  if (!found.ok) return found;
  return done({ ...found.value, accounts: found.value.accounts.map((one) => shown(asked, one)) });
}

function accountPage(asked: PageContext, account: Account) {
  const { store, config, clock } = asked.context;
  const view = toAccountView(store.read, config, account, clock.nowMs());
  // Applies where the account has no rule of its own.
  return done({ ...shown(asked, view), usual_charge_on: config.billing.charge_on });
}

/** Counts the messages of an account that have not left. */
async function waitingPage({ context: { store, clock } }: PageContext, { id }: Account) {
  const batches = await waitingOfAccount(store.read, createYielder(clock), id);
  return done({
    batches: batches.length,
    messages: batches.reduce((sum, { messages }) => sum + messages, 0),
  });
}

export const ACCOUNT_ROUTES = {
  "GET /accounts": route("accounts.read", accountsPage, { query: ACCOUNTS_QUERY }),
  "GET /accounts/:account": routeOn(ACCOUNT_SUBJECT, "accounts.read", accountPage),
  "GET /accounts/:account/waiting": routeOn(ACCOUNT_SUBJECT, "accounts.read", waitingPage),
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
