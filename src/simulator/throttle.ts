import type { Quirks } from "./quirks.ts";

/** How many more submit_sm one system_id may have accepted; time in milliseconds that never step backwards. */
export type Throttle = {
  readonly allows: (limits: ThrottleLimits, nowMs: number) => boolean;
  /** Counts one that was accepted. */
  readonly count: (limits: ThrottleLimits, nowMs: number) => void;
};

export type ThrottleLimits = Pick<Quirks, "throttlePerSecond" | "throttleWindowMs" | "throttleBurst">;

const SECOND_MS = 1000;

/**
 * The two ways in which operators count: the rate holds in every sliding window (strict: any window, not those of the
 * clock), or an allowance of `throttleBurst` refills at the rate (a token bucket).
 */
export function createThrottle(): Throttle {
  let acceptedAtMs: number[] = [];
  let tokens = Number.POSITIVE_INFINITY;
  let filledAtMs = 0;

  const refill = ({ throttlePerSecond, throttleBurst }: ThrottleLimits, nowMs: number): void => {
    tokens = Math.min(throttleBurst, tokens + ((nowMs - filledAtMs) / SECOND_MS) * throttlePerSecond);
    filledAtMs = nowMs;
  };

  return {
    allows: (limits, nowMs) => {
      const { throttlePerSecond, throttleWindowMs, throttleBurst } = limits;
      if (throttlePerSecond === 0) return true;
      if (throttleBurst > 0) {
        refill(limits, nowMs);
        return tokens >= 1;
      }
      acceptedAtMs = acceptedAtMs.filter((atMs) => atMs > nowMs - throttleWindowMs);
      return (
        acceptedAtMs.length < Math.max(1, Math.floor((throttlePerSecond * throttleWindowMs) / SECOND_MS))
      );
    },
    count: (limits, nowMs) => {
      if (limits.throttlePerSecond === 0) return;
      if (limits.throttleBurst > 0) tokens -= 1;
      else acceptedAtMs.push(nowMs);
    },
  };
}
