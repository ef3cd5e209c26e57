/**
 * What people see of the appliance in a browser: signing in, and what pages ask for.
 *
 * Begin here: it puts the sets of routes together. `guard.ts` is what every request passes, `sign-in-routes.ts` is how people come in,
 * `routes/` answers pages, most by doing an operation. Who may do what is the table in `domain/accounts/permissions.ts`. Services are those of
 * operations, reports and users: this room changes nothing itself.
 */
import type { AnyElysia } from "elysia";
import type { AdminContext } from "../../admin/operations/context.ts";
import type { Config } from "../../config/config.ts";
import type { Settings } from "../../config/in-force.ts";
import type { Store } from "../../db/store.ts";
import { factorSeal } from "../../domain/accounts/factor-seal.ts";
import { may, type Permission } from "../../domain/accounts/permissions.ts";
import { signIn } from "../../domain/accounts/sign-in.ts";
import type { Exchange, ExchangeDeps } from "../../ingress/http/exchange.ts";
import { NOT_FOUND, problem } from "../../ingress/http/problem.ts";
import { callerOf, routesAt } from "../../ingress/http/routes.ts";
import type { FrontEnd } from "./front-end.ts";
import { confinedTo, guard } from "./guard.ts";
import { languageOf } from "./language.ts";
import { type ConsoleLimits, consoleLimits } from "./limits.ts";
import { meRoutes } from "./me-routes.ts";
import { ownFactorRoutes } from "./own-factor-routes.ts";
import { pageRoutes } from "./page-routes.ts";
import type { Visitor } from "./principal.ts";
import { refusal } from "./refusal.ts";
import { refusalNotes, refusedCause } from "./refusal-notes.ts";
import { type ConsoleRoutes, OPEN_ROUTES, signInRoutes } from "./sign-in-routes.ts";
import { waysOf } from "./way.ts";

/** Where a page's requests for data go. */
const CONSOLE_API = "/console/api";

/** Of every answer that is no page: it is shown by none, runs nothing, and is kept nowhere. */
const DATA_HEADERS = {
  "content-security-policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

export type ConsoleDeps = Omit<ExchangeDeps, "tally"> & {
  readonly settings: Settings<Pick<Config, "server" | "console" | "defaults" | "storage">>;
  readonly store: Pick<Store, "read" | "write" | "tally">;
  readonly chance: AdminContext["chance"];
  /** For operations of a person who asks by a request. */
  readonly contextOf: (actor: string, from: NonNullable<AdminContext["from"]>) => AdminContext;
  /** The pages. */
  readonly ui: () => Promise<FrontEnd>;
  /** Adds what pages ask for; `permitted` says who asks, or is the answer to somebody who may not. */
  readonly fill?: (routes: ConsoleRoutes, permitted: Permit, limits: ConsoleLimits) => void;
};

/** Who asks for an operation, and with what it is done. */
export type Permitted = {
  readonly visitor: Visitor;
  readonly context: AdminContext;
  /** The row of the account whose things may be seen alone; null for all. */
  readonly accountId: number | null;
  /** Whether amounts may be shown. */
  readonly seesMoney: boolean;
  /** Whether they make and end API keys. */
  readonly managesKeys: boolean;
  /** Whether the session that asked still lasts, of the same user in the same role: for what goes on after the answer began. */
  readonly isStillSo: () => boolean;
};

export type Permit = (exchange: Exchange<Visitor>, operation: Permission) => Permitted | Response;

/** The sets of routes of the console, for the door. */
export function consoleSets(deps: ConsoleDeps): AnyElysia[] {
  const { store, settings } = deps;
  const exchanges = { ...deps, tally: store.tally };
  const ways = waysOf(settings);
  const watch = guard({ ...deps, ways });
  const data: ConsoleRoutes = routesAt<Visitor>(CONSOLE_API, exchanges, null, DATA_HEADERS);
  const limits = consoleLimits(settings, deps.clock, store.tally);
  const addresses = new WeakMap<Exchange, string>();
  data.onBeforeHandle(({ exchange, request, route, server }) => {
    addresses.set(exchange, ways.of(request, server).address ?? "");
    const refused = watch.admit({ exchange, request, server }, OPEN_ROUTES[route] ?? "SIGNED_IN");
    if (refused) return refused;
    const { caller } = exchange;
    if (!caller) return;
    const allowance = limits.take({ user: caller.user.id, account: caller.user.accountId });
    exchange.allowance = allowance;
    if (allowance.isAllowed) return;
    const retry = { "retry-after": String(allowance.retrySeconds) };
    return refusal(exchange, "RATE_LIMITED", languageOf(request.headers, caller.principal.language), {
      headers: retry,
    });
  });
  const note = refusalNotes(deps);
  data.onAfterHandle(({ exchange }) => {
    const cause = refusedCause(exchange);
    if (cause === null) return;
    const { caller, requestId, route } = exchange;
    const address = addresses.get(exchange) ?? "";
    note({ cause, login: caller?.principal.login ?? null, address, requestId, route });
  });
  const factors = factorSeal(settings.now().storage.directory, deps.chance);
  const nobody = { address: "", requestId: "" };
  const comingIn = signIn({ ...deps, factors }, () => {
    const { sign_ins_per_login: byLogin, sign_ins_per_network: byNetwork } = settings.now().console;
    return { byLogin, byNetwork };
  });
  const started = () => deps.contextOf("", nobody).server?.configuration.started ?? null;
  const shared = { ...deps, guard: watch, ways, factors, started, signIn: comingIn };
  signInRoutes(data, shared);
  meRoutes(data, shared);
  ownFactorRoutes(data, shared);
  const permitted: Permit = (exchange, operation) => {
    const refused = watch.permit(exchange, operation);
    if (refused) return refused;
    const visitor = callerOf(exchange);
    const { login, role } = visitor.principal;
    const from = { address: addresses.get(exchange) ?? "", requestId: exchange.requestId };
    return {
      visitor,
      context: deps.contextOf(login, from),
      accountId: confinedTo(visitor),
      seesMoney: may(role, "money.read"),
      managesKeys: may(role, "keys.change"),
      isStillSo: () => watch.isStillSo(visitor),
    };
  };
  deps.fill?.(data, permitted, limits);
  const pages = routesAt<Visitor>("/console", exchanges, null, DATA_HEADERS);
  pageRoutes(pages, deps.ui, ways, (exchange) => problem(exchange, NOT_FOUND));
  return [data, pages];
}
