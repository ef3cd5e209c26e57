/** Accounts by what somebody remembers of them: a part of the name, the short name, an ending of the id. */

import { createYielder } from "../../core/concurrency.ts";
import { accountById, listAccountNames } from "../../domain/accounts/accounts.ts";
import { hasEnding, normaliseName } from "../operations/account-names.ts";
import { type AccountView, toAccountView } from "../operations/accounts.ts";
import type { AdminContext } from "../operations/context.ts";
import { operation, type ValuesOf } from "../operations/operation.ts";
import { limit, optional, text, word } from "../operations/parameters.ts";
import { done, refuse } from "../operations/refusal.ts";

const MAX_ACCOUNTS = 200;

const FIND_PARAMETERS = {
  search: optional(word("TEXT", text("TEXT", 200))),
  status: optional(text("S", 100)),
  /** The account to go on behind, by its id. */
  after: optional(text("ID", 40)),
  limit: limit(100, MAX_ACCOUNTS),
};

/** What is null is not asked for. */
export type AccountFindFilters = ValuesOf<typeof FIND_PARAMETERS>;

const STATUSES = ["ACTIVE", "SUSPENDED", "CLOSED"] as const;

/**
 * Accounts that fit, in the order of their names; wallets are read of those that are shown. `next`: the account to go on behind; null
 * when nothing is left.
 */
export async function accountFind(context: AdminContext, filters: AccountFindFilters) {
  const { store, clock, config } = context;
  const { read } = store;
  const { limit } = filters;
  const status = STATUSES.find((one) => one === filters.status?.toUpperCase());
  if (filters.status !== null && status === undefined) {
    return refuse("INVALID_STATUS", { text: filters.status, known: STATUSES.join(", ") });
  }
  const wanted = filters.search === null ? "" : normaliseName(filters.search);
  const named = listAccountNames(read)
    .map((account) => ({ ...account, plain: normaliseName(account.name) }))
    .filter(
      ({ ulid, shortName, plain }) =>
        plain.includes(wanted) || shortName?.includes(wanted) === true || hasEnding(ulid, wanted),
    )
    .sort((a, b) => (a.plain < b.plain || (a.plain === b.plain && a.ulid < b.ulid) ? -1 : 1));
  const start = filters.after === null ? 0 : named.findIndex(({ ulid }) => ulid === filters.after) + 1;
  if (filters.after !== null && start === 0) {
    return refuse("ACCOUNT_NOT_FOUND", { account: filters.after });
  }
  const pause = createYielder(clock);
  const accounts: AccountView[] = [];
  for (const { id } of named.slice(start)) {
    const account = accountById(read, id);
    if (account && (status === undefined || account.status === status)) {
      if (accounts.length === limit) return done({ accounts, next: accounts.at(-1)?.account_id ?? null });
      accounts.push(toAccountView(read, config, account, clock.nowMs()));
    }
    await pause();
  }
  return done({ accounts, next: null });
}

export const ACCOUNT_FIND_OPERATIONS = {
  "account find": operation({
    does: "reads",
    params: FIND_PARAMETERS,
    run: accountFind,
  }),
};
