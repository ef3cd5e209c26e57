/**
 * Operations on console users: create, change role, disable, delete, reset, list, and the one-time links that set password
 * and second factor.
 */
import { Type as t } from "typebox";
import { parseListen, toLocalOrigin } from "../../config/listen.ts";
import { isoUtc } from "../../core/clock.ts";
import type { Reader } from "../../db/reader.ts";
import { accountById, accountByUlid } from "../../domain/accounts/accounts.ts";
import {
  isAccountRole,
  isRole,
  isUserLanguage,
  ROLES,
  type Role,
  USER_LANGUAGES,
  type UserLanguage,
} from "../../domain/accounts/roles.ts";
import { dropRecoveryCodes } from "../../domain/accounts/second-factor.ts";
import { endSessions } from "../../domain/accounts/sessions.ts";
import { createLink, type NewLink, revokeLinks } from "../../domain/accounts/user-links.ts";
import {
  type ConsoleUser,
  clearCredentials,
  createUser,
  deleteUser,
  hasSignedIn,
  isLastOwner,
  isLogin,
  listUsers,
  listUsersAfter,
  type NewUser,
  normaliseLogin,
  setRole,
  setStatus,
  userByLogin,
  usersOfAccount,
} from "../../domain/accounts/users.ts";
import { findAccount, findAccountOrNull } from "./account-names.ts";
import { change, changeOpenAccount, isClosed } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { type MailResult, mailInvitation } from "./invitations.ts";
import { operation, type Parameter } from "./operation.ts";
import { checkLimit, naming, OF_ACCOUNT, optional, text, word } from "./parameters.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";

type UserInput = {
  readonly login: string;
  readonly role: string;
  /** The account of an account's role; null of staff. */
  readonly account: string | null;
  readonly language: string | null;
};

/** What somebody is to be, read and checked but for whether there is such a user. */
function readUser(wanted: UserInput): AdminOutcome<Pick<NewUser, "login" | "role" | "language">> {
  const login = normaliseLogin(wanted.login);
  if (!isLogin(login)) {
    return refuse("INVALID_LOGIN", { login: wanted.login });
  }
  const role = readRole(wanted.role);
  if (!role.ok) return role;
  const language = wanted.language === null ? done(null) : readLanguage(wanted.language);
  if (!language.ok) return language;
  if (isAccountRole(role.value) !== (wanted.account !== null)) return accountFits(role.value);
  return done({ login, role: role.value, language: language.value });
}

/** Adds a console user, who signs in first by the link returned here, which is mailed where a mail server is set up. */
export async function userCreate(context: AdminContext, wanted: UserInput) {
  const asked = readUser(wanted);
  if (!asked.ok) return asked;
  const { login, role, language } = asked.value;
  const created = await change(context, (tx, nowMs) => {
    const account = wanted.account === null ? null : findAccount(tx, wanted.account);
    if (account && !account.ok) return account;
    if (account?.value.status === "CLOSED") return isClosed(account.value);
    const known = userByLogin(tx, login);
    if (known) return isTaken(tx, known);
    const accountId = account?.value.id ?? null;
    const id = createUser(tx, { login, role, accountId, language }, nowMs);
    const link = createLink(tx, context.chance, id, nowMs, true);
    const detail = { role, account_id: account?.value.ulid ?? null };
    return done({
      value: linked(context, viewByLogin(tx, login), link),
      audit: { action: "user create", subject: login, detail },
    });
  });
  return withMail(context, created, true);
}

/** A user with a link, and what came of the mail with it; `isInvitation`: only these are mailed. */
async function withMail(
  context: AdminContext,
  made: AdminOutcome<ReturnType<typeof linked>>,
  isInvitation: boolean,
) {
  if (!made.ok) return made;
  const { login, language, account, account_id: accountId, link, link_expires_at: until } = made.value;
  const timezone = accountId === null ? null : accountByUlid(context.store.read, accountId)?.timezone;
  const mail = isInvitation
    ? await mailInvitation(context, {
        login,
        language,
        timezone: timezone ?? null,
        account,
        link,
        untilMs: Date.parse(until),
      })
    : null;
  return done({
    ...made.value,
    /** Null where nothing is mailed: no mail server is set up, or the link resets something. */
    mail,
  });
}

/**
 * Requests a user for an account. The answer is the same whether or not the login is taken elsewhere, and has no link, which would reveal
 * it by not working: staff make the link with `user link`, where a user could be created. The audit log says whether, to staff alone.
 */
export async function userAsk(context: AdminContext, wanted: UserInput & { readonly account: string }) {
  const asked = readUser(wanted);
  if (!asked.ok) return asked;
  const { login, role, language } = asked.value;
  return changeOpenAccount(context, wanted.account, (tx, { id: accountId, ulid }, nowMs) => {
    const known = userByLogin(tx, login);
    if (known?.accountId === accountId && hasSignedIn(known)) {
      return refuse("LOGIN_TAKEN", { login });
    }
    if (known === null) createUser(tx, { login, role, accountId, language }, nowMs);
    const detail = { login, role, [IS_TAKEN]: known !== null && known.accountId !== accountId };
    return done({ value: { login }, audit: { action: "user ask", subject: ulid, detail } });
  });
}

/** The audit field that only staff see. */
export const IS_TAKEN = "is_taken";

type UserChange<T> = {
  readonly value: T;
  readonly action: string;
  readonly detail?: Readonly<Record<string, string>>;
};

function changeUser<T>(
  context: AdminContext,
  login: string,
  work: (
    tx: Parameters<Parameters<typeof change>[1]>[0],
    user: ConsoleUser,
    nowMs: number,
  ) => AdminOutcome<UserChange<T>>,
): Promise<AdminOutcome<T>> {
  return change(context, (tx, nowMs) => {
    const user = userByLogin(tx, login);
    if (!user) return refuse("USER_NOT_FOUND", { login });
    const outcome = work(tx, user, nowMs);
    if (!outcome.ok) return outcome;
    const { value, action, detail = {} } = outcome.value;
    return done({ value, audit: { action, subject: user.login, detail } });
  });
}

/** Why no link may be made for a user; null where one may. */
function shutOut(read: Reader, user: ConsoleUser): AdminOutcome<never> | null {
  if (user.status === "DISABLED") {
    return refuse("USER_DISABLED", { login: user.login });
  }
  return closedAccount(read, user);
}

function closedAccount(read: Reader, user: ConsoleUser): AdminOutcome<never> | null {
  const account = user.accountId === null ? null : accountById(read, user.accountId);
  return account?.status === "CLOSED" ? isClosed(account) : null;
}

/** The refusal of a login that is taken; for a requested user who has no link yet, it says what helps. */
function isTaken(read: Reader, user: ConsoleUser) {
  const { login } = user;
  if (hasSignedIn(user)) return refuse("LOGIN_TAKEN", { login });
  const { account } = toUserView(read, user);
  return account === null
    ? refuse("LOGIN_TAKEN.never_in_staff", { login })
    : refuse("LOGIN_TAKEN.never_in", { login, account });
}

function lastOwner({ login }: ConsoleUser) {
  return refuse("LAST_OWNER", { login });
}

/** A role in capital or small letters. */
function readRole(typed: string): AdminOutcome<Role> {
  const role = typed.trim().toUpperCase();
  return isRole(role) ? done(role) : refuse("INVALID_ROLE", { role: typed, known: ROLES.join(", ") });
}

function readLanguage(typed: string): AdminOutcome<UserLanguage> {
  return isUserLanguage(typed) ? done(typed) : refuse("INVALID_LANGUAGE", { language: typed });
}

function accountFits(role: string) {
  return isRole(role) && isAccountRole(role)
    ? refuse("INVALID_ROLE.of_account", { role })
    : refuse("INVALID_ROLE.of_appliance", { role });
}

function viewByLogin(read: Reader, login: string): UserView {
  const user = userByLogin(read, login);
  if (!user) throw new Error("a user that was just written exists");
  return toUserView(read, user);
}

/** A user as the administration sees them. */
function toUserView(read: Reader, user: ConsoleUser) {
  const account = user.accountId === null ? null : accountById(read, user.accountId);
  return {
    login: user.login,
    role: user.role,
    account_id: account?.ulid ?? null,
    account: account?.name ?? null,
    language: user.language,
    status: statusOf(user),
    /** Whether they have come in once, also where their password was taken away since. */
    has_signed_in: hasSignedIn(user),
    created_at: isoUtc(user.createdAtMs),
  };
}

/** A user without secrets. */
type UserView = Readonly<ReturnType<typeof toUserView>>;

function statusOf({ status, passwordHash }: ConsoleUser): "ACTIVE" | "DISABLED" | "INVITED" {
  if (status === "DISABLED") return status;
  return passwordHash === null ? "INVITED" : "ACTIVE";
}

/** A user with a link that sets password and second factor. */
function linked(
  context: Pick<AdminContext, "config" | "server">,
  user: UserView,
  { secret, untilMs }: NewLink,
) {
  const link = `${consoleAddress(context)}/console/link#${secret}`;
  return { ...user, link, link_expires_at: isoUtc(untilMs) };
}

export type LinkedUser = Readonly<ReturnType<typeof linked>> & { readonly mail: MailResult | null };

/** The console's address, as far as known; "" where the system chooses the port and no server runs. */
export function consoleAddress({ config, server: running }: Pick<AdminContext, "config" | "server">): string {
  const { server, console: pages } = config;
  if (server.public_url !== "") return server.public_url;
  const at = pages.listen || server.listen;
  if (parseListen(at)?.port !== 0)
    return toLocalOrigin(`http${server.tls_certificate === "" ? "" : "s"}://${at}`);
  return pages.listen === "" && running?.url !== undefined ? toLocalOrigin(running.url) : "";
}

const NEW_LOGIN = word("LOGIN", text("LOGIN", 254));
const LOGIN = naming("user", NEW_LOGIN);

const ROLE: Parameter<Role, false> = {
  schema: t.Enum([...ROLES]),
  typed: { value: "ROLE", choices: ROLES, read: readRole },
};

const LANGUAGE: Parameter<UserLanguage, false> = {
  schema: t.Enum([...USER_LANGUAGES]),
  typed: { value: "LANGUAGE", choices: USER_LANGUAGES, read: readLanguage },
};

export const USER_OPERATIONS = {
  "user create": operation({
    params: { login: NEW_LOGIN, role: ROLE, account: OF_ACCOUNT, language: optional(LANGUAGE) },
    run: userCreate,
  }),
  /**
   * Makes a link that resets password and second factor; the old ones work until it is used. For somebody who has never come in, it is their
   * invitation once more, and is mailed.
   */
  "user link": operation({
    may: "users.change",
    params: { login: LOGIN },
    run: async (context, { login }) => {
      const made = await changeUser(context, login, (tx, user, nowMs) => {
        const shut = shutOut(tx, user);
        if (shut) return shut;
        const link = createLink(tx, context.chance, user.id, nowMs, !hasSignedIn(user));
        return done({ value: linked(context, toUserView(tx, user), link), action: "user link" });
      });
      return withMail(context, made, made.ok && !made.value.has_signed_in);
    },
  }),
  /** Changes a user's role, within staff or within their account; sessions end. */
  "user role": operation({
    may: "users.change",
    params: { login: LOGIN, role: ROLE },
    run: (context, { login, role }) =>
      changeUser(context, login, (tx, user) => {
        if (isAccountRole(role) !== (user.accountId !== null)) return accountFits(role);
        if (role !== "OWNER" && isLastOwner(tx, user)) return lastOwner(user);
        setRole(tx, user.id, role);
        endSessions(tx, user.id);
        return done({
          value: viewByLogin(tx, user.login),
          action: "user role",
          detail: { role, before: user.role },
        });
      }),
  }),
  /** Disables a user: sessions and links end, and the login is refused until it is enabled. */
  "user disable": operation({
    may: "users.change",
    params: { login: LOGIN },
    run: (context, { login }) =>
      changeUser(context, login, (tx, user) => {
        if (isLastOwner(tx, user)) return lastOwner(user);
        setStatus(tx, user.id, "DISABLED");
        endSessions(tx, user.id);
        revokeLinks(tx, user.id);
        return done({ value: viewByLogin(tx, user.login), action: "user disable" });
      }),
  }),
  /** Enables a disabled user, with the password and second factor of before. */
  "user enable": operation({
    may: "users.change",
    params: { login: LOGIN },
    run: (context, { login }) =>
      changeUser(context, login, (tx, user) => {
        const closed = closedAccount(tx, user);
        if (closed) return closed;
        setStatus(tx, user.id, "ACTIVE");
        return done({ value: viewByLogin(tx, user.login), action: "user enable" });
      }),
  }),
  /** Deletes a user, which frees the login. Their audit entries stay. */
  "user delete": operation({
    params: { login: LOGIN },
    run: (context, { login }) =>
      changeUser(context, login, (tx, user) => {
        if (isLastOwner(tx, user)) return lastOwner(user);
        const value = toUserView(tx, user);
        deleteUser(tx, user.id);
        const detail = value.account_id === null ? {} : { account_id: value.account_id };
        return done({ value, action: "user delete", detail: { role: user.role, ...detail } });
      }),
  }),
  /** Removes password, second factor, recovery codes and sessions; the link returned here sets new ones. */
  "user reset": operation({
    may: "users.change",
    params: { login: LOGIN },
    run: async (context, { login }) => {
      const made = await changeUser(context, login, (tx, user, nowMs) => {
        const shut = shutOut(tx, user);
        if (shut) return shut;
        clearCredentials(tx, user.id);
        dropRecoveryCodes(tx, user.id);
        endSessions(tx, user.id);
        const link = createLink(tx, context.chance, user.id, nowMs);
        return done({ value: linked(context, viewByLogin(tx, user.login), link), action: "user reset" });
      });
      return withMail(context, made, false);
    },
  }),
};

// Lists of users of the console: all of a kind, and page by page.

type Users = { readonly users: readonly UserView[] };

/** Lists users of an account who have signed in once: those that its own people may know of. */
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

export type UserPageQuery = {
  /** Null: the appliance's own people. */
  readonly account: string | null;
  /** Only users who have signed in once, as an account's own people see them. */
  readonly isOfOwn: boolean;
  /** The cursor of the page before; null for the first. */
  readonly after: string | null;
  readonly limit: number;
};

/** Up to `limit` users, those who joined first before others. `next_after`: the user to list on from; null when this is the last page. */
export function userPage(
  { store: { read } }: Pick<AdminContext, "store">,
  { account, isOfOwn, after, limit }: UserPageQuery,
) {
  const checked = checkLimit(limit, MAX_USERS);
  if (!checked.ok) return checked;
  const found = findAccountOrNull(read, account);
  if (!found.ok) return found;
  const of = { accountId: found.value?.id ?? null, isOfOwn };
  // One more than is shown tells that there are more.
  const rows = listUsersAfter(read, of, Number(after ?? 0), limit + 1);
  const shown = rows.slice(0, limit);
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
