/** Authenticates callers of these interfaces: user and password, wrong tries counted, requests limited as those of a key are. */

import { deriveCached, type Settings } from "../../config/live-config.ts";
import type { Clock } from "../../core/clock.ts";
import { networkMatcher } from "../../core/ip-networks.ts";
import { countLimited } from "../../core/metrics-registry.ts";
import type { Store } from "../../db/store.ts";
import { authenticateCompatUser, type CompatUser } from "../../domain/accounts/compat-users.ts";
import { wrongTries } from "../../domain/accounts/wrong-tries.ts";
import { readPeer } from "../http/peer.ts";
import { rateLimiter } from "../http/rate-limit.ts";
import type { Server } from "../http/router.ts";

export type CompatAuth = {
  /** The user, or null: the same whatever is wrong, and after too many wrong tries even for the right password. */
  readonly userOf: (from: Caller, name: string, password: string) => CompatUser | null;
  /** Takes one request from a user's allowance; false: it is one too many. */
  readonly take: (user: CompatUser) => boolean;
};

/** A request, and the server that it came to. */
export type Caller = { readonly request: Request; readonly server: Server | null };

export function createCompatAuth({
  settings,
  store,
  clock,
}: {
  readonly settings: Settings;
  readonly store: Pick<Store, "read" | "tally">;
  readonly clock: Clock;
}): CompatAuth {
  const wrong = wrongTries();
  const trusted = deriveCached(() => settings.now().server.trusted_proxies, networkMatcher);
  const limiter = rateLimiter(() => {
    const { requests_per_second: perSecond, burst } = settings.now().api;
    return { perSecond, burst };
  });
  /** The origin that tries are counted for, and whether it is known to be the caller's own. */
  const originOf = ({ request, server }: Caller) => {
    const socket = server?.requestIP(request)?.address ?? null;
    const { address } = readPeer(socket, request.headers, trusted());
    return { origin: address ?? socket ?? "", isKnown: address !== null };
  };
  return {
    userOf: (from, name, password) => {
      const { origin, isKnown } = originOf(from);
      const isSpent = wrong.isSpent(origin, name, clock.steadyMs());
      const user = authenticateCompatUser(store.read, name, password);
      // Behind an untrusted proxy the wrong tries of others come from the same address: they keep out no caller with the right password,
      // which was drawn at random here and cannot be guessed.
      if (user && (!isSpent || !isKnown)) return user;
      if (isSpent) countLimited(store.tally, "wrong passwords at a door");
      else wrong.note(origin, name, clock.steadyMs());
      return null;
    },
    take: ({ id }) => limiter.take(id, clock.steadyMs()).isAllowed,
  };
}
