/** Numbers that things are found by, in memory: some thirty octets each, and no object that garbage is collected of. */

/** Things have the numbers 0, 1, 2 … in the order in which they are added. */
export type NumberIndex = {
  /** Adds the next thing under a whole number that is a hash already: its low bits choose the place. */
  readonly add: (key: number) => void;
  /** The things that were added under a number, the last first. */
  readonly under: (key: number) => Iterable<number>;
  readonly size: () => number;
  /** All things, those beside each other whose numbers are nearly the same. */
  readonly inOrder: () => Uint32Array;
};

const NONE = -1;
const LEAST = 1024;

export function numberIndex(): NumberIndex {
  let keys = new Float64Array(LEAST);
  /** The one before it that stands in the same place. */
  let before = new Int32Array(LEAST);
  /** The last that stands at a place; there are twice as many as there may be things. */
  let last = new Int32Array(2 * LEAST).fill(NONE);
  let size = 0;
  const placeOf = (key: number): number => key & (last.length - 1);
  const link = (thing: number): void => {
    const place = placeOf(keys[thing] ?? 0);
    before[thing] = last[place] ?? NONE;
    last[place] = thing;
  };
  const grow = (): void => {
    const known = keys;
    keys = new Float64Array(2 * size);
    keys.set(known);
    before = new Int32Array(2 * size);
    last = new Int32Array(4 * size).fill(NONE);
    for (let thing = 0; thing < size; thing++) link(thing);
  };
  return {
    add: (key) => {
      if (size === keys.length) grow();
      keys[size] = key;
      link(size);
      size += 1;
    },
    *under(key) {
      for (let thing = last[placeOf(key)] ?? NONE; thing !== NONE; thing = before[thing] ?? NONE)
        if (keys[thing] === key) yield thing;
    },
    size: () => size,
    inOrder: () => {
      // The upper bits of a key and the number of its thing are one number, which sorts without a function that compares.
      const place = 2 ** Math.ceil(Math.log2(size + 1));
      const sorted = keys.slice(0, size);
      for (let thing = 0; thing < size; thing++) {
        const key = sorted[thing] ?? 0;
        sorted[thing] = key - (key % place) + thing;
      }
      sorted.sort();
      const order = new Uint32Array(size);
      for (let at = 0; at < size; at++) order[at] = (sorted[at] ?? 0) % place;
      return order;
    },
  };
}
