import { accepted, refuse } from "../../core/failures.ts";
import { refuseFault } from "../../core/field-faults.ts";
import { readIsoTime } from "../../core/iso-time.ts";
import { toInstant, isTimezone } from "../../core/zoned-time.ts";
import { phrase } from "../../i18n/phrase.ts";
import type { IntakeOutcome } from "./refusals.ts";

/** How far ahead a batch may be scheduled (docs/behaviour.md#schedule). */
const FARTHEST_MS = 365 * 86_400_000;

/** When a batch is to leave (null: now) and the zone its times are shown in. */
export type ScheduleTime = { readonly atMs: number | null; readonly timezone: string };

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
