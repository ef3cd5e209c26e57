import type { Chance } from "../../src/base/chance.ts";

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
