import type { Candidate } from "../outbound/lanes.ts";
import { PAIR_MS } from "./consequence.ts";

/** Messages that wait because their user was written to a moment ago, and when each user was. Times are of the steady clock. */
export type UserTurns = {
  /** When a user may be written to: now, or later. */
  readonly freeAtMs: (msisdn: string, nowMs: number) => number;
  /** A user is written to. */
  readonly note: (msisdn: string, nowMs: number) => void;
  /** Sets a message aside until its user may be written to. */
  readonly keep: (candidate: Candidate, untilMs: number) => void;
  /** The next message that was set aside and whose user is free; null where there is none. */
  readonly due: (nowMs: number) => Candidate | null;
  /** When the first of them is; null without any. */
  readonly nextMs: () => number | null;
  /** Whether no more can be set aside: then nothing else is taken off the queue. */
  readonly isFull: () => boolean;
  readonly clear: () => void;
};

const MOST_ASIDE = 500;
/** What leaves so far apart may arrive a little closer. */
const GAP_MS = PAIR_MS + 250;

export function userTurns(): UserTurns {
  // In the order of their times.
  const writtenAt = new Map<string, number>();
  let aside: { readonly candidate: Candidate; readonly untilMs: number }[] = [];
  const forget = (nowMs: number): void => {
    for (const [msisdn, atMs] of writtenAt) {
      if (atMs > nowMs - GAP_MS) return;
      writtenAt.delete(msisdn);
    }
  };
  return {
    freeAtMs: (msisdn, nowMs) =>
      Math.max(nowMs, (writtenAt.get(msisdn) ?? Number.NEGATIVE_INFINITY) + GAP_MS),
    note: (msisdn, nowMs) => {
      forget(nowMs);
      writtenAt.delete(msisdn);
      writtenAt.set(msisdn, nowMs);
    },
    keep: (candidate, untilMs) => {
      const at = aside.findIndex((other) => other.untilMs > untilMs);
      aside.splice(at === -1 ? aside.length : at, 0, { candidate, untilMs });
    },
    due: (nowMs) => {
      const [first] = aside;
      if (first === undefined || first.untilMs > nowMs) return null;
      aside.shift();
      return first.candidate;
    },
    nextMs: () => aside[0]?.untilMs ?? null,
    isFull: () => aside.length >= MOST_ASIDE,
    clear: () => {
      aside = [];
    },
  };
}
