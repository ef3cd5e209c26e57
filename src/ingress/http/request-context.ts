/** The context of one request, from its first check to its log line: id, route, caller, limits. */
import type { Clock } from "../../core/clock.ts";
import type { NewId } from "../../core/ids.ts";
import type { Log, LogLevel } from "../../core/log.ts";
import { type MetricsRegistry, SHORT_SECONDS } from "../../core/metrics-registry.ts";
import { FAILURES, type FailureCode } from "./error-codes.ts";
import type { RateAllowance } from "./rate-limit.ts";

/** What the router must know of a caller: a name for the log, and live or sandbox where there are both. */
export type KnownCaller = { readonly keyId: string; readonly isSandbox?: boolean };

/** One request and its answer, as recorded for the log and the metrics. Filled in as the checks let it pass. */
export type RequestContext<Caller extends KnownCaller = KnownCaller> = {
  readonly requestId: string;
  readonly method: string;
  /** Without the query string, which may hold what must not be logged. */
  readonly path: string;
  /** `Clock.steadyMs` when the head had arrived. */
  readonly beganMs: number;
  /** The path's pattern, once it is known: what the log names. */
  route: string | null;
  /** The caller, where the routes require one. */
  caller: Caller | null;
  allowance: RateAllowance | null;
  /** Why it was refused, when it was. */
  failure: FailureCode | null;
  /** The code of the answer, where it is another than `failure`. */
  answeredCode: string | null;
};

/** What every request context needs. */
export type RequestContextDeps = {
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: NewId;
  readonly tally: MetricsRegistry;
};

/** Requests by method, route and status of the answer. */
export const HTTP_REQUESTS = "bendre_http_requests_total";
/** Seconds from the head of a request to its answer. */
export const HTTP_REQUEST_SECONDS = "bendre_http_request_seconds";

/** Opens the context of a request whose head has arrived. */
export function openRequest<Caller extends KnownCaller>(
  { clock, newId }: Pick<RequestContextDeps, "clock" | "newId">,
  request: Request,
  path: string,
): RequestContext<Caller> {
  return {
    requestId: requestIdFor(request.headers, newId),
    method: request.method,
    path,
    beganMs: clock.steadyMs(),
    route: null,
    caller: null,
    allowance: null,
    failure: null,
    answeredCode: null,
  };
}

/** Methods that metrics tell apart: clients can make up others. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Closes the context: sets the answer's headers and writes the log line. */
export function closeRequest(
  { clock, log, tally }: Omit<RequestContextDeps, "newId">,
  exchange: RequestContext,
  response: Response,
): Response {
  const { allowance, caller, failure, answeredCode } = exchange;
  const { headers } = response;
  headers.set("x-request-id", exchange.requestId);
  // Browsers must take the answer for the type that it names.
  headers.set("x-content-type-options", "nosniff");
  if (allowance) {
    headers.set("x-ratelimit-limit", String(allowance.limit));
    headers.set("x-ratelimit-remaining", String(allowance.remaining));
    headers.set("x-ratelimit-reset", String(allowance.resetSeconds));
  }
  const ms = clock.steadyMs() - exchange.beganMs;
  const { method, route } = exchange;
  const counted = METHODS.has(method) ? method : "OTHER";
  tally.counters(HTTP_REQUESTS).of(counted, route ?? "unmatched", String(response.status)).value += 1;
  tally
    .histograms(HTTP_REQUEST_SECONDS, SHORT_SECONDS)
    .of()
    .observe(ms / 1000);
  log[levelOf(exchange)]("request", {
    method,
    route,
    status: response.status,
    code: answeredCode ?? failure ?? undefined,
    ms: Math.round(ms * 1000) / 1000,
    request_id: exchange.requestId,
    key_id: caller?.keyId,
  });
  return response;
}

/** The level of the error; successes without a known caller are probes and pages, too many to keep. */
function levelOf({ failure, caller }: RequestContext): LogLevel {
  if (failure) return FAILURES[failure].level;
  return caller ? "info" : "debug";
}

/** Characters that are safe in a log line, a header and a support ticket. */
const SAFE = /^[A-Za-z0-9._:-]{1,64}$/;

/** The client's own X-Request-Id when it is at most 64 safe characters, else a new ULID (docs/behaviour.md#request-id). */
function requestIdFor(headers: Headers, newId: NewId): string {
  const own = headers.get("x-request-id");
  return own !== null && SAFE.test(own) ? own : newId();
}
