/** Runs of pairs of whole numbers that are hashes, in memory: found by the first of a pair, or by both. */
import { numberIndex } from "./number-index.ts";

/** A pair of a run: the how many-th it is there, from 0. */
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
  /** How many pairs and runs were added; the runs, in that order. */
  readonly size: () => number;
  readonly runCount: () => number;
  readonly runs: () => readonly Run[];
  /** The pairs of a kind with this first number, or with both: the one that was added last comes first. */
  readonly withFirst: (kind: number, first: number) => Iterable<FoundPair<Run>>;
  readonly withBoth: (kind: number, first: number, second: number) => Iterable<FoundPair<Run>>;
  /** The places of all pairs, those beside each other whose first numbers are nearly the same; and the pair at a place. */
  readonly inOrder: () => Uint32Array;
  readonly at: (place: number) => FoundPair<Run> | null;
  /** Puts other numbers in place of a pair of a run, under which it is not found any more. */
  readonly blank: (run: Run, index: number, first: number, second: number) => void;
};

type Kept<Run> = {
  readonly run: Run;
  readonly kind: number;
  readonly pairs: Float64Array;
  /** The place of its first pair. */
  readonly from: number;
};

/** The kinds of a number stand apart, so that however many there are of one, the other is found at once. */
const firstKey = (kind: number, first: number): number => first - (first % 2) + kind;
const bothKey = (kind: number, first: number, second: number): number => (first ^ second ^ kind) >>> 0;

export function createPairIndex<Run>(): PairIndex<Run> {
  const kept: Kept<Run>[] = [];
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
      for (let key = 0; key < pairs.length; key += 2) {
        const [first, second] = [pairs[key] ?? 0, pairs[key + 1] ?? 0];
        byFirst.add(firstKey(kind, first));
        byBoth.add(bothKey(kind, first, second));
      }
    },
    size: byBoth.size,
    runCount: () => kept.length,
    runs: () => kept.map(({ run }) => run),
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
