/**
 * What people see of the appliance in a browser: signing in, and what pages ask for.
 *
 * Begin here: it puts the sets of routes together. `guard.ts` is what every request passes, `sign-in-routes.ts` is how people come in,
 * `routes/` answers pages, most by doing an operation. Who may do what is the table in `domain/accounts/roles.ts`. Services are those of
 * operations, reports and users: this room changes nothing itself.
 */
import type { AnyElysia } from "elysia";
import type { AdminContext } from "../../admin/operations/context.ts";
import { type Config, isSmppServed } from "../../config/config.ts";
import type { Settings } from "../../config/live-config.ts";
import { isoUtc } from "../../core/clock.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import { recordAudit } from "../../domain/accounts/audit.ts";
import { confirmFactor, newRecoveryCodes, proposeFactor } from "../../domain/accounts/change-factor.ts";
import {
  dismissTodo,
  forgetDismissed,
  isTodo,
  listDismissedTodos,
} from "../../domain/accounts/dismissed-todos.ts";
import {
  isUserLanguage,
  listPermissions,
  may,
  type Permission,
  type Role,
  type UserLanguage,
} from "../../domain/accounts/roles.ts";
import { factorSeal } from "../../domain/accounts/second-factor.ts";
import {
  beginSession,
  endSession,
  endSessions,
  isConfirmed,
  sessionsOfUser,
} from "../../domain/accounts/sessions.ts";
import { SignIn } from "../../domain/accounts/sign-in.ts";
import { isPasswordAcceptable } from "../../domain/accounts/user-links.ts";
import { setLanguage, setPassword, userById } from "../../domain/accounts/users.ts";
import { ICON_LINK, readBrand, type SellerBrand, STYLE_LINK } from "../../ingress/http/brand.ts";
import { htmlPage } from "../../ingress/http/pages.ts";
import { NOT_FOUND, problem } from "../../ingress/http/problem.ts";
import type { RequestContext, RequestContextDeps } from "../../ingress/http/request-context.ts";
import { answerHead, createRoutes, requireCaller } from "../../ingress/http/router.ts";
import type { FrontEnd, FrontEndFile } from "./front-end.ts";
import {
  createRequestOrigins,
  deriveAccountScope,
  Guard,
  type RequestOrigins,
  renderSessionCookie,
} from "./guard.ts";
import { resolveLanguage, resolvePageReader, type SignedInCaller } from "./principal.ts";
import { type ConsoleLimits, createConsoleLimits } from "./rate-limits.ts";
import { createRefusalAuditor, readRefusalCause, refusal } from "./refusals.ts";
import {
  answered,
  type Call,
  type ConsoleRoutes,
  formRoute,
  OPEN_ROUTES,
  readFactor,
  refuseForm,
  type SignInRouteDeps,
  signInRoutes,
} from "./sign-in-routes.ts";

/** Path under which pages request data. */
const CONSOLE_API = "/console/api";

/** Headers of every data answer: not shown as a page, runs nothing, is not cached. */
const DATA_HEADERS = {
  "content-security-policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

export type ConsoleDeps = Omit<RequestContextDeps, "tally"> & {
  readonly settings: Settings<
    Pick<Config, "server" | "console" | "defaults" | "smpp_server" | "storage" | "seller">
  >;
  readonly store: Pick<Store, "read" | "write" | "tally">;
  readonly chance: AdminContext["chance"];
  /** Makes the context of operations for a person who asks over HTTP. */
  readonly contextOf: (actor: string, from: NonNullable<AdminContext["from"]>) => AdminContext;
  /** The front end. */
  readonly ui: () => Promise<FrontEnd>;
  /** Adds the data routes; `permitted` returns the caller, or the response that refuses them. */
  readonly addRoutes?: (routes: ConsoleRoutes, permitted: Permit, limits: ConsoleLimits) => void;
};

/** The caller of an operation and what it is done with. */
export type Permitted = {
  readonly visitor: SignedInCaller;
  readonly context: AdminContext;
  /** Row id of the only account they may see; null for all. */
  readonly accountId: number | null;
  /** Whether amounts may be shown. */
  readonly seesMoney: boolean;
  /** Whether they may create and revoke API keys. */
  readonly managesKeys: boolean;
  /** Whether the calling session is still valid, with the same user and role: for what goes on after the answer began. */
  readonly isSessionStillValid: () => boolean;
};

export type Permit = (
  exchange: RequestContext<SignedInCaller>,
  operation: Permission,
) => Permitted | Response;

/** Builds the console's route sets for the router. */
export function createConsoleRoutes(deps: ConsoleDeps): AnyElysia[] {
  const { store, settings } = deps;
  const exchanges = { ...deps, tally: store.tally };
  const origins = createRequestOrigins(settings);
  const guard = new Guard({ ...deps, origins });
  const data: ConsoleRoutes = createRoutes<SignedInCaller>(CONSOLE_API, exchanges, null, DATA_HEADERS);
  const limits = createConsoleLimits(settings, deps.clock, store.tally);
  const addresses = new WeakMap<RequestContext, string>();
  data.onBeforeHandle(({ exchange, request, route, server }) => {
    addresses.set(exchange, origins.of(request, server).address ?? "");
    const refused = guard.admit({ exchange, request, server }, OPEN_ROUTES[route] ?? "SIGNED_IN");
    if (refused) return refused;
    const { caller } = exchange;
    if (!caller) return;
    const allowance = limits.take({ user: caller.user.id, account: caller.user.accountId });
    exchange.allowance = allowance;
    if (allowance.isAllowed) return;
    const retry = { "retry-after": String(allowance.retrySeconds) };
    return refusal(exchange, "RATE_LIMITED", resolveLanguage(request.headers, caller.principal.language), {
      headers: retry,
    });
  });
  const note = createRefusalAuditor(deps);
  data.onAfterHandle(({ exchange }) => {
    const cause = readRefusalCause(exchange);
    if (cause === null) return;
    const { caller, requestId, route } = exchange;
    const address = addresses.get(exchange) ?? "";
    note({ cause, login: caller?.principal.login ?? null, address, requestId, route });
  });
  const factors = factorSeal(settings.now().storage.directory, deps.chance);
  const nobody = { address: "", requestId: "" };
  const signIn = new SignIn({ ...deps, factors }, () => {
    const { sign_ins_per_login: byLogin, sign_ins_per_network: byNetwork } = settings.now().console;
    return { byLogin, byNetwork };
  });
  const started = () => deps.contextOf("", nobody).server?.configuration.started ?? null;
  const shared = { ...deps, guard, origins, factors, started, signIn };
  signInRoutes(data, shared);
  meRoutes(data, shared);
  ownFactorRoutes(data, shared);
  const permitted: Permit = (exchange, operation) => {
    const refused = guard.permit(exchange, operation);
    if (refused) return refused;
    const visitor = requireCaller(exchange);
    const { login, role } = visitor.principal;
    const from = { address: addresses.get(exchange) ?? "", requestId: exchange.requestId };
    return {
      visitor,
      context: deps.contextOf(login, from),
      accountId: deriveAccountScope(visitor),
      seesMoney: may(role, "money.read"),
      managesKeys: may(role, "keys.change"),
      isSessionStillValid: () => guard.isSessionStillValid(visitor),
    };
  };
  deps.addRoutes?.(data, permitted, limits);
  const pages = createRoutes<SignedInCaller>("/console", exchanges, null, DATA_HEADERS);
  pageRoutes(
    pages,
    deps.ui,
    origins,
    () => readBrand(settings.now()),
    (exchange) => problem(exchange, NOT_FOUND),
  );
  answerHead(pages);
  return [data, pages];
}

// What users do about their own second factor and recovery codes, after giving the current factor again.

function ownFactorRoutes(routes: ConsoleRoutes, deps: SignInRouteDeps): void {
  const { clock } = deps;
  formRoute(routes, deps, "POST /me/factor", null, (call) => {
    if (!isConfirmed(requireCaller(call.exchange).session, clock.nowMs()))
      return refuseForm(call, "SECOND_FACTOR_NEEDED");
    return answered<"POST /me/factor">(proposeFactor(deps, requireCaller(call.exchange).user));
  });
  formRoute(routes, deps, "POST /me/factor/use", ["proposal", "code"], (call) => newFactor(deps, call));
  formRoute(routes, deps, "POST /me/recovery-codes", null, async (call) => {
    const { session, user } = requireCaller(call.exchange);
    if (!isConfirmed(session, clock.nowMs())) return refuseForm(call, "SECOND_FACTOR_NEEDED");
    const recoveryCodes = await newRecoveryCodes(deps, call.asker, user);
    return answered<"POST /me/recovery-codes">({ recoveryCodes });
  });
}

async function newFactor(deps: SignInRouteDeps, call: Call): Promise<Response> {
  const { session, user } = requireCaller(call.exchange);
  if (!isConfirmed(session, deps.clock.nowMs())) return refuseForm(call, "SECOND_FACTOR_NEEDED");
  const limit = deps.signIn.tryLink(call.asker);
  if (!limit.ok) return refuseForm(call, limit.refusal.code, limit.retrySeconds);
  const { proposal = "", code = "" } = call.form;
  const taken = await confirmFactor(deps, call.asker, user, { proposal, code });
  if (!taken.ok) return refuseForm(call, taken.refusal.code);
  return answered<"POST /me/factor/use">(
    {},
    { "set-cookie": renderSessionCookie(taken.value, call.origin.isTls) },
  );
}

// The console's page, its assets, and the page that replaces it where there is no TLS.

/** Nothing from other origins, nothing inline, in no frame. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": PAGE_POLICY,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "cache-control": "no-store",
  vary: "Accept-Language",
};
/** Paths of data and assets: where one does not exist, no page is served. */
const NO_PAGES = /^\/console\/(api|assets)(\/|$)/;
/** Has browsers come back over TLS only, for a year (RFC 6797). */
const STRICT_TLS = { "strict-transport-security": "max-age=31536000" };

function pageRoutes(
  routes: ConsoleRoutes,
  ui: () => Promise<FrontEnd>,
  origins: RequestOrigins,
  seller: () => SellerBrand | null,
  notFound: (exchange: RequestContext<SignedInCaller>) => Response,
): void {
  // Unpacked on the first request: most appliances have no browser in front of them most of the time.
  let opened: Promise<FrontEnd> | null = null;
  const front = () => (opened ??= ui());
  routes.get("/assets/:name", async ({ exchange, params, request, server }) => {
    if (!origins.of(request, server).isServed) return notFound(exchange);
    const asset = (await front()).assets.get(params.name);
    if (!asset) return notFound(exchange);
    return assetAnswer(asset, request.headers);
  });
  for (const path of ["", "/*"]) {
    routes.get(path, async ({ exchange, request, server }) => {
      if (NO_PAGES.test(exchange.path)) return notFound(exchange);
      const language = resolveLanguage(request.headers, null);
      const origin = origins.of(request, server);
      if (!origin.isServed) return page(needsTls(language), 403);
      return page((await front()).html(language, seller()), 200, origin.isTls ? STRICT_TLS : {});
    });
  }
}

function page(html: string, status: number, more: Readonly<Record<string, string>> = {}): Response {
  return new Response(html, { status, headers: { ...PAGE_HEADERS, ...more } });
}

function assetAnswer({ type, content, gzip }: FrontEndFile, headers: Headers): Response {
  const takesGzip = /\bgzip\b/.test(headers.get("accept-encoding") ?? "");
  const [body, encoding] = takesGzip ? [gzip, { "content-encoding": "gzip" }] : [content, {}];
  return new Response(body, {
    headers: {
      "content-type": type,
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      vary: "Accept-Encoding",
      ...encoding,
    },
  });
}

const NEEDS_TLS = {
  en: {
    title: "The console needs TLS",
    body: `<h1>The console needs TLS</h1>
<p>Passwords must not cross a network in the clear. One of these makes it safe:</p>
<ul>
<li>give the appliance a certificate: <code>tls_certificate</code> and <code>tls_key</code> in <code>[server]</code>;</li>
<li>put a proxy in front that speaks TLS and sets <code>X-Forwarded-Proto: https</code>, and name its address in <code>trusted_proxies</code> of <code>[server]</code>;</li>
<li>on the machine itself, or through <code>ssh -L 8080:127.0.0.1:8080</code>, open <code>http://127.0.0.1:8080/console</code>.</li>
</ul>`,
  },
  fr: {
    title: "La console exige TLS",
    body: `<h1>La console exige TLS</h1>
<p>Un mot de passe ne doit pas traverser un réseau en clair. Au choix :</p>
<ul>
<li>donner un certificat à l’appareil : <code>tls_certificate</code> et <code>tls_key</code> dans <code>[server]</code> ;</li>
<li>placer devant lui un proxy qui parle TLS et envoie <code>X-Forwarded-Proto: https</code>, et inscrire son adresse dans <code>trusted_proxies</code> de <code>[server]</code> ;</li>
<li>sur la machine même, ou par <code>ssh -L 8080:127.0.0.1:8080</code>, ouvrir <code>http://127.0.0.1:8080/console</code>.</li>
</ul>`,
  },
};

const NAME = '<p class="brand"><img src="/favicon.svg" alt=""> Bendre</p>';

function needsTls(language: UserLanguage): string {
  const { title, body } = NEEDS_TLS[language];
  const head = `${ICON_LINK}\n${STYLE_LINK}`;
  const html = htmlPage({ title, head, body: `${NAME}\n${body}` });
  return html.replace('<html lang="en">', `<html lang="${language}">`);
}

// What signed-in users ask about themselves: who they are, their sessions, password and language.

type MeDeps = SignInRouteDeps & { readonly settings: Settings<Pick<Config, "defaults" | "smpp_server">> };

/** What a role may here: nothing about SMPP while that is closed, so that its pages are not shown. */
function servedPermissions(role: Role, config: Pick<Config, "smpp_server">): Permission[] {
  return listPermissions(role).filter((one) => isSmppServed(config) || !one.startsWith("smpp."));
}

function meRoutes(routes: ConsoleRoutes, deps: MeDeps): void {
  const { clock, store, signIn, settings } = deps;
  formRoute(routes, deps, "GET /me", null, ({ exchange }) => {
    const { principal, user } = requireCaller(exchange);
    const { login, role, accountId, language } = principal;
    const account = accountId === null ? null : accountById(store.read, accountId);
    return answered<"GET /me">({
      login,
      role,
      account: account && { id: account.ulid, name: account.name },
      language,
      timezone: resolvePageReader(requireCaller(exchange), store.read, settings.now()).timeZone,
      renews_factor: user.hasLinkFactor === 1,
      capabilities: servedPermissions(role, settings.now()),
    });
  });
  formRoute(routes, deps, "POST /confirm", ["code", "recoveryCode"], async (call) => {
    const factor = readFactor(call.form);
    if (!factor) return refuseForm(call, "VALIDATION_FAILED");
    const outcome = await signIn.confirm(call.asker, requireCaller(call.exchange).session, factor);
    if (outcome.ok) return answered<"POST /confirm">({});
    // Not 401: the session goes on.
    const code = outcome.refusal.code === "SIGN_IN_REFUSED" ? "CODE_REFUSED" : outcome.refusal.code;
    return refuseForm(call, code, outcome.retrySeconds);
  });
  formRoute(routes, deps, "POST /me/language", ["language"], async (call) => {
    const { language = "" } = call.form;
    if (!isUserLanguage(language)) return refuseForm(call, "VALIDATION_FAILED");
    const { userId } = requireCaller(call.exchange).principal;
    await store.write((tx) => {
      setLanguage(tx, userId, language);
      note(tx, clock.nowMs(), call, "user language", { language });
    });
    return answered<"POST /me/language">({});
  });
  formRoute(routes, deps, "POST /me/todos", ["left"], async (call) => {
    const { left = "" } = call.form;
    const { userId } = requireCaller(call.exchange).principal;
    const still = left.split(",");
    const dismissed = listDismissedTodos(store.read, userId);
    const done = dismissed.filter((todo) => !still.includes(todo));
    if (done.length > 0) await store.write((tx) => forgetDismissed(tx, userId, done));
    return answered<"POST /me/todos">({ dismissed: dismissed.filter((todo) => still.includes(todo)) });
  });
  formRoute(routes, deps, "POST /me/todos/dismiss", ["todo"], async (call) => {
    const { todo = "" } = call.form;
    if (!isTodo(todo)) return refuseForm(call, "VALIDATION_FAILED");
    const { userId } = requireCaller(call.exchange).principal;
    await store.write((tx) => dismissTodo(tx, userId, todo));
    return answered<"POST /me/todos/dismiss">({});
  });
  formRoute(routes, deps, "POST /me/password", ["password", "newPassword"], (call) =>
    newPassword(deps, call),
  );
  formRoute(routes, deps, "GET /me/sessions", null, ({ exchange }) => {
    const { principal, session } = requireCaller(exchange);
    const sessions = sessionsOfUser(store.read, principal.userId, clock.nowMs());
    return answered<"GET /me/sessions">({
      sessions: sessions.map(({ id, address, agent, createdAtMs, seenAtMs }) => ({
        id: String(id),
        address,
        agent,
        created_at: isoUtc(createdAtMs),
        seen_at: isoUtc(seenAtMs),
        is_current: id === session.id,
      })),
    });
  });
  formRoute(routes, deps, "POST /me/sessions/end", ["id"], async (call) => {
    const { id = "" } = call.form;
    const { userId } = requireCaller(call.exchange).principal;
    const isEnded = await store.write((tx) => {
      const ended = /^\d{1,15}$/.test(id) && endSession(tx, userId, Number(id));
      if (ended) note(tx, clock.nowMs(), call, "session end", { session: id });
      return ended;
    });
    return isEnded ? answered<"POST /me/sessions/end">({}) : refuseForm(call, "NOT_FOUND");
  });
}

/** Ends every session and begins a new one for the user who changed the password. */
async function newPassword({ store, clock, chance, signIn }: MeDeps, call: Call): Promise<Response> {
  const { password: before = "", newPassword: password = "" } = call.form;
  const { user } = requireCaller(call.exchange);
  if (!isPasswordAcceptable(password, user.login)) return refuseForm(call, "PASSWORD_REFUSED");
  const known = await signIn.isPasswordOf(call.asker, user, before);
  if (!known.ok) return refuseForm(call, known.refusal.code, known.retrySeconds);
  if (!known.value) return refuseForm(call, "CODE_REFUSED");
  const hash = await signIn.hash(call.asker, password);
  if (!hash.ok) return refuseForm(call, hash.refusal.code, hash.retrySeconds);
  const token = await store.write((tx) => {
    const nowMs = clock.nowMs();
    // The password may have been changed since it was verified.
    if (userById(tx, user.id)?.passwordHash !== user.passwordHash) return null;
    setPassword(tx, user.id, hash.value);
    endSessions(tx, user.id);
    note(tx, nowMs, call, "user password", {});
    return beginSession(tx, chance, user.id, "FULL", call.asker, nowMs);
  });
  if (token === null) return refuseForm(call, "CODE_REFUSED");
  return answered<"POST /me/password">({}, { "set-cookie": renderSessionCookie(token, call.origin.isTls) });
}

function note(
  tx: Tx,
  atMs: number,
  { exchange, asker }: Call,
  action: string,
  detail: Readonly<Record<string, string>>,
): void {
  const { login } = requireCaller(exchange).principal;
  const from = { address: asker.address, request_id: asker.requestId };
  recordAudit(tx, { atMs, actor: login, action, subject: login, detail: { ...detail, ...from } });
}
