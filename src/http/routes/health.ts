import { Elysia } from "elysia";
import type { HttpDeps } from "../deps.ts";
import { liveDoc, readyDoc } from "../openapi/operations.ts";
import { jsonAnswer } from "../problem.ts";

/**
 * Whether the event loop turns, and whether requests are accepted (administration.md section 1). No key is needed.
 * Load balancers probe with HEAD as well.
 */
export function healthRoutes(deps: HttpDeps) {
  const live = () => jsonAnswer(200, '{"data":{"status":"live"}}');
  const ready = () =>
    deps.ready()
      ? jsonAnswer(200, '{"data":{"status":"ready"}}')
      : jsonAnswer(503, '{"data":{"status":"not ready"}}', { "retry-after": "1" });
  const hidden = { detail: { hide: true } };
  return new Elysia({ prefix: "/health" })
    .get("/live", live, { detail: liveDoc })
    .head("/live", live, hidden)
    .get("/ready", ready, { detail: readyDoc })
    .head("/ready", ready, hidden);
}
