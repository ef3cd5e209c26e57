import type { Chance } from "../../../src/core/chance.ts";
import type { Clock } from "../../../src/core/clock.ts";

/** How somebody waits who repeats itself. */
export type Patience = {
  readonly clock: Clock;
  readonly chance: Chance;
  /** After so many tries it gives up. */
  readonly tries: number;
};

const FIRST_MS = 400;
const MAX_MS = 15_000;

/** Waits before the next try: as long as was asked for, else twice as long as the last time, a little more or less. */
export function pause({ clock, chance }: Patience, tries: number, askedMs: number | null): Promise<void> {
  const ownMs = Math.min(FIRST_MS * 2 ** tries, MAX_MS) * (0.5 + chance.fraction());
  return wait(clock, askedMs === null ? ownMs : Math.max(askedMs, 1) + 50 * chance.fraction());
}

/** Waits for a while. */
export function wait(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(Math.round(ms), resolve);
  });
}
