import { type Chance, jitter } from "../core/chance.ts";
import type { Cancel, Clock } from "../core/clock.ts";

const MAX_MS = 60_000;
const JITTER_SHARE = 0.2;

/** Comes back after every loss. */
export type Reconnect = {
  /** Sets the next attempt, later with each failure in a row; in how many milliseconds. */
  readonly failed: (credentialsRefused: boolean) => number;
  readonly succeeded: () => void;
  /** Makes the next attempt at once, where one is set, and begins to count anew. */
  readonly now: () => void;
  /** No attempt is made any more. */
  readonly stop: () => void;
  /** Epoch milliseconds; null while none is set. */
  readonly nextAttemptAtMs: () => number | null;
};

export function reconnect(
  clock: Clock,
  chance: Chance,
  firstMs: () => number,
  attempt: () => void,
): Reconnect {
  let failures = 0;
  let nextAttemptAtMs: number | null = null;
  let cancel: Cancel = () => {};
  return {
    failed: (credentialsRefused) => {
      failures += 1;
      const delayMs = reconnectDelayMs(chance, firstMs(), failures, credentialsRefused);
      nextAttemptAtMs = clock.nowMs() + delayMs;
      cancel = clock.after(delayMs, () => {
        nextAttemptAtMs = null;
        attempt();
      });
      return delayMs;
    },
    succeeded: () => {
      failures = 0;
    },
    now: () => {
      failures = 0;
      if (nextAttemptAtMs === null) return;
      cancel();
      nextAttemptAtMs = null;
      attempt();
    },
    stop: () => {
      cancel();
      nextAttemptAtMs = null;
    },
    nextAttemptAtMs: () => nextAttemptAtMs,
  };
}

/**
 * How long to wait before the next attempt, in whole milliseconds: `firstMs` doubling with each failure in a row up to a
 * minute, ±20 % so that many links do not come back in one moment (docs/behaviour.md#refused-binds). Refused
 * credentials wait the full minute at once: trying faster only locks the account.
 */
export function reconnectDelayMs(
  chance: Chance,
  firstMs: number,
  failures: number,
  credentialsRefused: boolean,
): number {
  if (credentialsRefused) return MAX_MS;
  const plainMs = firstMs * 2 ** Math.min(16, Math.max(0, failures - 1));
  return Math.min(MAX_MS, Math.round(jitter(chance, Math.min(MAX_MS, plainMs), JITTER_SHARE)));
}
