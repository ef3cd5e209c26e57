import type { Clock, ClockDoubt } from "../core/clock.ts";
import { SAME_TIME_MS } from "../core/clock-trust.ts";
import { trustedClock } from "../core/trusted-clock.ts";

/** What the appliance thinks of the wall clock, and what that said then. */
export type ClockSample = { readonly wallMs: number; readonly doubt: ClockDoubt | null };

/** A clock that doubts by itself, and is told how the appliance's clock doubts: so both show one time. */
export type MirroredClock = Clock & { readonly set: (told: ClockSample) => void };

/** What is told of a clock that doubts. */
export function sampleClock(clock: Clock): ClockSample {
  const doubt = clock.doubt();
  return { wallMs: doubt?.wallMs ?? clock.nowMs(), doubt };
}

export function createMirroredClock(clock: Clock, begin: ClockSample): MirroredClock {
  const own = trustedClock(clock);
  const set = ({ wallMs, doubt }: ClockSample): void => {
    // The clock was set since that was said: what is thought of it now is told as soon as it is seen there.
    if (Math.abs(clock.nowMs() - wallMs) > SAME_TIME_MS) return;
    if (doubt === null) own.accept();
    else own.doubtAs(doubt);
  };
  set(begin);
  return { ...own, set };
}
