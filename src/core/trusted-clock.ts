/**
 * A clock that checks itself: it compares the wall clock with the steady clock, and while the two do not fit, its time is the
 * last trusted one plus what has passed since. All rooms read the time here, so a time that was wrong for a moment is written
 * nowhere.
 */
import type { Cancel, Clock, UntrustedClock } from "./clock.ts";

/** A change of the clock. */
export type ClockChange =
  /** It was set by this much, or the machine slept: timers that were armed for a time of day are wrong by it. */
  | { readonly kind: "stepped"; readonly byMs: number }
  | { readonly kind: "doubted"; readonly doubt: UntrustedClock }
  /** It is trusted again: by itself, or because an administrator accepted it. */
  | { readonly kind: "believed"; readonly doubt: UntrustedClock; readonly isAccepted: boolean };

export type TrustedClock = Clock & {
  /** Compares the clock with the newest wall time that is stored, null for none. Once, before anything is started. */
  readonly begin: (newestMs: number | null) => void;
  /** Trusts what the wall clock says; returns the doubt that this ended, null where there was none. */
  readonly accept: () => UntrustedClock | null;
  /** Distrusts as another clock over the same wall clock does, until that accepts or the wall clock is set right. */
  readonly adopt: (doubt: UntrustedClock) => void;
  /** Calls `listener` with every change, on a turn of its own, until it is cancelled. */
  readonly watch: (listener: (change: ClockChange) => void) => Cancel;
};

/**
 * Within this of the last comparison wall time is taken as it is, so that reading the time costs what it always costs: a jump
 * that matters is longer.
 */
const UNCOMPARED_MS = 250;
/** A smaller difference is no step: clocks are slewed, and the machine's uptime is given in seconds. */
const STEP_MS = 2000;

export function trustedClock(clock: Clock): TrustedClock {
  const { tell, watch } = listenersOn(clock);
  const { steadyMs, countSleep } = wakingTime(clock);
  const steps = clockSteps();
  let comparedMs = clock.nowMs();
  let trust: ClockTrust = { kind: "believed", offsetMs: comparedMs - steadyMs() };
  let sinceMs = 0;

  const doubtAt = (wallMs: number) => deriveUntrusted(trust, { wallMs, steadyMs: steadyMs() }, sinceMs);

  const turnTo = (next: ClockTrust, wallMs: number, isAccepted: boolean): void => {
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
    if (byMs > STEP_MS) countSleep(STEP_MS);
    const wasBelieved = trust.kind === "believed";
    const setMs = wallMs - steadyMs() - trust.offsetMs;
    turnTo(assessReading(trust, { wallMs, steadyMs: steadyMs() }), wallMs, false);
    if (wasBelieved && trust.kind === "believed") {
      if (Math.abs(setMs) > STEP_MS) steps.note(setMs, wallMs);
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
    putForwardMs: steps.putForwardMs,
    after: clock.after,
    soon: clock.soon,
    begin: (newestMs) => {
      const wallMs = clock.nowMs();
      turnTo(assessStart({ wallMs, steadyMs: steadyMs() }, newestMs), wallMs, false);
    },
    accept: () => {
      const wallMs = read();
      const doubt = doubtAt(wallMs);
      if (doubt !== null) turnTo({ kind: "believed", offsetMs: wallMs - steadyMs() }, wallMs, true);
      return doubt;
    },
    adopt: (doubt) => {
      const wallMs = read();
      turnTo(adoptState({ wallMs, steadyMs: steadyMs() }, doubt), wallMs, false);
    },
    watch,
  };
}

/** The listeners, each called with a change on a turn of its own. */
function listenersOn(clock: Clock): {
  readonly tell: (change: ClockChange) => void;
  readonly watch: TrustedClock["watch"];
} {
  const listeners = new Set<(change: ClockChange) => void>();
  return {
    tell: (change) =>
      clock.soon(() => {
        for (const listener of listeners) listener(change);
      }),
    watch: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The steady clock, which stands still while the machine sleeps, plus the time it slept. */
type WakingTime = {
  readonly steadyMs: () => number;
  /** Counts what the machine has slept since the last time, where it is more than `leastMs`. */
  readonly countSleep: (leastMs: number) => void;
};

function wakingTime(clock: Clock): WakingTime {
  // How far the machine's uptime is ahead of the steady clock: by what it slept before.
  const apartMs = uptimeAheadMs(clock);
  let sleptMs = 0;
  return {
    steadyMs: () => clock.steadyMs() + sleptMs,
    countSleep: (leastMs) => {
      if (apartMs === null) return;
      const asleepMs = (uptimeAheadMs(clock) ?? apartMs) - apartMs;
      if (asleepMs - sleptMs > leastMs) sleptMs = asleepMs;
    },
  };
}

function uptimeAheadMs(clock: Clock): number | null {
  return clock.uptimeMs ? clock.uptimeMs() - clock.steadyMs() : null;
}

/** By how much a wall clock was put forward, and when; setting it back removes the latest of it. */
type ClockSteps = {
  /** Notes that the clock was set by `byMs`, and shows `wallMs` since. */
  readonly note: (byMs: number, wallMs: number) => void;
  /** By how much the clock was put forward since it showed `beganMs`, in milliseconds. */
  readonly putForwardMs: (beganMs: number) => number;
};

/** Steps that are remembered. */
const MAX_STEPS = 50;

function clockSteps(): ClockSteps {
  const forward: { readonly atMs: number; byMs: number }[] = [];
  return {
    note: (byMs, wallMs) => {
      if (byMs > 0) forward.push({ atMs: wallMs - byMs, byMs });
      if (forward.length > MAX_STEPS) forward.shift();
      for (let backMs = -byMs; backMs > 0; ) {
        const last = forward.at(-1);
        if (!last) return;
        const takenMs = Math.min(backMs, last.byMs);
        last.byMs -= takenMs;
        backMs -= takenMs;
        if (last.byMs === 0) forward.pop();
      }
    },
    putForwardMs: (beganMs) =>
      forward.reduce((sumMs, { atMs, byMs }) => (atMs >= beganMs ? sumMs + byMs : sumMs), 0),
  };
}

// Whether a wall clock is to be trusted, decided from what it says and what the steady clock says (docs/behaviour.md#clock-that-jumps).
// Pure. A clock that runs ahead for a moment would otherwise end everything that has a time limit, and one that starts without a battery
// would date money in another year.

/** What both clocks say at one moment. The steady clock counts the machine's sleep. */
type ClockReading = { readonly wallMs: number; readonly steadyMs: number };

/** What is trusted: wall time is the steady clock plus `offsetMs`. */
export type ClockTrust =
  | { readonly kind: "believed"; readonly offsetMs: number }
  /** The wall clock says `claimedMs` in place of the offset, since `sinceMs` of the steady clock. */
  | {
      readonly kind: "jumped";
      readonly offsetMs: number;
      readonly claimedMs: number;
      readonly sinceMs: number;
    }
  /** The clock of the start does not fit the newest time that is stored. */
  | {
      readonly kind: "behind" | "ahead";
      readonly offsetMs: number;
      readonly newestMs: number;
      readonly sinceMs: number;
    }
  /** Another clock over the same wall clock distrusts it, as the wall clock said `claimedMs` in place of the offset. */
  | {
      readonly kind: "told";
      readonly doubts: "jumped" | "behind" | "ahead";
      readonly offsetMs: number;
      readonly claimedMs: number;
    };

/** A forward jump beyond this is not trusted; steps backwards and smaller ones are. */
export const JUMP_MS = 6 * 3_600_000;
/** A jump that has lasted this long is trusted. */
export const LASTING_MS = 10 * 60_000;
/** An untrusted clock that moves by more than this says another time, and the ten minutes begin again. */
export const SAME_TIME_MS = 60_000;
/** How far a start may be behind what is stored, and how far ahead of it. */
export const BEHIND_MS = 5 * 60_000;
export const AHEAD_MS = 400 * 86_400_000;

/** Whether the clock of a start is trusted, compared with the newest wall time that is stored, null where none is. */
export function assessStart({ wallMs, steadyMs }: ClockReading, newestMs: number | null): ClockTrust {
  if (newestMs === null) return { kind: "believed", offsetMs: wallMs - steadyMs };
  const fault = faultOfStart(wallMs, newestMs);
  return fault === null
    ? { kind: "believed", offsetMs: wallMs - steadyMs }
    : { kind: fault, offsetMs: newestMs - steadyMs, newestMs, sinceMs: steadyMs };
}

function faultOfStart(wallMs: number, newestMs: number): "behind" | "ahead" | null {
  if (wallMs < newestMs - BEHIND_MS) return "behind";
  return wallMs > newestMs + AHEAD_MS ? "ahead" : null;
}

/** The trust once both clocks were read again. */
export function assessReading(trust: ClockTrust, { wallMs, steadyMs }: ClockReading): ClockTrust {
  const offsetMs = wallMs - steadyMs;
  const believed: ClockTrust = { kind: "believed", offsetMs };
  switch (trust.kind) {
    case "believed":
      return offsetMs - trust.offsetMs > JUMP_MS
        ? { kind: "jumped", offsetMs: trust.offsetMs, claimedMs: offsetMs, sinceMs: steadyMs }
        : believed;
    case "jumped":
      if (offsetMs - trust.offsetMs <= JUMP_MS) return believed;
      if (Math.abs(offsetMs - trust.claimedMs) > SAME_TIME_MS) {
        return { ...trust, claimedMs: offsetMs, sinceMs: steadyMs };
      }
      return steadyMs - trust.sinceMs >= LASTING_MS ? believed : trust;
    case "behind":
    case "ahead": {
      const fault = faultOfStart(wallMs, trust.newestMs);
      if (fault === null) return believed;
      return fault === trust.kind ? trust : { ...trust, kind: fault };
    }
    case "told":
      // The other clock says when it ends; only a clock that is set right is noticed before that.
      if (Math.abs(offsetMs - trust.claimedMs) <= SAME_TIME_MS) return trust;
      return Math.abs(offsetMs - trust.offsetMs) <= JUMP_MS ? believed : { ...trust, claimedMs: offsetMs };
  }
}

/** The trust once another clock over the same wall clock reported its doubt. */
function adoptState(
  { wallMs, steadyMs }: ClockReading,
  { kind, believedMs, wallMs: thenMs }: UntrustedClock,
): ClockTrust {
  const offsetMs = believedMs + (wallMs - thenMs) - steadyMs;
  return { kind: "told", doubts: kind, offsetMs, claimedMs: wallMs - steadyMs };
}

/** The doubt of a trust at a moment, since `sinceMs` by the trusted time; null where it trusts the wall clock. */
function deriveUntrusted(
  trust: ClockTrust,
  { wallMs, steadyMs }: ClockReading,
  sinceMs: number,
): UntrustedClock | null {
  if (trust.kind === "believed") return null;
  const kind = trust.kind === "told" ? trust.doubts : trust.kind;
  return { kind, believedMs: Math.floor(trust.offsetMs + steadyMs), wallMs, sinceMs };
}
