import type { Clock } from "../base/clock.ts";
import { trustedClock } from "../base/trusted-clock.ts";

/** A clock that doubts by itself, and is told how the appliance's clock doubts: so both show one time. */
export type ToldClock = Clock & {
  /** By how much the appliance's time is ahead of the wall clock, milliseconds. */
  readonly set: (aheadMs: number) => void;
};

/** By how much a clock that doubts is ahead of the wall clock, milliseconds; 0 while it believes it. */
export function aheadOf(clock: Pick<Clock, "doubt">): number {
  const doubt = clock.doubt();
  return doubt === null ? 0 : doubt.believedMs - doubt.wallMs;
}

export function toldClock(clock: Clock, toldMs: number): ToldClock {
  const own = trustedClock(clock);
  let correctionMs = toldMs;
  return {
    ...own,
    nowMs: () => own.nowMs() + correctionMs,
    set: (aheadMs) => {
      correctionMs = aheadMs - aheadOf(own);
    },
  };
}
