import type { Principal } from "../accounts/keys.ts";
import type { Scope } from "../accounts/scopes.ts";
import type { Exchange } from "../http/exchange.ts";
import { problem } from "../http/problem.ts";
import { callerOf, type RouteContext, type routesAt } from "../http/routes.ts";
import type { OperationDoc } from "./openapi/operation-doc.ts";

/** Where the API lives (docs/public-api.md section 9). */
export const API_BASE = "/public/v1";

/** The routes of the API, to be filled. */
export type ApiRoutes = ReturnType<typeof routesAt<Principal>>;

/**
 * The options of a route of the API: what is published of it, and that the key has the scope that is published. Bodies are
 * never read by Elysia: where one is taken, it is read under the limits of http/body.ts.
 */
export function operation(detail: OperationDoc) {
  const scope = detail["x-scope"];
  return {
    detail,
    parse: "none",
    beforeHandle: ({ exchange }: RouteContext<Principal>) => {
      const refusal = scope === undefined ? null : scopeFault(exchange, scope);
      // Elysia awaits a hook that returns a call.
      if (refusal) return refusal;
    },
  } as const;
}

function scopeFault(exchange: Exchange<Principal>, scope: Scope): Response | null {
  if (callerOf(exchange).scopes.has(scope)) return null;
  return problem(exchange, { code: "INSUFFICIENT_SCOPE", detail: `the API key lacks the scope ${scope}` });
}
