import { authenticate } from "../accounts/keys.ts";
import type { Clock } from "../base/clock.ts";
import type { Reader } from "../store/read.ts";
import { presentedKey } from "./credentials.ts";
import type { Exchange } from "./exchange.ts";
import { NOT_FOUND, problem } from "./problem.ts";
import type { RateLimiter } from "./rate-limit.ts";
import type { PathRoutes, RouteTable } from "./route-table.ts";

/** Where the API lives (docs/public-api.md section 9). */
export const API_BASE = "/public/v1";

const VERSIONED = /^\/public\/v\d+(?=\/|$)/;

export type Gate = {
  readonly read: Reader;
  readonly clock: Clock;
  readonly limiter: RateLimiter;
  readonly routes: RouteTable;
};

/** A host and port, or nothing at all (RFC 9112 section 3.2). Several Host lines come joined by a comma and a space. */
const HOST = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

/**
 * The first five checks of docs/behaviour.md#order-of-checks, in its order: version, key, limit, path and method,
 * scope. A request whose Host is ambiguous is not looked at: whoever stands in between may have read another one.
 * Nothing of the body is read before they are passed. The refusal to send, or null: the request may go on, and
 * `exchange` says whose it is.
 */
export function admit(gate: Gate, exchange: Exchange, headers: Headers): Response | null {
  if (!HOST.test(headers.get("host") ?? "")) {
    const detail = "the Host header is malformed or there is more than one";
    return problem(exchange, { code: "VALIDATION_FAILED", detail }, { connection: "close" });
  }
  const version = VERSIONED.exec(exchange.path)?.[0];
  if (version === undefined) return admitToRoute(exchange, gate.routes(exchange.path));
  if (version !== API_BASE) {
    return problem(exchange, {
      code: "UNSUPPORTED_VERSION",
      detail: `this version of the API is not served; the base path is ${API_BASE}`,
    });
  }

  exchange.principal = authenticate(gate.read, presentedKey(headers) ?? "", gate.clock.nowMs());
  if (!exchange.principal) {
    const refusal = { code: "UNAUTHORIZED", detail: "a valid API key is required" } as const;
    return problem(exchange, refusal, { "www-authenticate": "Bearer" });
  }

  exchange.allowance = gate.limiter.take(exchange.principal.apiKeyId, gate.clock.steadyMs());
  if (!exchange.allowance.isAllowed) {
    const { limit, perSecond, retrySeconds } = exchange.allowance;
    const detail = `the key's request limit was exceeded: ${perSecond} requests a second, ${limit} at once`;
    return problem(exchange, { code: "RATE_LIMITED", detail }, { "retry-after": String(retrySeconds) });
  }
  return admitToRoute(exchange, gate.routes(exchange.path));
}

function admitToRoute(exchange: Exchange, found: PathRoutes | null): Response | null {
  if (!found) return problem(exchange, NOT_FOUND);
  exchange.route = found.path;
  const route = found.methods.get(exchange.method);
  if (!route) {
    const detail = `the method ${exchange.method} is not supported here; use ${found.allow}`;
    return problem(exchange, { code: "VALIDATION_FAILED", detail }, { allow: found.allow });
  }
  if (route.scope !== null && !exchange.principal?.scopes.has(route.scope)) {
    const detail = `the API key lacks the scope ${route.scope}`;
    return problem(exchange, { code: "INSUFFICIENT_SCOPE", detail });
  }
  return null;
}
