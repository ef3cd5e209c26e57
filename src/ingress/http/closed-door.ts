import type { Clock } from "../../core/clock.ts";
import { refusalOf } from "../../core/failures.ts";
import type { NewId } from "../../core/ids.ts";
import type { Readiness } from "../../core/readiness.ts";
import { EXACT_ENGLISH, type Phrase } from "../../i18n/phrase.ts";
import { t } from "../../i18n/text.ts";
import type { Door } from "./door.ts";
import { openExchange } from "./exchange.ts";
import { jsonAnswer, problem } from "./problem.ts";

/**
 * The door before there is anything behind it: the process is alive, and everything else is asked to come back. It
 * knows no key and no database, so it tells everybody the same.
 */
export function closedDoor(clock: Clock, newId: NewId, readiness: Pick<Readiness, "reasons">): Door {
  return (request) => {
    const path = /^(?:[a-z]+:\/\/[^/]*)?(\/[^?]*)/.exec(request.url)?.[1] ?? "";
    const exchange = openExchange({ clock, newId }, request, path);
    if (path === "/health/live") return jsonAnswer(200, '{"data":{"status":"live"}}');
    if (path.startsWith("/health")) return notReady(readiness.reasons());
    return problem(exchange, refusalOf("SERVICE_UNAVAILABLE.starting"), {
      "x-request-id": exchange.requestId,
      connection: "close",
    });
  };
}

/** What a load balancer is told while requests should go elsewhere. */
export function notReady(reasons: readonly Phrase[]): Response {
  const told = reasons.map((reason) => t(reason, EXACT_ENGLISH));
  return jsonAnswer(503, JSON.stringify({ data: { status: "not ready", reasons: told } }), {
    "retry-after": "1",
  });
}
