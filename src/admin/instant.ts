const SHAPE =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3})\d*)?)?(Z|[+-]\d\d:?\d\d)?)?$/;

const DAY_MS = 86_400_000;

/** A stretch of time that a text names: one millisecond for an instant, 24 hours for a date alone. */
export type Stretch = { readonly beginMs: number; readonly endMs: number };

/**
 * Reads an ISO 8601 date or date-time; without an offset it is UTC, as all times of the commands are
 * (decisions.md section 2). Null for anything else, and for a day that no calendar has.
 */
export function parseStretch(text: string): Stretch | null {
  const found = SHAPE.exec(text.trim());
  if (!found) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map((digits) => Number(digits ?? 0));
  const fraction = Number((found[7] ?? "").padEnd(3, "0"));
  if (hour > 23 || minute > 59 || second > 59) return null;
  const dayMs = Date.UTC(year, month - 1, day);
  const date = new Date(dayMs);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  if (found[4] === undefined) return { beginMs: dayMs, endMs: dayMs + DAY_MS };
  const offset = offsetMinutes(found[8] ?? "Z");
  if (offset === null) return null;
  const beginMs = dayMs + ((hour * 60 + minute - offset) * 60 + second) * 1000 + fraction;
  return { beginMs, endMs: beginMs + 1 };
}

function offsetMinutes(text: string): number | null {
  if (text === "Z") return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(-2));
  if (hours > 14 || minutes > 59) return null;
  return (text.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
