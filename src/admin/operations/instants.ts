/** Instants as administrators type them for searches and reports (docs/administration.md#instants). */
import { readIsoTime } from "../../core/iso-time.ts";
import { toInstant } from "../../core/zoned-time.ts";
import { toIsoDate } from "./day-first.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, j: 86_400_000 };

/**
 * Reads an instant: ISO 8601 with an offset; a date or a date-time without one, or with the day first as people here write it, as clocks of
 * `timezone` show it; or `30m`, `2h`, `3d` (in French `3j`), which is so long before `nowMs`. Epoch milliseconds.
 */
export function readInstant(text: string, timezone: string, nowMs: number): AdminOutcome<number> {
  const ago = /^(\d{1,5})([mhdj])$/.exec(text.trim());
  if (ago) return done(nowMs - Number(ago[1]) * (UNITS[ago[2] ?? ""] ?? 0));
  const time = readIsoTime(toIsoDate(text));
  if (!time) return refuse("INVALID_TIME", { text });
  const { wallMs, offsetMs, micros } = time;
  if (offsetMs !== null) return done(wallMs - offsetMs + Math.floor(micros / 1000));
  const local = toInstant(wallMs, timezone);
  return local === null
    ? refuse("INVALID_TIME.never_shown", { timezone, text })
    : done(local + Math.floor(micros / 1000));
}

/** The same for what is to come: `2h` is two hours from `nowMs`. */
export function readFutureInstant(text: string, timezone: string, nowMs: number): AdminOutcome<number> {
  const told = readInstant(text, timezone, nowMs);
  return told.ok && /^\d+[mhdj]$/.test(text.trim()) ? done(2 * nowMs - told.value) : told;
}

/** A stretch of time; the end is not in it. Epoch milliseconds. */
export type InstantRange = { readonly fromMs: number; readonly toMs: number };

/** Reads `--from` and `--to`; without `--from` it is `usualMs` before the end, without `--to` it ends now. */
export function readInstantRange(
  { from, to }: { readonly from: string | null; readonly to: string | null },
  timezone: string,
  nowMs: number,
  usualMs: number,
): AdminOutcome<InstantRange> {
  // What is accepted in this very millisecond is in it too.
  const end = to === null ? done(nowMs + 1) : readInstant(to, timezone, nowMs);
  if (!end.ok) return end;
  const begin = from === null ? done(end.value - usualMs) : readInstant(from, timezone, nowMs);
  if (!begin.ok) return begin;
  if (begin.value <= end.value) return done({ fromMs: begin.value, toMs: end.value });
  return to === null
    ? refuse("INVALID_TIME.after_now", { from: from ?? "" })
    : refuse("INVALID_TIME.backwards", { from: from ?? "", to });
}
