import type { Principal } from "../accounts/keys.ts";
import { assert } from "../base/assert.ts";
import type { FailureCode } from "../base/failures.ts";
import type { Peer } from "./peer.ts";
import type { Allowance } from "./rate-limit.ts";

/** One request and its answer, as the door keeps book of it. Filled in as the gate lets it pass. */
export type Exchange = {
  readonly requestId: string;
  readonly method: string;
  /** Without the query string, which may hold what must not be logged. */
  readonly path: string;
  readonly peer?: Peer | undefined;
  /** `Clock.steadyMs` when its head had arrived. */
  readonly beganMs: number;
  /** The path's pattern, once it is known: what the log names. */
  route: string | null;
  principal: Principal | null;
  allowance: Allowance | null;
  /** Why it was refused, when it was. */
  failure: FailureCode | null;
};

const exchanges = new WeakMap<Request, Exchange>();

/** Ties an exchange to the request that Elysia hands to a route. */
export function attachExchange(request: Request, exchange: Exchange): void {
  exchanges.set(request, exchange);
}

export function exchangeOf(request: Request): Exchange {
  const exchange = exchanges.get(request);
  assert(exchange, "every request passes the gate");
  return exchange;
}

/** Who asks, on a route that demands a scope. */
export function principalOf(request: Request): Principal {
  const { principal } = exchangeOf(request);
  assert(principal, "the gate authenticates every request to the API");
  return principal;
}
