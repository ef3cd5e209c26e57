/** A span of time, epoch milliseconds; the end is outside it. */
export type Span = { readonly startMs: number; readonly endMs: number };

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** What the clocks of an IANA zone show at an instant. */
function zonedTime(epochMs: number, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timezone);
}

/** An instant as ISO 8601 to the second with the zone's numeric offset: `2026-03-01T09:30:00+00:00`. */
export function isoInZone(epochMs: number, timezone: string): string {
  const instant = Temporal.Instant.fromEpochMilliseconds(epochMs);
  return instant.toString({ timeZone: timezone, smallestUnit: "second" });
}

/**
 * The instant at which the clocks of a zone show a wall time (given as if it were UTC); null when they never
 * do, because they were put forward over it. Of a wall time that comes twice, the first.
 */
export function toInstant(wallMs: number, timezone: string): number | null {
  const wall = zonedTime(wallMs, "UTC").toPlainDateTime();
  const found = wall.toZonedDateTime(timezone, { disambiguation: "earlier" });
  return found.toPlainDateTime().equals(wall) ? found.epochMilliseconds : null;
}

/** Whether a text names a time zone of the IANA database. Bare offsets such as "+01:00" are not names. */
export function isTimezone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && Boolean(new Temporal.ZonedDateTime(0n, name));
  } catch {
    return false;
  }
}

/** The calendar day of a zone that an instant lies in. */
export function toLocalDay(epochMs: number, timezone: string): Span {
  const minute = Math.floor(epochMs / MINUTE_MS);
  const known = latestDays.get(timezone);
  if (known?.minute === minute) return known.day;
  const day = daysFrom(zonedTime(epochMs, timezone).toPlainDate(), 1, timezone);
  latestDays.set(timezone, { minute, day });
  return day;
}

/** The date that the calendar of a zone shows, as in 2026-03-01. */
export function toLocalDate(epochMs: number, timezone: string): string {
  return zonedTime(epochMs, timezone).toPlainDate().toString();
}

/** The day that was asked for last in each zone: it is asked for several times with each submission. Days begin on whole minutes. */
const latestDays = new Map<string, { readonly minute: number; readonly day: Span }>();

/** The ISO week, Monday to Sunday, of a zone that an instant lies in. */
export function toIsoWeek(epochMs: number, timezone: string): Span {
  const date = zonedTime(epochMs, timezone).toPlainDate();
  return daysFrom(date.subtract({ days: date.dayOfWeek - 1 }), 7, timezone);
}

/** From the first moment of a date: not midnight where the clocks are put forward over it. */
function daysFrom(date: Temporal.PlainDate, days: number, timezone: string): Span {
  return {
    startMs: date.toZonedDateTime(timezone).epochMilliseconds,
    endMs: date.add({ days }).toZonedDateTime(timezone).epochMilliseconds,
  };
}

/** Minutes since midnight that the clocks of a zone show. */
export function minuteOfDay(epochMs: number, timezone: string): number {
  // Half the time that asking for the hour and the minute takes.
  const offsetMs = zonedTime(epochMs, timezone).offsetNanoseconds / 1e6;
  return Math.floor(((epochMs + offsetMs) % DAY_MS) / MINUTE_MS);
}
