import { randomBytes, randomInt } from "node:crypto";

/** Randomness as an argument: a seeded one makes a whole run repeatable. */
export type Chance = {
  /** `length` random bytes. Of the system's Chance they are fit for secrets. */
  readonly bytes: (length: number) => Uint8Array;
  /** A fraction from 0 (included) to 1 (excluded). */
  readonly fraction: () => number;
};

const FRACTION_STEPS = 2 ** 47;

/** The operating system's cryptographic randomness. */
export const systemChance: Chance = {
  bytes: (length) => randomBytes(length),
  fraction: () => randomInt(FRACTION_STEPS) / FRACTION_STEPS,
};

/** `value` moved by up to ±`share` of itself, evenly: `jitter(chance, 1000, 0.2)` is 800 to 1200. */
export function jitter(chance: Chance, value: number, share: number): number {
  return value * (1 - share + 2 * share * chance.fraction());
}
