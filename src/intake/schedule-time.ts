import { accepted, refused } from "../base/failures.ts";
import { readIsoTime } from "../base/iso-time.ts";
import { instantOfWall, isTimezone } from "../base/zoned-time.ts";
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
    return refused("SCHEDULE_INVALID", "timezone is not an IANA time zone identifier");
  }
  const zone = timezone ?? accountTimezone;
  if (scheduledAt === null) return accepted({ atMs: null, timezone: zone });
  const atMs = instantOf(scheduledAt, zone);
  if (atMs === "not a time") {
    const message = "must be an ISO 8601 date-time";
    return refused("VALIDATION_FAILED", `scheduled_at ${message}`, [{ path: "/scheduled_at", message }]);
  }
  if (atMs === "skipped") {
    return refused(
      "SCHEDULE_INVALID",
      `scheduled_at does not exist in ${zone}: clocks are put forward over it`,
    );
  }
  if (atMs <= nowMs) return refused("SCHEDULE_INVALID", "scheduled_at must be in the future");
  if (atMs > nowMs + FARTHEST_MS) {
    return refused("SCHEDULE_INVALID", "scheduled_at must be at most 365 days ahead");
  }
  return accepted({ atMs, timezone: zone });
}

function instantOf(text: string, zone: string): number | "not a time" | "skipped" {
  const time = readIsoTime(text);
  if (!time || time.isDate) return "not a time";
  const fractionMs = Math.floor(time.micros / 1000);
  if (time.offsetMs !== null) return time.wallMs - time.offsetMs + fractionMs;
  const instant = instantOfWall(time.wallMs, zone);
  return instant === null ? "skipped" : instant + fractionMs;
}
