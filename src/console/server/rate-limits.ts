/** How much one user, and all users of one account, may ask of the console (docs/console.md#limits-of-the-console). */

import type { Config } from "../../config/config.ts";
import type { Settings } from "../../config/live-config.ts";
import type { Clock } from "../../core/clock.ts";
import { countLimited, type Limit, type MetricsRegistry } from "../../core/metrics-registry.ts";
import { slidingWindow } from "../../core/sliding-window.ts";
import { type RateAllowance, rateLimiter } from "../../ingress/http/rate-limit.ts";

/** The caller: a user, and the account that they are confined to; null for staff. */
type LimitSubject = { readonly user: number; readonly account: number | string | null };

/** A limit of one route, beside all others. */
export type RouteRateLimit = { readonly limit: Limit; readonly most: number; readonly overMs: number };

export type ConsoleLimits = {
  /** Counts one request; returns the state of the limit that is nearest. */
  readonly take: (asking: LimitSubject) => RateAllowance;
  /** Begins an upload or download; returns how to end it, or null where too many are under way. */
  readonly beginTransfer: (asking: LimitSubject) => (() => void) | null;
  /** Counts one action on a thing; returns the whole seconds to wait, or null. */
  readonly takeRateLimit: (rateLimit: RouteRateLimit, thing: string) => number | null;
};

/** When to retry a refused transfer: another one ends before long. */
export const TRANSFER_RETRY_SECONDS = 5;

export function createConsoleLimits(
  settings: Settings<Pick<Config, "console">>,
  clock: Pick<Clock, "steadyMs">,
  tally: Pick<MetricsRegistry, "counters">,
): ConsoleLimits {
  const users = rateLimiter(() => {
    const { requests_per_second: perSecond, burst } = settings.now().console;
    return { perSecond, burst };
  });
  const accounts = rateLimiter(() => {
    const { account_requests_per_second: perSecond, account_burst: burst } = settings.now().console;
    return { perSecond, burst };
  });
  const transfersOfUser = new Map<number, number>();
  const transfersOfAccount = new Map<number | string, number>();
  const windows = new Map<Limit, ReturnType<typeof slidingWindow>>();
  return {
    take: ({ user, account }) => {
      const nowMs = clock.steadyMs();
      const own = users.take(user, nowMs);
      if (!own.isAllowed) countLimited(tally, "console requests of a user");
      if (!own.isAllowed || account === null) return own;
      const shared = accounts.take(keyOf(String(account)), nowMs);
      if (!shared.isAllowed) countLimited(tally, "console requests of an account");
      return shared.isAllowed && own.remaining < shared.remaining ? own : shared;
    },
    beginTransfer: ({ user, account }) => {
      const { transfers, account_transfers: together } = settings.now().console;
      if ((transfersOfUser.get(user) ?? 0) >= transfers) {
        countLimited(tally, "console transfers of a user");
        return null;
      }
      if (account !== null && (transfersOfAccount.get(account) ?? 0) >= together) {
        countLimited(tally, "console transfers of an account");
        return null;
      }
      add(transfersOfUser, user, 1);
      if (account !== null) add(transfersOfAccount, account, 1);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        add(transfersOfUser, user, -1);
        if (account !== null) add(transfersOfAccount, account, -1);
      };
    },
    takeRateLimit: ({ limit, most, overMs }, thing) => {
      const window = windows.get(limit) ?? slidingWindow(most, overMs);
      windows.set(limit, window);
      const waitMs = window.take(keyOf(thing), clock.steadyMs());
      if (waitMs === null) return null;
      countLimited(tally, limit);
      return Math.max(1, Math.ceil(waitMs / 1000));
    },
  };
}

function add<Key>(counts: Map<Key, number>, key: Key, more: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + more;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

/** Key of a bound that is shared by account: the account, or the staff user. */
export function toShareKey({ user, account }: LimitSubject): number {
  return account === null ? user : keyOf(String(account));
}

function keyOf(name: string): number {
  return Number(Bun.hash.wyhash(name) & 0x1fffffffffffffn);
}
