/** Chance, the one place that draws at random: tests and simulations bring their own. */
import { randomBytes } from "node:crypto";

/** Randomness as an argument: a seeded one makes a whole run repeatable. */
export type Chance = {
  /** `length` random bytes. Those of the system's Chance are fit for secrets. */
  readonly bytes: (length: number) => Uint8Array;
  /** A fraction from 0 (included) to 1 (excluded). */
  readonly fraction: () => number;
};

/** Octets drawn at once for fractions, and how many of them make one. */
const POOL_OCTETS = 6144;
const FRACTION_OCTETS = 6;
const FRACTION_STEPS = 2 ** (8 * FRACTION_OCTETS);

/** The operating system's cryptographic randomness. Fractions are cut from a pool, since ids need many. */
function chanceOfTheSystem(): Chance {
  let pool = randomBytes(POOL_OCTETS);
  let at = 0;
  return {
    bytes: (length) => randomBytes(length),
    fraction: () => {
      if (at + FRACTION_OCTETS > pool.length) {
        pool = randomBytes(POOL_OCTETS);
        at = 0;
      }
      const drawn = pool.readUIntBE(at, FRACTION_OCTETS);
      at += FRACTION_OCTETS;
      return drawn / FRACTION_STEPS;
    },
  };
}

export const systemChance: Chance = chanceOfTheSystem();

/** `value` moved by up to ±`share` of itself, evenly: `jitter(chance, 1000, 0.2)` is 800 to 1200. */
export function jitter(chance: Chance, value: number, share: number): number {
  return value * (1 - share + 2 * share * chance.fraction());
}

/** Repeatable randomness from a seed (mulberry32). Not for secrets. */
export function seededChance(seed: number): Chance {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    fraction,
    bytes: (length) => Uint8Array.from({ length }, () => Math.floor(fraction() * 256)),
  };
}
