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
 * The instant at which the clocks of a zone show a wall time (given as if it were UTC); null when they never do, because they
 * were put forward over it. Of a wall time that comes twice, the first.
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

/** The day that was asked for last in each zone: each submission asks for it several times. Days begin on whole minutes. */
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
  // This takes half the time that reading the hour and the minute does.
  const offsetMs = zonedTime(epochMs, timezone).offsetNanoseconds / 1e6;
  return Math.floor(((epochMs + offsetMs) % DAY_MS) / MINUTE_MS);
}

const SHAPE =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;

/** A parsed text in ISO 8601. */
type IsoTime = {
  /** Date and time to the whole second as written, in milliseconds since 1970-01-01T00:00:00 as written. */
  readonly wallMs: number;
  /** The fraction of the second in microseconds, finer digits cut. */
  readonly micros: number;
  /** What the writer's clock is ahead of UTC by; null when the text does not say. */
  readonly offsetMs: number | null;
  /** A date without a time; `wallMs` is its midnight. */
  readonly isDate: boolean;
};

/**
 * Parses a date or a date-time. Null for anything else, and for a day, an hour or an offset that does not exist.
 *
 * One leniency for all who write times to us. What RFC 3339 section 5.6 allows is accepted, a space or small letters included,
 * with offsets up to 23:59; and what common libraries write as ISO 8601 beside it: no seconds, a decimal comma, `+0200`, `+02`.
 * Each means one thing only. Not accepted are 24:00 and leap seconds, which mean another day or second than they say, nor weeks,
 * ordinal days and dates without hyphens, which nobody sends.
 */
export function readIsoTime(text: string): IsoTime | null {
  const found = SHAPE.exec(text.trim());
  if (!found) return null;
  const [, date, minute, second = "00", fraction = "", offset] = found;
  const written = `${date}T${minute ?? "00:00"}:${second}`;
  try {
    const wallMs = Temporal.Instant.from(`${written}Z`).epochMilliseconds;
    return {
      wallMs,
      micros: Number(fraction.padEnd(6, "0").slice(0, 6)),
      offsetMs: offset ? wallMs - Temporal.Instant.from(written + offset).epochMilliseconds : null,
      isDate: minute === undefined,
    };
  } catch {
    return null;
  }
}

// Instants as texts. Those rendered are close to each other, so the texts of a few seconds are kept.

/** Seconds whose texts are kept, each in a place of its own. */
const PLACES = 64;

const seconds = new Float64Array(PLACES).fill(Number.NaN);
const heads: string[] = Array.from({ length: PLACES }, () => "");
const THREE_DIGITS = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, "0"));

/**
 * An instant as ISO 8601 in UTC with milliseconds and `Z`, as `Date.prototype.toISOString` writes it.
 * @throws RangeError for what is no time.
 */
export function renderIso(epochMs: number): string {
  const ms = Math.trunc(epochMs);
  const second = Math.floor(ms / 1000);
  const place = Math.abs(second % PLACES);
  if (seconds[place] !== second) {
    // Without the milliseconds and the "Z".
    heads[place] = new Date(ms).toISOString().slice(0, -4);
    seconds[place] = second;
  }
  return `${heads[place]}${THREE_DIGITS[ms - second * 1000]}Z`;
}

/** Three digits of a number below 1,000. */
export function threeDigits(number: number): string {
  return THREE_DIGITS[number] ?? "";
}

/** A daily stretch in minutes after midnight: from `fromMinute` (included) to `toMinute` (excluded). */
export type Hours = { readonly fromMinute: number; readonly toMinute: number };

export const MINUTES_A_DAY = 1440;

/**
 * Reads permitted hours such as "08:00-20:00" (docs/administration.md#permitted-hours). "00:00-24:00" is always, and
 * "20:00-06:00" runs over midnight. Null for anything else, and for a stretch that ends where it starts.
 */
export function parseHours(text: string): Hours | null {
  const found = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/.exec(text);
  if (!found) return null;
  const [fromHour = 0, fromPart = 0, toHour = 0, toPart = 0] = found.slice(1).map(Number);
  const fromMinute = fromHour * 60 + fromPart;
  const toMinute = toHour * 60 + toPart;
  if (fromPart > 59 || toPart > 59 || fromMinute >= MINUTES_A_DAY || toMinute > MINUTES_A_DAY) return null;
  if (fromMinute === toMinute || toMinute === 0) return null;
  return { fromMinute, toMinute };
}

/** Renders permitted hours as `parseHours` reads them. */
export function renderHours({ fromMinute, toMinute }: Hours): string {
  return `${timeOfDay(fromMinute)}-${timeOfDay(toMinute)}`;
}

function timeOfDay(minute: number): string {
  const digits = (value: number) => String(value).padStart(2, "0");
  return `${digits(Math.floor(minute / 60))}:${digits(minute % 60)}`;
}

/** Whether a minute of the day lies inside, also when the stretch runs over midnight. */
export function isWithin(hours: Hours, minuteOfDay: number): boolean {
  const { fromMinute, toMinute } = hours;
  return fromMinute < toMinute
    ? minuteOfDay >= fromMinute && minuteOfDay < toMinute
    : minuteOfDay >= fromMinute || minuteOfDay < toMinute;
}
