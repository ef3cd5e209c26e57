/** Takes a scheduled callback back; calling it late or twice is harmless. */
export type Cancel = () => void;

/**
 * Time as an argument. Everything that asks for the time or waits for it takes a Clock, so that a test or a
 * simulation decides what time it is. Only this file reads the machine's clock.
 */
export type Clock = {
  /** Wall time, milliseconds since the Unix epoch. May step backwards. */
  readonly nowMs: () => number;
  /** Milliseconds that never step backwards, with fractions; only differences mean anything. */
  readonly steadyMs: () => number;
  /** Calls back once, no sooner than `delayMs` from now. */
  readonly after: (delayMs: number, callback: () => void) => Cancel;
  /** Calls back on the next turn of the event loop, after pending input was read. */
  readonly soon: (callback: () => void) => void;
};

/** The longest delay a timer of the runtime keeps; a longer one would fire at once. */
const LONGEST_DELAY_MS = 2_147_483_647;

/** The machine's clock. Its timers keep the process alive, as a server's timers should. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  steadyMs: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, Math.min(Math.max(0, delayMs), LONGEST_DELAY_MS));
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

/** An instant as ISO 8601 in UTC with milliseconds and `Z` (decisions.md section 2). */
export function isoUtc(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
