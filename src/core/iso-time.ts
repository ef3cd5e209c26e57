const SHAPE =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;

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
