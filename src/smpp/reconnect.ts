import { type Chance, jitter } from "../base/chance.ts";

const LONGEST_MS = 60_000;
const JITTER_SHARE = 0.2;

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
  if (credentialsRefused) return LONGEST_MS;
  const plainMs = firstMs * 2 ** Math.min(16, Math.max(0, failures - 1));
  return Math.min(LONGEST_MS, Math.round(jitter(chance, Math.min(LONGEST_MS, plainMs), JITTER_SHARE)));
}
