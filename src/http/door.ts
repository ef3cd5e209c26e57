import { FAILURES } from "../base/failures.ts";
import { errorFields, type LogLevel } from "../base/log.ts";
import { buildApp } from "./app.ts";
import type { HttpDeps } from "./deps.ts";
import { attachExchange, type Exchange } from "./exchange.ts";
import { API_BASE, admit, type Gate } from "./gate.ts";
import type { Peer } from "./peer.ts";
import { failed } from "./problem.ts";
import { rateLimiter } from "./rate-limit.ts";
import { requestIdFor } from "./request-id.ts";
import { routeTable } from "./route-table.ts";
import type { SubmissionReader } from "./submission-reader.ts";
import { routable, targetOf } from "./target.ts";

/** Answers one request. Never throws. */
export type Door = (request: Request, peer?: Peer) => Response | Promise<Response>;

/**
 * The door every request passes: an exchange is opened, the gate judges, Elysia answers, and whatever the answer is
 * gets its headers and its line in the log. It stands around Elysia and not in its hooks, because the gate must come
 * before routing and body parsing, and because a hook that answers early ends the chain that would log it.
 */
export function openDoor(deps: HttpDeps, reader: SubmissionReader): Door {
  const { clock, log, newId, store } = deps;
  const app = buildApp(deps, reader);
  const { requests_per_second: perSecond, burst } = deps.config.api;
  const gate: Gate = {
    read: store.read,
    clock,
    limiter: rateLimiter(perSecond, burst),
    routes: routeTable(app.routes),
  };

  const close = (exchange: Exchange, response: Response): Response => {
    const { headers } = response;
    headers.set("x-request-id", exchange.requestId);
    const { allowance, principal, failure } = exchange;
    if (allowance) {
      headers.set("x-ratelimit-limit", String(allowance.limit));
      headers.set("x-ratelimit-remaining", String(allowance.remaining));
      headers.set("x-ratelimit-reset", String(allowance.resetSeconds));
    }
    log[levelOf(exchange)]("request", {
      method: exchange.method,
      route: exchange.route,
      status: response.status,
      code: failure ?? undefined,
      ms: Math.round((clock.steadyMs() - exchange.beganMs) * 1000) / 1000,
      request_id: exchange.requestId,
      key_id: principal?.keyId,
    });
    return response;
  };

  const crash = (exchange: Exchange, error: unknown): Response => {
    log.error("request failed", { request_id: exchange.requestId, ...errorFields(error) });
    return close(exchange, failed(exchange));
  };

  return (request, peer) => {
    const target = targetOf(request.url);
    const exchange: Exchange = {
      requestId: requestIdFor(request.headers, newId),
      method: request.method,
      path: target.path,
      peer,
      beganMs: clock.steadyMs(),
      route: null,
      principal: null,
      allowance: null,
      failure: null,
    };
    try {
      const refusal = admit(gate, exchange, request.headers);
      if (refusal) return close(exchange, refusal);
      const routed = routable(request, target);
      attachExchange(routed, exchange);
      const response: Response | Promise<Response> = app.fetch(routed);
      return response instanceof Promise
        ? response.then(
            (answer) => close(exchange, answer),
            (error) => crash(exchange, error),
          )
        : close(exchange, response);
    } catch (error) {
      return crash(exchange, error);
    }
  };
}

/** As loud as its error deserves; what was answered well outside the API is probes and pages, too many to keep. */
function levelOf({ failure, route }: Exchange): LogLevel {
  if (failure) return FAILURES[failure].level;
  return route?.startsWith(API_BASE) ? "info" : "debug";
}
