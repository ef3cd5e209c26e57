import { Elysia } from "elysia";
import { notReady } from "../closed-door.ts";
import type { HttpDeps } from "../deps.ts";
import { exchangeOf } from "../exchange.ts";
import { healthDoc, liveDoc, readyDoc } from "../openapi/operations.ts";
import { isFromHere } from "../peer.ts";
import { jsonAnswer } from "../problem.ts";

/**
 * Whether the event loop turns, whether requests are accepted (docs/administration.md#ready), and how well the appliance
 * is: names and figures of its checks only for whoever asks on this machine. No key is needed. Load balancers probe with
 * HEAD as well.
 */
export function healthRoutes(deps: HttpDeps) {
  const live = () => jsonAnswer(200, '{"data":{"status":"live"}}');
  const ready = () => {
    deps.health.report(); // Looking is what finds a database that cannot be written.
    const reasons = deps.readiness.reasons();
    return reasons.length === 0 ? jsonAnswer(200, '{"data":{"status":"ready"}}') : notReady(reasons);
  };
  const health = ({ request }: { readonly request: Request }) => {
    const report = deps.health.report();
    const { peer } = exchangeOf(request);
    const data = isFromHere(peer, request.headers) ? report : { status: report.status };
    return jsonAnswer(report.status === "down" ? 503 : 200, JSON.stringify({ data }));
  };
  const hidden = { detail: { hide: true } };
  return new Elysia({ prefix: "/health" })
    .get("", health, { detail: healthDoc })
    .head("", health, hidden)
    .get("/live", live, { detail: liveDoc })
    .head("/live", live, hidden)
    .get("/ready", ready, { detail: readyDoc })
    .head("/ready", ready, hidden);
}
