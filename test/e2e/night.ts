/**
 * What drives the executable runs in the check and at night: the check looks at enough to trust a change, the night at every
 * combination of role, language, colour, screen and program.
 */
import { test } from "vitest";

export const IS_NIGHT = process.env.BENDRE_TIER === "nightly";

/** Those that the check looks at, which come first; all of them at night. */
export function atNightAll<T>(checked: readonly T[], others: readonly T[]): readonly T[] {
  return IS_NIGHT ? [...checked, ...others] : checked;
}

/** A test of the night alone: it takes long, and other tests hold its rule. */
export function atNight(name: string, run: () => Promise<void>): void {
  if (IS_NIGHT) test(name, run);
}
