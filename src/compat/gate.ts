/** Who asks at these doors: user and password, wrong tries counted, requests limited as those of a key are. */
import { authenticateCompatUser, type CompatUser } from "../accounts/compat-users.ts";
import type { Clock } from "../base/clock.ts";
import { movingWindow } from "../base/moving-window.ts";
import { networkList } from "../base/networks.ts";
import { derived, type Settings } from "../config/in-force.ts";
import type { Server } from "../http/door.ts";
import { peerOf } from "../http/peer.ts";
import { rateLimiter } from "../http/rate-limit.ts";
import type { Store } from "../store/store.ts";

/** Wrong tries of a name from an address within any minute (docs/behaviour.md#users-of-these-doors). */
const MOST_WRONG = 10;
const MINUTE_MS = 60_000;

export type Gate = {
  /** The user, or null: alike whatever is wrong, and after too many wrong tries whatever is right. */
  readonly userOf: (from: Caller, name: string, password: string) => CompatUser | null;
  /** Takes one request of a user; false: it is one too many. */
  readonly take: (user: CompatUser) => boolean;
};

/** A request, and the server that it came to. */
export type Caller = { readonly request: Request; readonly server: Server | null };

export function openGate({
  settings,
  store,
  clock,
}: {
  readonly settings: Settings;
  readonly store: Pick<Store, "read">;
  readonly clock: Clock;
}): Gate {
  const wrong = movingWindow(MOST_WRONG, MINUTE_MS);
  const trusted = derived(() => settings.now().server.trusted_proxies, networkList);
  const limiter = rateLimiter(() => {
    const { requests_per_second: perSecond, burst } = settings.now().api;
    return { perSecond, burst };
  });
  const addressOf = ({ request, server }: Caller): string =>
    peerOf(server?.requestIP(request)?.address ?? null, request.headers, trusted()).address ?? "";
  return {
    userOf: (from, name, password) => {
      const key = Number(Bun.hash.wyhash(`${addressOf(from)} ${name}`) & 0x1fffffffffffffn);
      const isSpent = wrong.isSpent(key, clock.steadyMs());
      const user = authenticateCompatUser(store.read, name, password);
      if (!isSpent && user) return user;
      if (!isSpent) wrong.take(key, clock.steadyMs());
      return null;
    },
    take: ({ id }) => limiter.take(id, clock.steadyMs()).isAllowed,
  };
}
