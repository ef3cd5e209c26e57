import { type Refusal, refusalOf } from "../../core/failures.ts";
import type { Exchange, KnownCaller } from "./exchange.ts";
import { NOT_FOUND, problem } from "./problem.ts";
import type { RateAllowance } from "./rate-limit.ts";

/** Who may ask at a set of routes, and how often. */
export type Admission<Caller extends KnownCaller> = {
  /** Who asks; null: nobody who is known. */
  readonly authenticate: (headers: Headers) => Caller | null;
  /** What is wrong with an address that nobody is let in by, whatever the headers say; null: nothing. */
  readonly addressFault?: (url: string) => Refusal<"UNAUTHORIZED"> | null;
  /** Takes one request from what the caller may ask. */
  readonly take: (caller: Caller) => RateAllowance;
};

/** The methods of one path, and the same in words for the Allow header (RFC 9110 section 10.2.1). */
export type PathMethods = {
  /** As Elysia writes it: `/public/v1/batches/:batch_id`. */
  readonly path: string;
  /** `ALL` among them: any. */
  readonly methods: ReadonlySet<string>;
  readonly allow: string;
};

/**
 * The checks that every request passes before anything of its body is read, in the order of
 * docs/behaviour.md#order-of-checks: key, limit, path and method. The refusal to send, or undefined: the request may go on, and
 * `exchange` says whose it is.
 */
export function admit<Caller extends KnownCaller>(
  exchange: Exchange<Caller>,
  { headers, url }: Pick<Request, "headers" | "url">,
  admission: Admission<Caller> | null,
  found: PathMethods | undefined,
): Response | undefined {
  if (admission) {
    const fault = admission.addressFault?.(url) ?? null;
    if (fault !== null) return unauthorized(exchange, fault);
    const refusal = admitCaller(exchange, headers, admission);
    if (refusal) return refusal;
  }
  if (!found) return problem(exchange, NOT_FOUND);
  if (found.methods.has("ALL")) return undefined;
  exchange.route = found.path;
  if (!found.methods.has(exchange.method)) {
    const { allow } = found;
    const { method } = exchange;
    return problem(exchange, refusalOf("VALIDATION_FAILED.method", { method, allow }), { allow });
  }
  return undefined;
}

/** The same for every reason why a key is not taken (docs/public-api.md section 5), and it says how one is sent. */
const KEY_REQUIRED = refusalOf("UNAUTHORIZED.key");

function unauthorized(exchange: Exchange, refusal: Refusal<"UNAUTHORIZED">): Response {
  return problem(exchange, refusal, { "www-authenticate": "Bearer" });
}

function admitCaller<Caller extends KnownCaller>(
  exchange: Exchange<Caller>,
  headers: Headers,
  { authenticate, take }: Admission<Caller>,
): Response | undefined {
  const caller = authenticate(headers);
  if (!caller) return unauthorized(exchange, KEY_REQUIRED);
  exchange.caller = caller;
  const allowance = take(caller);
  exchange.allowance = allowance;
  if (allowance.isAllowed) return undefined;
  const { limit, perSecond, retrySeconds } = allowance;
  const refusal = refusalOf("RATE_LIMITED.key", { per_second: perSecond, burst: limit });
  return problem(exchange, refusal, { "retry-after": String(retrySeconds) });
}
