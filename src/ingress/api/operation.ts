/** How a route of the API is defined: its published description, and the scope that its key must have. */
import { toRefusal } from "../../core/refusals.ts";
import type { Principal, Scope } from "../../domain/accounts/api-keys.ts";
import { problem } from "../http/problem.ts";
import type { RequestContext } from "../http/request-context.ts";
import { type createRoutes, type RouteContext, requireCaller } from "../http/router.ts";
import type { ScopedDoc } from "./openapi/operations.ts";

/** The base path of the API (docs/public-api.md section 9). */
export const API_BASE = "/public/v1";

/** The routes of the API, to be filled. */
export type ApiRoutes = ReturnType<typeof createRoutes<Principal>>;

/**
 * The options of a route of the API: its published description, and the check that the key has the published scope.
 * Elysia neither reads bodies nor checks shapes here: it would do both before the scope check, without the limits of
 * ingress/http/body.ts and in its own words. Handlers read their bodies; core/request-shape.ts checks shapes.
 */
export function operation(detail: ScopedDoc) {
  const scope = detail["x-scope"];
  return {
    detail,
    parse: "none",
    beforeHandle: ({ exchange }: RouteContext<Principal>) => {
      // Elysia awaits a hook that returns a call.
      const refusal = scopeFault(exchange, scope);
      if (refusal) return refusal;
    },
  } as const;
}

function scopeFault(exchange: RequestContext<Principal>, scope: Scope): Response | null {
  if (requireCaller(exchange).scopes.has(scope)) return null;
  return problem(exchange, toRefusal("INSUFFICIENT_SCOPE", { scope }));
}
