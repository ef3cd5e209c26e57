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

/** Whether a minute of the day lies inside, also when the stretch runs over midnight. */
export function isWithin(hours: Hours, minuteOfDay: number): boolean {
  const { fromMinute, toMinute } = hours;
  return fromMinute < toMinute
    ? minuteOfDay >= fromMinute && minuteOfDay < toMinute
    : minuteOfDay >= fromMinute || minuteOfDay < toMinute;
}
