import { lookup } from "node:dns/promises";
import { networkInterfaces } from "node:os";
import type { Clock } from "../core/clock.ts";
import { type RequestTrusting, systemRequest } from "./https-request.ts";

/** Every address a name has at this moment; rejects when it has none or nobody can say. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** The resolver of the operating system, its hosts file included. */
export const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** The machine's own addresses: an endpoint that is the appliance itself is refused. */
export function ownAddresses(): ReadonlySet<string> {
  return new Set(
    Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address)),
  );
}

/** How servers of others are resolved and asked. */
export type HttpsNetwork = {
  readonly resolve: Resolve;
  readonly ownAddresses: () => ReadonlySet<string>;
  readonly request: RequestTrusting;
};

/** The machine's. */
export const systemHttps: HttpsNetwork = { resolve: systemResolve, ownAddresses, request: systemRequest };

/** How long an answer is used again. A connection is made to a checked address either way, so an old one is safe. */
const KEEP_MS = 30_000;
const MAX_KEPT = 10_000;

type CachedResolve = {
  readonly addressesOf: Resolve;
  /** Resolves again next time: nothing answered at the known addresses. */
  readonly forget: (host: string) => void;
};

/** Keeps answers for a short while, so that thousands of events a second do not ask thousands of times. */
export function cacheResolve(resolve: Resolve, clock: Clock): CachedResolve {
  const kept = new Map<string, { readonly answer: Promise<readonly string[]>; readonly untilMs: number }>();
  return {
    addressesOf: (host) => {
      const known = kept.get(host);
      if (known && clock.steadyMs() < known.untilMs) return known.answer;
      if (kept.size >= MAX_KEPT) kept.clear();
      const answer = resolve(host);
      const entry = { answer, untilMs: clock.steadyMs() + KEEP_MS };
      kept.set(host, entry);
      answer.catch(() => {
        if (kept.get(host) === entry) kept.delete(host);
      });
      return answer;
    },
    forget: (host) => {
      kept.delete(host);
    },
  };
}
