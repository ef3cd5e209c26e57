const SHAPE =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;

/** What a text in ISO 8601 says. */
export type IsoTime = {
  /** Date and time to the whole second as they are written, in milliseconds since 1970-01-01T00:00:00 as written. */
  readonly wallMs: number;
  /** The fraction of the second in microseconds, finer digits cut. */
  readonly micros: number;
  /** What the writer's clock is ahead of UTC by; null when it is not said. */
  readonly offsetMs: number | null;
  /** A date without a time; `wallMs` is its midnight. */
  readonly isDate: boolean;
};

/**
 * Reads a date or a date-time. Null for anything else, and for a day, an hour or an offset that does not exist.
 *
 * One leniency for all who write times to us. What RFC 3339 section 5.6 has is taken, a space or small letters
 * included, with offsets up to 23:59; and what common libraries write as ISO 8601 beside it: no seconds, a decimal comma,
 * `+0200`, `+02`. Each means one thing only. Not taken are 24:00 and leap seconds, which mean another day or second
 * than they say, nor weeks, ordinal days and dates without hyphens, which nobody sends.
 */
export function readIsoTime(text: string): IsoTime | null {
  const found = SHAPE.exec(text.trim());
  if (!found) return null;
  const part = (group: number): number => Number(found[group] ?? 0);
  const [month, day, hour, minute, second] = [part(2), part(3), part(4), part(5), part(6)];
  if (hour > 23 || minute > 59 || second > 59) return null;
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  const date = new Date(new Date(0).setUTCFullYear(part(1), month - 1, day));
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const offset = found[8];
  const offsetMs = offset === undefined ? null : offsetToMs(offset);
  if (offset !== undefined && offsetMs === null) return null;
  return {
    wallMs: date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000,
    micros: Number((found[7] ?? "").padEnd(6, "0").slice(0, 6)),
    offsetMs,
    isDate: found[4] === undefined,
  };
}

function offsetToMs(offset: string): number | null {
  if (offset === "Z" || offset === "z") return 0;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(3).replace(":", ""))];
  if (hours > 23 || minutes > 59) return null;
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
