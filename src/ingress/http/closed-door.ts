import type { Clock } from "../../core/clock.ts";
import { toRefusal } from "../../core/failures.ts";
import type { NewId } from "../../core/ids.ts";
import type { Readiness } from "../../core/readiness.ts";
import { EXACT_ENGLISH, type Phrase } from "../../i18n/phrase.ts";
import { t } from "../../i18n/text.ts";
import type { RequestHandler } from "./door.ts";
import { openRequest } from "./exchange.ts";
import { jsonAnswer, problem } from "./problem.ts";

/**
 * The door before there is anything behind it: the process is alive, and everything else is asked to come back. It
 * knows no key and no database, so it tells everybody the same.
 */
export function createStartupHandler(clock: Clock, newId: NewId, readiness: Pick<Readiness, "reasons">): RequestHandler {
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

/** What a load balancer is told while requests should go elsewhere. */
export function answerNotReady(reasons: readonly Phrase[]): Response {
  const told = reasons.map((reason) => t(reason, EXACT_ENGLISH));
  return jsonAnswer(503, JSON.stringify({ data: { status: "not ready", reasons: told } }), {
    "retry-after": "1",
  });
}
