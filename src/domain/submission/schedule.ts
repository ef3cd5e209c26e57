/**
 * When a planned message is given up, by its class's validity and the hours in which it may be sent (docs/behaviour.md#validity). Pure.
 */
import type { Config } from "../../config/config.ts";
import {
  type Hours,
  isTimezone,
  isWithin,
  minuteOfDay,
  readIsoTime,
  toInstant,
} from "../../core/calendar.ts";
import { accepted, refuse, refuseFault } from "../../core/refusals.ts";
import { phrase } from "../../i18n/phrase.ts";
import type { Account } from "../accounts/accounts.ts";
import type { MessageClass } from "../accounts/message-class.ts";
import { derivePolicy } from "../accounts/policies.ts";
import type { IntakeOutcome } from "./request.ts";

const MINUTE_MS = 60_000;
/** Open hours are counted in steps of this; validities are given in minutes. */
const STEP_MINUTES = 5;
/** The clocks of a zone are changed on quarters of an hour only. */
const QUARTER_MS = 15 * MINUTE_MS;
/** Where the open hours of a day are too few for the validity to end within this, it ends here. */
const MAX_MS = 60 * 86_400_000;

/**
 * When a message that is planned for `plannedAtMs` and has not left is given up: after its class's validity. Hours in
 * which marketing may not be sent do not count (docs/behaviour.md#validity).
 */
export function deriveExpiry(
  config: Config,
  account: Account,
  messageClass: MessageClass,
  plannedAtMs: number,
): number {
  const minutes = config.delivery.validity_minutes[messageClass];
  if (messageClass !== "MARKETING") return plannedAtMs + minutes * MINUTE_MS;
  const { marketingHours } = derivePolicy(account, config.policy);
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

/** How far ahead a batch may be scheduled (docs/behaviour.md#schedule). */
const FARTHEST_MS = 365 * 86_400_000;

/** When a batch is to leave (null: now) and the zone its times are shown in. */
type ScheduleTime = { readonly atMs: number | null; readonly timezone: string };

/**
 * Reads `scheduled_at` and `timezone`: with an offset it is that instant, without one local time in `timezone`,
 * else the account's. VALIDATION_FAILED for what is no date-time; SCHEDULE_INVALID for one that is past, more than
 * 365 days ahead, or that the clocks of the zone never show, and for a zone IANA does not know (docs/public-api.md
 * section 7, docs/behaviour.md#schedule).
 */
export function readSchedule(
  scheduledAt: string | null,
  timezone: string | null,
  accountTimezone: string,
  nowMs: number,
): IntakeOutcome<ScheduleTime> {
  if (timezone !== null && !isTimezone(timezone)) {
    return refuse("SCHEDULE_INVALID.timezone");
  }
  const zone = timezone ?? accountTimezone;
  if (scheduledAt === null) return accepted({ atMs: null, timezone: zone });
  const atMs = instantOf(scheduledAt, zone);
  if (atMs === "not a time") return refuseFault("/scheduled_at", phrase("fault.time"));
  if (atMs === "skipped") return refuse("SCHEDULE_INVALID.skipped", { timezone: zone });
  if (atMs <= nowMs) return refuse("SCHEDULE_INVALID.past");
  if (atMs > nowMs + FARTHEST_MS) return refuse("SCHEDULE_INVALID.far");
  return accepted({ atMs, timezone: zone });
}

function instantOf(text: string, zone: string): number | "not a time" | "skipped" {
  const time = readIsoTime(text);
  if (!time || time.isDate) return "not a time";
  const fractionMs = Math.floor(time.micros / 1000);
  if (time.offsetMs !== null) return time.wallMs - time.offsetMs + fractionMs;
  const instant = toInstant(time.wallMs, zone);
  return instant === null ? "skipped" : instant + fractionMs;
}
