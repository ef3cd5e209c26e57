/**
 * What every room may need and no room owns: clock, chance, ids, money, log, loops, yielding, readiness. No word of the domain
 * stands here, and only the phrases of i18n are imported.
 *
 * Begin with this file. Time is an argument everywhere: code that asks for the time or waits for it takes a `Clock`, so that a
 * test decides what time it is. Only this file reads the machine's clock, and only `chance.ts` draws at random. `log.ts` says
 * what a line of the log may carry, `refusals.ts` how a refusal is answered, `loop.ts` and `concurrency.ts` how work leaves room
 * for others.
 */
import { uptime } from "node:os";
import { renderIso } from "./calendar.ts";

/** Cancels a scheduled callback; calling it late or twice is harmless. */
export type Cancel = () => void;

/**
 * Time as an argument. Everything that asks for the time or waits for it takes a Clock, so that a test or a simulation decides
 * what time it is. Only this file reads the machine's clock.
 */
export type Clock = {
  /** Wall time, milliseconds since the Unix epoch. May step backwards. */
  readonly nowMs: () => number;
  /** Milliseconds that never step backwards, with fractions; only differences mean anything. */
  readonly steadyMs: () => number;
  /** Why wall time is not trusted at this moment, or null. While it is not, what time alone would start or end waits. */
  readonly doubt: () => UntrustedClock | null;
  /** The machine's uptime, its sleep counted in, in milliseconds to about a second. Absent where the steady clock counts sleep itself. */
  readonly uptimeMs?: () => number;
  /** How far the clock was put forward since it showed `sinceMs`, as far as that is known: so much less time has passed. */
  readonly putForwardMs?: (sinceMs: number) => number;
  /** Calls back once, no sooner than `delayMs` from now. */
  readonly after: (delayMs: number, callback: () => void) => Cancel;
  /** Calls back on the next turn of the event loop, after pending input was read. */
  readonly soon: (callback: () => void) => void;
};

/** An untrusted wall clock (docs/behaviour.md#clock-that-jumps). */
export type UntrustedClock = {
  /** It jumped forward while the appliance ran; or when it started, the clock was before what is stored, or long after it. */
  readonly kind: "jumped" | "behind" | "ahead";
  /** The time that rows are dated by meanwhile. */
  readonly believedMs: number;
  /** What the wall clock says. */
  readonly wallMs: number;
  /** Since when it is untrusted, by the time that is trusted. */
  readonly sinceMs: number;
};

/** Whether the clock is untrusted since the start: then nothing is sent at all. */
export function isStartDoubted(clock: Clock): boolean {
  const doubt = clock.doubt();
  return doubt !== null && doubt.kind !== "jumped";
}

/** What a time limit is measured with. */
export type LimitClock = Pick<Clock, "nowMs" | "doubt" | "putForwardMs">;

/** When what began at `sinceMs` ends, if it was to last until `untilMs`: a clock that was put forward since ends nothing sooner. */
export function deriveEnd(clock: LimitClock, sinceMs: number, untilMs: number): number {
  return untilMs + (clock.putForwardMs?.(sinceMs) ?? 0);
}

/** Whether a time limit is over that began at `sinceMs` and was to last until `untilMs`: none is while the clock is untrusted. */
export function isOver(clock: LimitClock, sinceMs: number, untilMs: number): boolean {
  const nowMs = clock.nowMs();
  return untilMs <= nowMs && deriveEnd(clock, sinceMs, untilMs) <= nowMs && clock.doubt() === null;
}

/** The longest delay a timer of the runtime keeps; a longer one would fire at once. */
const MAX_DELAY_MS = 2_147_483_647;

/** The machine's clock. Its timers keep the process alive, as a server's timers should. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  steadyMs: () => performance.now(),
  doubt: () => null,
  // CLOCK_BOOTTIME on Linux, as sysinfo(2) tells it.
  uptimeMs: () => uptime() * 1000,
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, Math.min(Math.max(0, delayMs), MAX_DELAY_MS));
    return () => clearTimeout(timer);
  },
  soon: (callback) => {
    setImmediate(callback);
  },
};

/** Resolves once `delayMs` have passed on `clock`. */
export function wait(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(delayMs, resolve);
  });
}

/** An instant as ISO 8601 in UTC with milliseconds and `Z` (docs/behaviour.md#times). */
export function isoUtc(epochMs: number): string {
  return renderIso(epochMs);
}

/** The same for an instant that may be unknown. */
export function isoOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : isoUtc(epochMs);
}
