/** The page "Users": who may sign in, of the appliance or of one account; create, link anew, role, disable, enable, reset. */
import { type Static, Type as t } from "typebox";
import { type AdminOutcome, done, refuse } from "../../../admin/operations/refusal.ts";
import {
  consoleAddress,
  type LinkedUser,
  USER_OPERATIONS,
  userAsk,
  userCreate,
  userPage,
} from "../../../admin/operations/users.ts";
import { isAccountRole, ROLES, USER_LANGUAGES } from "../../../domain/accounts/roles.ts";
import { phrase, type Told } from "../../../i18n/phrase.ts";
import { operationRoutes } from "./operation-routes.ts";
import { type PageContext, resolveAccountFilter, told } from "./request-context.ts";
import { type QueryOf, route } from "./route.ts";
import { ACCOUNT, LIMIT, nullable, ROW_ID } from "./schemas.ts";

const USERS_QUERY = t.Object({
  account: t.Optional(ACCOUNT),
  after: t.Optional(ROW_ID),
  limit: LIMIT,
});
const NEW_USER = t.Object({
  login: t.String({ minLength: 1, maxLength: 254 }),
  role: t.Enum(ROLES),
  account: t.Optional(nullable(ACCOUNT)),
  language: t.Optional(nullable(t.Enum(USER_LANGUAGES))),
});
/** A free login that is requested is taken from then on: the limit keeps anybody from taking many. */
const PEOPLE = {
  limit: "people asked for",
  most: 50,
  overMs: 86_400_000,
  tooOften: phrase("refusal.RATE_LIMITED.people"),
} as const;

/**
 * Users of an account, of staff where none is named; a confined user's own. `links_at`: where a link made now leads; null for those who
 * make none.
 */
function usersPage(asked: PageContext, query: QueryOf<typeof USERS_QUERY>) {
  const page = userPage(asked.context, { ...query, isOfOwn: asked.account !== null });
  if (!page.ok) return page;
  return done({ ...page.value, links_at: asked.account === null ? consoleAddress(asked.context) : null });
}

/**
 * The answer shows the link that sets the password, this once. Account users get the same answer whoever has the login, without a
 * link: staff hand it over.
 */
async function createUser(
  asked: PageContext,
  { login, role, account: wanted, language = null }: Static<typeof NEW_USER>,
): Promise<AdminOutcome<Told<LinkedUser> | { readonly login: string }>> {
  const account = resolveAccountFilter(asked, wanted ?? undefined);
  if (!account.ok) return account;
  const { context } = asked;
  if (asked.account === null || account.value === null) {
    return told(asked, await userCreate(context, { login, role, account: account.value, language }));
  }
  if (!isAccountRole(role)) return notTheirs(login);
  return userAsk(context, { login, role, account: account.value, language });
}

/** Of a role that is not an account's. */
function notTheirs(login: string) {
  return refuse("INVALID_LOGIN.elsewhere", { login });
}

export const USER_ROUTES = {
  "GET /users": route("users.read", usersPage, { query: USERS_QUERY }),
  "POST /users": route("users.change", createUser, { body: NEW_USER, rateLimit: PEOPLE }),
  // Logins stand in bodies, for paths are written into logs.
  ...operationRoutes({
    "POST /users/role": USER_OPERATIONS["user role"],
    "POST /users/link": USER_OPERATIONS["user link"],
    "POST /users/reset": USER_OPERATIONS["user reset"],
    "POST /users/disable": USER_OPERATIONS["user disable"],
    "POST /users/enable": USER_OPERATIONS["user enable"],
  }),
};
