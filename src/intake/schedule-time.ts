import { accepted, type Outcome, refused } from "../base/failures.ts";
import { instantOfWall, isTimezone } from "../base/zoned-time.ts";

/** How far ahead a batch may be scheduled (decisions.md section 4). */
const FARTHEST_MS = 365 * 86_400_000;

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2}|[+-]\d{2})?$/;

/** When a batch is to leave (null: now) and the zone its times are shown in. */
export type ScheduleTime = { readonly atMs: number | null; readonly timezone: string };

/**
 * Reads `scheduled_at` and `timezone`: with an offset it is that instant, without one local time in `timezone`,
 * else the account's. VALIDATION_FAILED for what is no date-time; SCHEDULE_INVALID for one that is past, more than
 * 365 days ahead, or that the clocks of the zone never show, and for a zone IANA does not know (public-api.md section 7,
 * decisions.md section 4).
 */
export function readSchedule(
  scheduledAt: string | null,
  timezone: string | null,
  accountTimezone: string,
  nowMs: number,
): Outcome<ScheduleTime> {
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
  const found = DATE_TIME.exec(text.trim());
  if (!found) return "not a time";
  const digits = (group: number) => Number(found[group] ?? 0);
  const [month, day, hour, minute, second] = [digits(2), digits(3), digits(4), digits(5), digits(6)];
  if (hour > 23 || minute > 59 || second > 59) return "not a time";
  const wallMs = Date.UTC(digits(1), month - 1, day, hour, minute, second);
  const back = new Date(wallMs);
  if (back.getUTCMonth() !== month - 1 || back.getUTCDate() !== day) return "not a time";
  const fractionMs = Number((found[7] ?? "").padEnd(3, "0").slice(0, 3));
  const offset = found[8];
  if (offset === undefined) {
    const instant = instantOfWall(wallMs, zone);
    return instant === null ? "skipped" : instant + fractionMs;
  }
  if (/^z$/i.test(offset)) return wallMs + fractionMs;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(3).replace(":", "") || 0)];
  if (hours > 23 || minutes > 59) return "not a time";
  return wallMs + fractionMs - (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
