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

/** The dice of one throw of a series: near seeds and near numbers give throws that have nothing in common. */
export function diceOf(seed: number, name: string, index: number): Dice {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  for (let at = 0; at < name.length; at++) mixed = Math.imul(mixed ^ name.charCodeAt(at), 0x01000193);
  mixed = Math.imul(mixed ^ (index >>> 16), 0xc2b2ae35) ^ Math.imul(index, 0x27d4eb2f);
  return dice(mixed ^ (mixed >>> 15));
}
