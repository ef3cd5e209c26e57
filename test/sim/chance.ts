import type { Chance } from "../../src/core/chance.ts";

const WORD = 2 ** 32;

/**
 * Repeatable randomness of a thing of its own, by its names: `forked(seed, "submit", "22670000001", 3)`. Two things with different
 * names draw independently, so that what one draws, or whether it is there at all, changes nothing for the other.
 */
export function forked(seed: number, ...names: readonly (string | number)[]): Chance {
  const next = small32(JSON.stringify([seed, ...names]));
  return {
    fraction: () => next() / WORD,
    bytes: (length) => {
      const octets = new Uint8Array(length);
      for (let at = 0, word = 0; at < length; at++, word >>>= 8) {
        if (at % 4 === 0) word = next();
        octets[at] = word & 0xff;
      }
      return octets;
    },
  };
}

/** A seed drawn from a chance, for forks of it. */
export function seedFrom(chance: Chance): number {
  return Math.floor(chance.fraction() * WORD);
}

/** Whether something of this probability happens. It draws even for 0 and 1, so that a changed habit shifts no other draw. */
export function happens(chance: Chance, probability: number): boolean {
  return chance.fraction() < probability;
}

/** A whole number from `least` to `most`, both included. */
export function between(chance: Chance, [least, most]: readonly [number, number]): number {
  return least + Math.floor(chance.fraction() * (most - least + 1));
}

/** One of several. */
export function oneOf<T>(chance: Chance, choices: readonly [T, ...T[]]): T {
  return choices[Math.floor(chance.fraction() * choices.length)] ?? choices[0];
}

/** The generator sfc32, its 128 bits of state hashed from `name`. */
function small32(name: string): () => number {
  let [a, b, c, d] = [hashed(name, 1), hashed(name, 2), hashed(name, 3), 1];
  const next = (): number => {
    const drawn = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + drawn) | 0;
    return drawn >>> 0;
  };
  for (let turn = 0; turn < 12; turn++) next();
  return next;
}

/** FNV-1a with the finish of murmur3, started differently for each `salt`. */
function hashed(name: string, salt: number): number {
  let hash = Math.imul(salt, 0x9e3779b1) ^ 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
