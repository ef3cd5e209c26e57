/** An in-memory index of runs of pairs of whole numbers that are hashes: found by the first of a pair, or by both. */

/** A pair of a run, with its index there, from 0. */
export type FoundPair<Run> = {
  readonly run: Run;
  readonly kind: number;
  readonly first: number;
  readonly second: number;
  readonly index: number;
};

export type PairIndex<Run> = {
  /** Adds the pairs of a run, which are of one kind, 0 or 1: the first and the second number of each, one after the other. */
  readonly add: (run: Run, kind: number, pairs: Float64Array) => void;
  /** How many pairs were added; the runs, in that order, which is no copy: it is asked with every pair that leaves. */
  readonly size: () => number;
  readonly runs: () => readonly Run[];
  /** The pairs of a kind with this first number, or with both: the one that was added last comes first. */
  readonly withFirst: (kind: number, first: number) => Iterable<FoundPair<Run>>;
  readonly withBoth: (kind: number, first: number, second: number) => Iterable<FoundPair<Run>>;
  /** The places of all pairs, sorted so that nearly equal first numbers are adjacent; and the pair at a place. */
  readonly inOrder: () => Uint32Array;
  readonly at: (place: number) => FoundPair<Run> | null;
  /** Replaces the numbers of a pair of a run, so that it is not found under the old ones any more. */
  readonly blank: (run: Run, index: number, first: number, second: number) => void;
};

type Kept<Run> = {
  readonly run: Run;
  readonly kind: number;
  readonly pairs: Float64Array;
  /** The place of its first pair. */
  readonly from: number;
};

/** The kinds are kept apart, so that however many there are of one, the other is found at once. */
const firstKey = (kind: number, first: number): number => first - (first % 2) + kind;
const bothKey = (kind: number, first: number, second: number): number => (first ^ second ^ kind) >>> 0;

export function createPairIndex<Run>(): PairIndex<Run> {
  const kept: Kept<Run>[] = [];
  const runs: Run[] = [];
  const byFirst = numberIndex();
  const byBoth = numberIndex();
  const at = (place: number): FoundPair<Run> | null => {
    let [low, high] = [0, kept.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((kept[middle]?.from ?? 0) <= place) low = middle;
      else high = middle;
    }
    const found = kept[low];
    if (!found) return null;
    const { run, kind, pairs, from } = found;
    const index = place - from;
    return {
      run,
      kind,
      index,
      first: pairs[2 * index] ?? Number.NaN,
      second: pairs[2 * index + 1] ?? Number.NaN,
    };
  };
  function* found(
    places: Iterable<number>,
    kind: number,
    first: number,
    second: number | null,
  ): Generator<FoundPair<Run>> {
    for (const place of places) {
      const pair = at(place);
      if (pair?.kind !== kind || pair.first !== first) continue;
      if (second === null || pair.second === second) yield pair;
    }
  }
  return {
    add: (run, kind, pairs) => {
      kept.push({ run, kind, pairs, from: byBoth.size() });
      runs.push(run);
      for (let key = 0; key < pairs.length; key += 2) {
        const [first, second] = [pairs[key] ?? 0, pairs[key + 1] ?? 0];
        byFirst.add(firstKey(kind, first));
        byBoth.add(bothKey(kind, first, second));
      }
    },
    size: byBoth.size,
    runs: () => runs,
    withFirst: (kind, first) => found(byFirst.under(firstKey(kind, first)), kind, first, null),
    withBoth: (kind, first, second) => found(byBoth.under(bothKey(kind, first, second)), kind, first, second),
    inOrder: byFirst.inOrder,
    at,
    blank: (run, index, first, second) => {
      const pairs = kept.find((each) => each.run === run)?.pairs;
      if (!pairs) return;
      pairs[2 * index] = first;
      pairs[2 * index + 1] = second;
    },
  };
}

// An in-memory index by number: some thirty octets an entry, and no object that garbage is collected of.

/** Entries have the numbers 0, 1, 2 … in the order in which they are added. */
type NumberIndex = {
  /** Adds the next entry under a whole number that is a hash already: its low bits choose the place. */
  readonly add: (key: number) => void;
  /** The entries that were added under a number, the last first. */
  readonly under: (key: number) => Iterable<number>;
  readonly size: () => number;
  /** All entries, sorted so that nearly equal numbers are adjacent. */
  readonly inOrder: () => Uint32Array;
};

const NONE = -1;
const LEAST = 1024;

export function numberIndex(): NumberIndex {
  let keys = new Float64Array(LEAST);
  /** The previous entry at the same place. */
  let before = new Int32Array(LEAST);
  /** The last entry at a place; there are twice as many places as there may be entries. */
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
      // The upper bits of a key and the number of its entry are one number, which sorts without a compare function.
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
