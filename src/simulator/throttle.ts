/** How many submits the simulated operator takes in a second. */
import type { Quirks } from "./quirks.ts";

export type ThrottleLimits = Pick<Quirks, "throttlePerSecond" | "throttleWindowMs" | "throttleBurst">;

const SECOND_MS = 1000;

/**
 * How many more submit_sm one system_id may have accepted, counted in the two ways of operators: the rate holds in every sliding
 * window (strict: any window, not those of the clock), or an allowance of `throttleBurst` refills at the rate (a token bucket).
 * Times are milliseconds that never step backwards.
 */
export class Throttle {
  private acceptedAtMs: number[] = [];
  private tokens = Number.POSITIVE_INFINITY;
  private filledAtMs = 0;

  allows(limits: ThrottleLimits, nowMs: number): boolean {
    const { throttlePerSecond, throttleWindowMs, throttleBurst } = limits;
    if (throttlePerSecond === 0) return true;
    if (throttleBurst > 0) {
      this.tokens = Math.min(
        throttleBurst,
        this.tokens + ((nowMs - this.filledAtMs) / SECOND_MS) * throttlePerSecond,
      );
      this.filledAtMs = nowMs;
      return this.tokens >= 1;
    }
    this.acceptedAtMs = this.acceptedAtMs.filter((atMs) => atMs > nowMs - throttleWindowMs);
    return (
      this.acceptedAtMs.length < Math.max(1, Math.floor((throttlePerSecond * throttleWindowMs) / SECOND_MS))
    );
  }

  /** Counts one that was accepted. */
  count({ throttlePerSecond, throttleBurst }: ThrottleLimits, nowMs: number): void {
    if (throttlePerSecond === 0) return;
    if (throttleBurst > 0) this.tokens -= 1;
    else this.acceptedAtMs.push(nowMs);
  }
}
