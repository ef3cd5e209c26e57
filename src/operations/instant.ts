import { readIsoTime } from "../base/iso-time.ts";

const DAY_MS = 86_400_000;

/** A stretch of time that a text names: one millisecond for an instant, 24 hours for a date alone. */
export type Stretch = { readonly beginMs: number; readonly endMs: number };

/**
 * Reads an ISO 8601 date or date-time; without an offset it is UTC, as all times of the commands are
 * (docs/behaviour.md#times). Null for anything else, and for a day that no calendar has.
 */
export function parseStretch(text: string): Stretch | null {
  const time = readIsoTime(text);
  if (!time) return null;
  const beginMs = time.wallMs - (time.offsetMs ?? 0) + Math.floor(time.micros / 1000);
  return { beginMs, endMs: beginMs + (time.isDate ? DAY_MS : 1) };
}
