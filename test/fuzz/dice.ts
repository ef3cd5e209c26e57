import { seededChance } from "../kit/test-chance.ts";

/** Repeatable throws from a seed. */
export type Dice = {
  /** A whole number from 0 to below the limit. */
  readonly below: (limit: number) => number;
  readonly pick: <T>(items: readonly T[]) => T;
  /** A text of ASCII without NUL, shorter than `longest`. */
  readonly ascii: (longest: number) => string;
  readonly bytes: (length: number) => Uint8Array;
};

export function dice(seed: number): Dice {
  const chance = seededChance(seed);
  const below = (limit: number) => Math.floor(chance.fraction() * limit);
  return {
    below,
    pick: <T>(items: readonly T[]): T => items[below(items.length)] as T,
    ascii: (longest) =>
      Array.from({ length: below(longest) }, () => String.fromCharCode(1 + below(127))).join(""),
    bytes: chance.bytes,
  };
}
