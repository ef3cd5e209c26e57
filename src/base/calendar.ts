import { instantOfWall, wallMsInZone } from "./zoned-time.ts";

/** A span of time, epoch milliseconds; the end is outside it. */
export type Span = { readonly startMs: number; readonly endMs: number };

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** No zone puts its clocks forward by more. */
const LONGEST_GAP_MS = 3 * 3_600_000;

/** The day last asked for of each zone: nearly every question is about today. */
const lastDays = new Map<string, Span>();

/** The calendar day of a zone that an instant lies in. */
export function dayOf(epochMs: number, timezone: string): Span {
  const known = lastDays.get(timezone);
  if (known && epochMs >= known.startMs && epochMs < known.endMs) return known;
  const day = readDay(epochMs, timezone);
  lastDays.set(timezone, day);
  return day;
}

function readDay(epochMs: number, timezone: string): Span {
  const midnight = Math.floor(wallMsInZone(epochMs, timezone) / DAY_MS) * DAY_MS;
  return { startMs: firstInstant(midnight, timezone), endMs: firstInstant(midnight + DAY_MS, timezone) };
}

/** The ISO week, Monday to Sunday, of a zone that an instant lies in. */
export function isoWeekOf(epochMs: number, timezone: string): Span {
  const midnight = Math.floor(wallMsInZone(epochMs, timezone) / DAY_MS) * DAY_MS;
  const sinceMonday = (new Date(midnight).getUTCDay() + 6) % 7;
  const monday = midnight - sinceMonday * DAY_MS;
  return { startMs: firstInstant(monday, timezone), endMs: firstInstant(monday + 7 * DAY_MS, timezone) };
}

/** When the clocks first show a wall time, or the first moment after it when they are put forward over it. */
export function firstInstant(wallMs: number, timezone: string): number {
  for (let laterMs = 0; laterMs <= LONGEST_GAP_MS; laterMs += MINUTE_MS) {
    const instant = instantOfWall(wallMs + laterMs, timezone);
    if (instant !== null) return instant;
  }
  return wallMs;
}

/** Minutes since midnight that the clocks of a zone show. */
export function minuteOfDay(epochMs: number, timezone: string): number {
  return Math.floor((wallMsInZone(epochMs, timezone) % DAY_MS) / MINUTE_MS);
}
