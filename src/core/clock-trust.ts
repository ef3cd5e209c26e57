/**
 * Whether a wall clock is to be believed, decided from what it says and what the steady clock says
 * (docs/behaviour.md#clock-that-jumps). Pure. A clock that runs ahead for a moment would otherwise end everything that
 * has a time limit, and one that starts without a battery would date money in another year.
 */

import type { ClockDoubt } from "./clock.ts";

/** What both clocks say at one moment. The steady clock counts the machine's sleep. */
export type ClockReading = { readonly wallMs: number; readonly steadyMs: number };

/** What is believed: wall time is the steady clock plus `offsetMs`. */
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
  /** Another clock over the same wall clock doubts it, as the wall clock said `claimedMs` in place of the offset. */
  | {
      readonly kind: "told";
      readonly doubts: "jumped" | "behind" | "ahead";
      readonly offsetMs: number;
      readonly claimedMs: number;
    };

/** A forward jump beyond this is doubted; steps backwards and smaller ones are the time. */
export const JUMP_MS = 6 * 3_600_000;
/** A jump that has lasted this long is believed. */
export const LASTING_MS = 10 * 60_000;
/** A doubted clock that moves by more than this says another time, and the ten minutes begin again. */
export const SAME_TIME_MS = 60_000;
/** How far a start may be behind what is stored, and how far ahead of it. */
export const BEHIND_MS = 5 * 60_000;
export const AHEAD_MS = 400 * 86_400_000;

/** How a start stands to the newest wall time that is stored, null where none is. */
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

/** What is believed once both clocks were read again. */
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
      // Who told it says when it ends; only a clock that is set right is seen before that is heard.
      if (Math.abs(offsetMs - trust.claimedMs) <= SAME_TIME_MS) return trust;
      return Math.abs(offsetMs - trust.offsetMs) <= JUMP_MS ? believed : { ...trust, claimedMs: offsetMs };
  }
}

/** What is believed once another clock over the same wall clock said what it doubts. */
export function adoptDoubt(
  { wallMs, steadyMs }: ClockReading,
  { kind, believedMs, wallMs: thenMs }: ClockDoubt,
): ClockTrust {
  const offsetMs = believedMs + (wallMs - thenMs) - steadyMs;
  return { kind: "told", doubts: kind, offsetMs, claimedMs: wallMs - steadyMs };
}

/** What a trust doubts at a moment, since `sinceMs` by the time that is believed; null where it believes the wall clock. */
export function deriveDoubt(
  trust: ClockTrust,
  { wallMs, steadyMs }: ClockReading,
  sinceMs: number,
): ClockDoubt | null {
  if (trust.kind === "believed") return null;
  const kind = trust.kind === "told" ? trust.doubts : trust.kind;
  return { kind, believedMs: Math.floor(trust.offsetMs + steadyMs), wallMs, sinceMs };
}
