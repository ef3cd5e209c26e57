/** Lists of users of the console: all of a kind, and page by page. */
import type { Reader } from "../../db/read.ts";
import {
  type ConsoleUser,
  hasSignedIn,
  listUsers,
  listUsersAfter,
  usersOfAccount,
} from "../../domain/accounts/users.ts";
import type { AdminContext } from "./context.ts";
import { findAccount } from "./find-account.ts";
import { operation } from "./operation.ts";
import { OF_ACCOUNT } from "./parameters.ts";
import { type AdminOutcome, done } from "./refusal.ts";
import { checkLimit } from "./typed-values.ts";
import { type UserView, toUserView } from "./users.ts";

type Users = { readonly users: readonly UserView[] };

/** Users of an account who have come in once: those that its own people know of. */
export function listAccountUsers(
  { store: { read } }: Pick<AdminContext, "store">,
  account: string,
): AdminOutcome<Users> {
  const found = findAccount(read, account);
  return found.ok ? done(toUserViews(read, usersOfAccount(read, found.value.id).filter(hasSignedIn))) : found;
}

/** Users, those who joined first before others; with an account, that account's. */
export function userList(
  { store: { read } }: Pick<AdminContext, "store">,
  account: string | null,
): AdminOutcome<Users> {
  if (account === null) return done(toUserViews(read, listUsers(read)));
  const found = findAccount(read, account);
  return found.ok ? done(toUserViews(read, usersOfAccount(read, found.value.id))) : found;
}

function toUserViews(read: Reader, users: readonly ConsoleUser[]): Users {
  return { users: users.map((user) => toUserView(read, user)) };
}

const MAX_USERS = 200;

export type UserPage = Users & {
  /** The user to list on from; null when this is the last page. */
  readonly next_after: string | null;
};

export type UserPageQuery = {
  /** Null: the appliance's own people. */
  readonly account: string | null;
  /** Those who have come in once alone, as an account's own people see them. */
  readonly isOfOwn: boolean;
  /** The cursor of the page before; null for the first. */
  readonly after: string | null;
  readonly limit: number;
};

/** Up to `limit` users, those who joined first before others. */
export function userPage(
  { store: { read } }: Pick<AdminContext, "store">,
  { account, isOfOwn, after, limit }: UserPageQuery,
): AdminOutcome<UserPage> {
  const checked = checkLimit(limit, MAX_USERS);
  if (!checked.ok) return checked;
  const found = account === null ? done(null) : findAccount(read, account);
  if (!found.ok) return found;
  const of = { accountId: found.value?.id ?? null, isOfOwn };
  // One more than is shown tells that there are more.
  const rows = listUsersAfter(read, of, Number(after ?? 0), checked.value + 1);
  const shown = rows.slice(0, checked.value);
  const last = rows.length > shown.length ? shown.at(-1) : undefined;
  return done({ ...toUserViews(read, shown), next_after: last === undefined ? null : String(last.id) });
}

export const USER_LIST_OPERATIONS = {
  "user list": operation({
    does: "reads",
    params: { account: OF_ACCOUNT },
    run: (context, { account }) => userList(context, account),
  }),
};
