/**
 * A clock that doubts: it compares what the wall clock says with the steady clock, and while the two do not fit, its time is
 * the last that was believed plus what has passed since. Whoever reads the time reads it here, so nothing that one wrong
 * moment said is written anywhere.
 */
import type { Cancel, Clock, ClockDoubt } from "./clock.ts";
import { type Trust, trustAfter, trustAtStart } from "./clock-trust.ts";

/** What became of the clock. */
export type ClockChange =
  /** It was set by this much, or the machine slept: timers that were armed for a time of day are wrong by it. */
  | { readonly kind: "stepped"; readonly byMs: number }
  | { readonly kind: "doubted"; readonly doubt: ClockDoubt }
  /** It is believed again: at its word, or because somebody said so. */
  | { readonly kind: "believed"; readonly doubt: ClockDoubt; readonly isAccepted: boolean };

export type TrustedClock = Clock & {
  /** Compares the clock with the newest wall time that is stored, null for none. Once, before anything is started. */
  readonly begin: (newestMs: number | null) => void;
  /** Believes what the wall clock says; the doubt that this ended, null where there was none. */
  readonly accept: () => ClockDoubt | null;
  /** Tells of every change, on a turn of its own, until it is taken back. */
  readonly watch: (listener: (change: ClockChange) => void) => Cancel;
};

/**
 * Within this of the last comparison wall time is taken as it is, so that asking for the time costs what it always costs:
 * a jump that matters is longer.
 */
const UNCOMPARED_MS = 250;
/** Steps that are remembered. */
const MOST_STEPS = 50;
/** Less is no step: clocks are slewed, and the machine's uptime is told in seconds. */
const STEP_MS = 2000;

export function trustedClock(clock: Clock): TrustedClock {
  const listeners = new Set<(change: ClockChange) => void>();
  // How far the machine's uptime is ahead of the steady clock: by what it slept since.
  const apartMs = uptimeAheadMs(clock);
  let sleptMs = 0;
  const steadyMs = (): number => clock.steadyMs() + sleptMs;
  let comparedMs = clock.nowMs();
  let trust: Trust = { kind: "believed", offsetMs: comparedMs - steadyMs() };
  let sinceMs = 0;
  // What the clock showed when it was put forward, and by how much; setting it back takes the latest of it away.
  const forward: { readonly atMs: number; byMs: number }[] = [];

  const noteStep = (byMs: number, wallMs: number): void => {
    if (byMs > 0) forward.push({ atMs: wallMs - byMs, byMs });
    if (forward.length > MOST_STEPS) forward.shift();
    for (let backMs = -byMs; backMs > 0; ) {
      const last = forward.at(-1);
      if (!last) return;
      const takenMs = Math.min(backMs, last.byMs);
      last.byMs -= takenMs;
      backMs -= takenMs;
      if (last.byMs === 0) forward.pop();
    }
  };

  const tell = (change: ClockChange): void => {
    clock.soon(() => {
      for (const listener of listeners) listener(change);
    });
  };

  const doubtAt = (wallMs: number): ClockDoubt | null =>
    trust.kind === "believed"
      ? null
      : { kind: trust.kind, believedMs: Math.floor(trust.offsetMs + steadyMs()), wallMs, sinceMs };

  const turnTo = (next: Trust, wallMs: number, isAccepted: boolean): void => {
    const before = doubtAt(wallMs);
    trust = next;
    const after = doubtAt(wallMs);
    if (after !== null && after.kind !== before?.kind) {
      sinceMs = after.believedMs;
      tell({ kind: "doubted", doubt: { ...after, sinceMs } });
    }
    if (before !== null && after === null) tell({ kind: "believed", doubt: before, isAccepted });
  };

  const compare = (wallMs: number): void => {
    const byMs = wallMs - steadyMs() - trust.offsetMs;
    if (byMs > STEP_MS && apartMs !== null) {
      const asleepMs = (uptimeAheadMs(clock) ?? apartMs) - apartMs;
      if (asleepMs - sleptMs > STEP_MS) sleptMs = asleepMs;
    }
    const wasBelieved = trust.kind === "believed";
    const setMs = wallMs - steadyMs() - trust.offsetMs;
    turnTo(trustAfter(trust, { wallMs, steadyMs: steadyMs() }), wallMs, false);
    if (wasBelieved && trust.kind === "believed") {
      if (Math.abs(setMs) > STEP_MS) noteStep(setMs, wallMs);
      if (Math.abs(byMs) > STEP_MS) tell({ kind: "stepped", byMs });
    }
    comparedMs = wallMs;
  };

  /** What the wall clock says, compared. */
  const read = (): number => {
    const wallMs = clock.nowMs();
    const sinceComparedMs = wallMs - comparedMs;
    if (trust.kind !== "believed" || sinceComparedMs < 0 || sinceComparedMs >= UNCOMPARED_MS) compare(wallMs);
    return wallMs;
  };

  return {
    nowMs: () => {
      const wallMs = read();
      return trust.kind === "believed" ? wallMs : Math.floor(trust.offsetMs + steadyMs());
    },
    steadyMs,
    doubt: () => doubtAt(read()),
    putForwardMs: (beganMs) => {
      let sumMs = 0;
      for (const { atMs, byMs } of forward) if (atMs >= beganMs) sumMs += byMs;
      return sumMs;
    },
    after: clock.after,
    soon: clock.soon,
    begin: (newestMs) => {
      const wallMs = clock.nowMs();
      turnTo(trustAtStart({ wallMs, steadyMs: steadyMs() }, newestMs), wallMs, false);
    },
    accept: () => {
      const wallMs = read();
      const doubt = doubtAt(wallMs);
      if (doubt !== null) turnTo({ kind: "believed", offsetMs: wallMs - steadyMs() }, wallMs, true);
      return doubt;
    },
    watch: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function uptimeAheadMs(clock: Clock): number | null {
  return clock.uptimeMs ? clock.uptimeMs() - clock.steadyMs() : null;
}
