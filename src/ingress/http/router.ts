/**
 * The HTTP entry: routes requests through the first checks in their order; the room also listens, reads bodies and words refusals.
 *
 * `listener` binds the address; this file gives each set of routes its checks, headers and log line, and finds the route of a
 * request; `body` and `body-budget` read bodies within limits, `problem` writes refusals. It takes sets of routes and knows none:
 * what clients may ask is in `ingress/api`.
 */
import { type AnyElysia, Elysia } from "elysia";
import { assert, BugError } from "../../core/assert.ts";
import type { Clock } from "../../core/clock.ts";
import type { Readiness } from "../../core/health.ts";
import type { RequestServer } from "../../core/http-server.ts";
import type { NewId } from "../../core/ids.ts";
import { errorFields } from "../../core/log.ts";
import { type Refusal, toRefusal } from "../../core/refusals.ts";
import { EXACT_ENGLISH, type Phrase } from "../../i18n/phrase.ts";
import { t } from "../../i18n/text.ts";
import { failed, jsonAnswer, NOT_FOUND, problem } from "./problem.ts";
import type { RateAllowance } from "./rate-limit.ts";
import {
  closeRequest,
  type KnownCaller,
  openRequest,
  type RequestContext,
  type RequestContextDeps,
} from "./request-context.ts";

/**
 * Creates a set of routes below `base` ("" for the top), to be filled with Elysia's methods and given to `createRequestHandler`.
 * Every request to one has its request context, passes the checks of `admit`, and gets its headers and log line, whatever the
 * answer. Without an admission anybody may ask. `usual`: headers of every answer that does not set them itself.
 */
export function createRoutes<Caller extends KnownCaller>(
  base: string,
  deps: RequestContextDeps,
  admission: Admission<Caller> | null,
  usual: Readonly<Record<string, string>> = {},
) {
  let methods: ReadonlyMap<string, PathMethods> | null = null;
  const set = new Elysia({ prefix: base })
    .derive(({ request, path }) => ({ exchange: openRequest<Caller>(deps, request, path) }))
    .onBeforeHandle(({ exchange, request, route }) => {
      methods ??= methodsByPath(set);
      // Elysia awaits a hook that returns a call.
      const refusal = admit(exchange, request, admission, methods.get(route));
      if (refusal) return refusal;
    })
    .mapResponse(({ exchange, responseValue }) => {
      assert(responseValue instanceof Response, "every route answers with a Response");
      const { headers } = responseValue;
      for (const [name, value] of Object.entries(usual)) if (!headers.has(name)) headers.set(name, value);
      return closeRequest(deps, exchange, responseValue);
    })
    .onError(({ exchange, error }) => {
      assert(exchange, "every request to a route has its exchange");
      deps.log.error("request failed", { request_id: exchange.requestId, ...errorFields(error) });
      return failed(exchange);
    });
  return set;
}

/** What handlers of a set of routes get beside what Elysia gives them. */
export type RouteContext<Caller extends KnownCaller> = { readonly exchange: RequestContext<Caller> };

/**
 * The caller, on routes with an admission.
 * @throws BugError elsewhere.
 */
export function requireCaller<Caller extends KnownCaller>({ caller }: RequestContext<Caller>): Caller {
  assert(caller, "the gate knows everybody who passes it");
  return caller;
}

/**
 * Answers HEAD wherever a set answers GET, with the same headers and no body (RFC 9110 section 9.3.2). To be called once all its
 * routes are there.
 */
export function answerHead(set: AnyElysia): void {
  const base = set.config.prefix ?? "";
  for (const { method, path, handler } of [...set.routes])
    if (method === "GET")
      set.head(path.slice(base.length), handler as Parameters<AnyElysia["head"]>[1], {
        detail: { hide: true },
      });
}

/**
 * Ends a set of routes: other methods of its paths, and other paths below its base, reach its checks (`admit`), which
 * refuse them. (By Elysia's own rule a GET would answer HEAD as well.)
 */
function refuseOtherRoutes(set: AnyElysia): void {
  const base = set.config.prefix ?? "";
  for (const { method, path, hooks } of set.routes) {
    // Elysia would read the body before any check, without a limit, and answer a broken one in words of its own.
    assert(
      !mayHaveBody(method) || hooks?.parse?.[0]?.fn === "none",
      `${method} ${path} leaves its body alone`,
    );
  }
  const routes = set.routes.map(({ method, path }) => ({ method, path: path.slice(base.length) }));
  const open = new Set(routes.filter(({ method }) => method === "ALL").map(({ path }) => path));
  const paths = new Set([...routes.map(({ path }) => path), "", "/*"]);
  for (const path of paths.difference(open))
    set.all(path, notARoute, { detail: { hide: true }, parse: "none" });
}

/** Whether Elysia may read a body with this method: it does not for GET and HEAD. */
function mayHaveBody(method: string): boolean {
  return method !== "GET" && method !== "HEAD";
}

/** The handler where no route is; `admit` lets no request through to it. */
const notARoute = (): never => {
  throw new BugError("the gate refuses what is no route");
};

/** The methods by path. Paths match exactly: no trailing slash, no doubled one, no encoded letters. */
function methodsByPath(set: AnyElysia): ReadonlyMap<string, PathMethods> {
  const routes = set.routes.filter(({ handler }) => handler !== notARoute);
  return new Map(
    [...Map.groupBy(routes, ({ path }) => path)].map(([path, group]) => {
      const methods = new Set(group.map(({ method }) => method));
      return [path, { path, methods, allow: [...methods].sort().join(", ") }];
    }),
  );
}

/** Who may ask at a set of routes, and how often. */
type Admission<Caller extends KnownCaller> = {
  /** The caller; null: none that is known. */
  readonly authenticate: (headers: Headers) => Caller | null;
  /** Why a URL is refused whatever the headers say; null: it is not. */
  readonly addressFault?: (url: string) => Refusal<"UNAUTHORIZED"> | null;
  /** Takes one request from the caller's allowance. */
  readonly take: (caller: Caller) => RateAllowance;
};

/** The methods of one path, and the same in words for the Allow header (RFC 9110 section 10.2.1). */
type PathMethods = {
  /** As Elysia writes it: `/public/v1/batches/:batch_id`. */
  readonly path: string;
  /** `ALL` among them: any. */
  readonly methods: ReadonlySet<string>;
  readonly allow: string;
};

/**
 * The checks that every request passes before anything of its body is read, in the order of
 * docs/behaviour.md#order-of-checks: key, limit, path and method. Returns the refusal to send, or undefined: the request may go on,
 * and `exchange` names its caller.
 */
function admit<Caller extends KnownCaller>(
  exchange: RequestContext<Caller>,
  { headers, url }: Pick<Request, "headers" | "url">,
  admission: Admission<Caller> | null,
  found: PathMethods | undefined,
): Response | undefined {
  if (admission) {
    const fault = admission.addressFault?.(url) ?? null;
    if (fault !== null) return unauthorized(exchange, fault);
    const refusal = admitCaller(exchange, headers, admission);
    if (refusal) return refusal;
  }
  if (!found) return problem(exchange, NOT_FOUND);
  if (found.methods.has("ALL")) return undefined;
  exchange.route = found.path;
  if (!found.methods.has(exchange.method)) {
    const { allow } = found;
    const { method } = exchange;
    return problem(exchange, toRefusal("VALIDATION_FAILED.method", { method, allow }), { allow });
  }
  return undefined;
}

/** The same refusal for every reason why a key is not taken (docs/public-api.md section 5); it says how a key is sent. */
const KEY_REQUIRED = toRefusal("UNAUTHORIZED.key");

function unauthorized(exchange: RequestContext, refusal: Refusal<"UNAUTHORIZED">): Response {
  return problem(exchange, refusal, { "www-authenticate": "Bearer" });
}

function admitCaller<Caller extends KnownCaller>(
  exchange: RequestContext<Caller>,
  headers: Headers,
  { authenticate, take }: Admission<Caller>,
): Response | undefined {
  const caller = authenticate(headers);
  if (!caller) return unauthorized(exchange, KEY_REQUIRED);
  exchange.caller = caller;
  const allowance = take(caller);
  exchange.allowance = allowance;
  if (allowance.isAllowed) return undefined;
  const { limit, perSecond, retrySeconds } = allowance;
  const refusal = toRefusal("RATE_LIMITED.key", { per_second: perSecond, burst: limit });
  return problem(exchange, refusal, { "retry-after": String(retrySeconds) });
}

/** Answers one request. Never throws. */
export type RequestHandler = (request: Request, server: Server) => Response | Promise<Response>;

/** The server that a request arrived at. */
export type Server = RequestServer;

/**
 * Creates the handler for sets of routes, each made by `createRoutes`, in any order. Elysia finds the route of a request; the set
 * that the route belongs to does the rest.
 */
export function createRequestHandler(sets: readonly AnyElysia[]): RequestHandler {
  const app: AnyElysia = new Elysia({ strictPath: true });
  for (const set of sets) {
    refuseOtherRoutes(set);
    app.use(set);
  }
  app.compile();
  return (request, server) => {
    // Elysia only hands it on to the handlers.
    app.server ??= server as NonNullable<AnyElysia["server"]>;
    nameHost(request);
    return app.fetch(request);
  };
}

/** Elysia looks for the path from this place of the URL on, and would miss it behind a host of one to three letters. */
const ELYSIA_PATH_FROM = 11;

/** The URL of a request without a Host begins with its path, and a short host is too short for Elysia: both get another. */
function nameHost(request: Request): void {
  const { url } = request;
  const pathAt = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("://") + 3);
  if (pathAt >= ELYSIA_PATH_FROM) return;
  Object.defineProperty(request, "url", { value: `http://localhost${url.slice(pathAt)}` });
}

/**
 * Creates the handler used until startup is done: it says that the process is alive, and asks every other request to come
 * back. It knows no key and no database, so it tells everybody the same.
 */
export function createStartupHandler(
  clock: Clock,
  newId: NewId,
  readiness: Pick<Readiness, "reasons">,
): RequestHandler {
  return (request) => {
    const path = /^(?:[a-z]+:\/\/[^/]*)?(\/[^?]*)/.exec(request.url)?.[1] ?? "";
    const exchange = openRequest({ clock, newId }, request, path);
    if (path === "/health/live") return jsonAnswer(200, '{"data":{"status":"live"}}');
    if (path.startsWith("/health")) return answerNotReady(readiness.reasons());
    return problem(exchange, toRefusal("SERVICE_UNAVAILABLE.starting"), {
      "x-request-id": exchange.requestId,
      connection: "close",
    });
  };
}

/** The answer to a load balancer while requests should go elsewhere. */
export function answerNotReady(reasons: readonly Phrase[]): Response {
  const told = reasons.map((reason) => t(reason, EXACT_ENGLISH));
  return jsonAnswer(503, JSON.stringify({ data: { status: "not ready", reasons: told } }), {
    "retry-after": "1",
  });
}
