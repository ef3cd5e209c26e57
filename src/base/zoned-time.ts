/** More than the zones there are; names are read without case, and clients choose how they write them. */
const MOST_FORMATS = 1000;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timezone: string): Intl.DateTimeFormat {
  let format = formats.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: timezone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    if (formats.size >= MOST_FORMATS) formats.clear();
    formats.set(timezone, format);
  }
  return format;
}

/** The wall clock of an IANA zone at an instant, read as if it were UTC: epoch milliseconds of whole seconds. */
export function wallMsInZone(epochMs: number, timezone: string): number {
  const wholeSeconds = Math.floor(epochMs / 1000) * 1000;
  return wholeSeconds + offsetMsInZone(wholeSeconds, timezone);
}

function readWallMs(epochMs: number, timezone: string): number {
  const fields: Record<string, number> = {};
  for (const { type, value } of formatOf(timezone).formatToParts(epochMs)) fields[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = fields;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Clocks are put forward and back on a quarter of an hour, so an offset holds for all of one. */
const QUARTER_MS = 900_000;
const MOST_REMEMBERED = 10_000;
const offsets = new Map<string, number>();

/** How far the zone is ahead of UTC at an instant, in milliseconds. */
export function offsetMsInZone(epochMs: number, timezone: string): number {
  const quarter = Math.floor(epochMs / QUARTER_MS);
  const key = `${timezone} ${quarter}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    offset = readWallMs(quarter * QUARTER_MS, timezone) - quarter * QUARTER_MS;
    if (offsets.size >= MOST_REMEMBERED) offsets.clear();
    offsets.set(key, offset);
  }
  return offset;
}

/** An instant as ISO 8601 to the second with the zone's numeric offset: `2026-03-01T09:30:00+00:00`. */
export function isoInZone(epochMs: number, timezone: string): string {
  const offsetMinutes = Math.round(offsetMsInZone(epochMs, timezone) / 60_000);
  const wall = new Date(epochMs + offsetMinutes * 60_000).toISOString().slice(0, 19);
  const sign = offsetMinutes < 0 ? "-" : "+";
  const hours = String(Math.floor(Math.abs(offsetMinutes) / 60)).padStart(2, "0");
  const minutes = String(Math.abs(offsetMinutes) % 60).padStart(2, "0");
  return `${wall}${sign}${hours}:${minutes}`;
}

/**
 * The instant at which the clocks of a zone show a wall time (given as if it were UTC); null when they never
 * do, because they were put forward over it. Of a wall time that comes twice, the first.
 */
export function instantOfWall(wallMs: number, timezone: string): number | null {
  const DAY_MS = 86_400_000;
  const offsets = [offsetMsInZone(wallMs - DAY_MS, timezone), offsetMsInZone(wallMs + DAY_MS, timezone)];
  const instants = offsets
    .map((offsetMs) => wallMs - offsetMs)
    .filter((instant) => instant + offsetMsInZone(instant, timezone) === wallMs);
  return instants.length === 0 ? null : Math.min(...instants);
}

/** Whether a text names a time zone of the IANA database. Bare offsets such as "+01:00" are not names. */
export function isTimezone(name: string): boolean {
  if (name.length > 64 || !/^[A-Za-z]/.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}
