import type { NewId } from "../base/ids.ts";
import type { Readiness } from "../base/readiness.ts";
import type { Door } from "./door.ts";
import type { Exchange } from "./exchange.ts";
import { jsonAnswer, problem } from "./problem.ts";
import { requestIdFor } from "./request-id.ts";
import { targetOf } from "./target.ts";

/**
 * The door before there is anything behind it: the process is alive, and everything else is asked to come back. It
 * knows no key and no database, so it tells everybody the same.
 */
export function closedDoor(newId: NewId, readiness: Pick<Readiness, "reasons">): Door {
  return (request) => {
    const { path } = targetOf(request.url);
    const exchange: Exchange = {
      requestId: requestIdFor(request.headers, newId),
      method: request.method,
      path,
      beganMs: 0,
      route: null,
      principal: null,
      allowance: null,
      failure: null,
    };
    if (path === "/health/live") return jsonAnswer(200, '{"data":{"status":"live"}}');
    if (path.startsWith("/health")) return notReady(readiness.reasons());
    const detail = "the service is starting: try again in a moment";
    return problem(
      exchange,
      { code: "SERVICE_UNAVAILABLE", detail },
      { "x-request-id": exchange.requestId, connection: "close" },
    );
  };
}

/** What a load balancer is told while requests should go elsewhere. */
export function notReady(reasons: readonly string[]): Response {
  return jsonAnswer(503, JSON.stringify({ data: { status: "not ready", reasons } }), { "retry-after": "1" });
}
