import type { Config } from "../../config/config.ts";
import { type Hours, isWithin } from "../../core/hours.ts";
import { minuteOfDay } from "../../core/zoned-time.ts";
import type { Account } from "../accounts/accounts.ts";
import type { MessageClass } from "../accounts/classes.ts";
import { policyOf } from "../accounts/policies.ts";

const MINUTE_MS = 60_000;
/** Open hours are counted in steps of this; validities are told in minutes. */
const STEP_MINUTES = 5;
/** The clocks of a zone are changed on quarters of an hour only. */
const QUARTER_MS = 15 * MINUTE_MS;
/** Where the open hours of a day are too few for the validity to end within this, it ends here. */
const MAX_MS = 60 * 86_400_000;

/**
 * When a message that is planned for `plannedAtMs` and has not left is given up: after its class's validity. Hours in
 * which marketing may not be sent do not count (docs/behaviour.md#validity).
 */
export function expiryOf(
  config: Config,
  account: Account,
  messageClass: MessageClass,
  plannedAtMs: number,
): number {
  const minutes = config.delivery.validity_minutes[messageClass];
  if (messageClass !== "MARKETING") return plannedAtMs + minutes * MINUTE_MS;
  const { marketingHours } = policyOf(account, config.policy);
  return afterOpenMinutes(plannedAtMs, minutes, marketingHours, account.timezone);
}

/** The moment by which `minutes` of permitted time have passed since `fromMs`. */
export function afterOpenMinutes(fromMs: number, minutes: number, hours: Hours, timezone: string): number {
  let left = minutes;
  let atMs = fromMs;
  let minuteOfQuarter = 0;
  let quarterMs = -1;
  while (left > 0 && atMs < fromMs + MAX_MS) {
    const intoQuarterMs = atMs % QUARTER_MS;
    if (atMs - intoQuarterMs !== quarterMs) {
      quarterMs = atMs - intoQuarterMs;
      minuteOfQuarter = minuteOfDay(quarterMs, timezone);
    }
    const step = Math.min(STEP_MINUTES, left);
    if (isWithin(hours, minuteOfQuarter + Math.floor(intoQuarterMs / MINUTE_MS))) left -= step;
    atMs += step * MINUTE_MS;
  }
  return atMs;
}
