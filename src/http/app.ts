import { Elysia } from "elysia";
import { isScope, type Scope } from "../accounts/scopes.ts";
import { errorFields } from "../base/log.ts";
import type { HttpDeps } from "./deps.ts";
import { exchangeOf } from "./exchange.ts";
import { openApiText } from "./openapi/document.ts";
import { failed } from "./problem.ts";
import type { Route } from "./route-table.ts";
import { accountRoutes } from "./routes/account.ts";
import { batchRoutes } from "./routes/batches.ts";
import { docsRoutes } from "./routes/docs.ts";
import { healthRoutes } from "./routes/health.ts";
import { messageRoutes } from "./routes/messages.ts";
import { webhookRoutes } from "./routes/webhooks.ts";
import type { SubmissionReader } from "./submission-reader.ts";

/** All routes, and what the gate must know of them. */
export function buildApp(deps: HttpDeps, reader: SubmissionReader) {
  let openApi: Promise<string> | null = null;
  const documented = new Elysia()
    .use(batchRoutes(deps, reader))
    .use(messageRoutes(deps))
    .use(accountRoutes(deps))
    .use(webhookRoutes(deps))
    .use(healthRoutes(deps));
  const app = new Elysia({ strictPath: true })
    .onError(({ error, request }) => {
      const exchange = exchangeOf(request);
      deps.log.error("request failed", { request_id: exchange.requestId, ...errorFields(error) });
      return failed(exchange);
    })
    .use(documented)
    .use(docsRoutes(() => (openApi ??= openApiText(documented))));
  return { fetch: app.fetch, routes: app.routes.map(routeOf) };
}

type RegisteredRoute = {
  readonly method: string;
  readonly path: string;
  readonly hooks: { readonly detail?: unknown };
};

function routeOf({ method, path, hooks }: RegisteredRoute): Route {
  return { method, path, scope: scopeIn(hooks.detail) };
}

/** The scope a route names in its documentation: what is published is what is asked. */
function scopeIn(detail: unknown): Scope | null {
  if (typeof detail !== "object" || detail === null || !("x-scope" in detail)) return null;
  const scope = detail["x-scope"];
  return typeof scope === "string" && isScope(scope) ? scope : null;
}
