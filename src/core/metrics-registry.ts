/**
 * What a process counts and measures since its start, by name: code that learns of an event counts it here, and code that shows
 * figures reads them here. Counting is an addition to a number that was looked up by its labels, and allocates nothing after the
 * first time.
 */

/** A number that only rises. */
export type Counter = { value: number };

/** The counters of one name by the values of up to three labels. One exists from when it is first asked for. */
type Counters = {
  readonly of: (first?: string, second?: string, third?: string) => Counter;
  /** Every counter with the values of all three labels, "" where there is none. */
  readonly all: () => readonly { readonly labels: readonly string[]; readonly value: number }[];
};

/** How many values were no larger than each of some bounds. */
export type Histogram = {
  readonly observe: (value: number) => void;
  /** By bound, each value counted in the first that holds it; the last number is of those above all bounds. */
  readonly counts: Readonly<Float64Array>;
  readonly sum: () => number;
};

/** The histograms of one name by the value of a label. */
export type Histograms = {
  readonly bounds: readonly number[];
  readonly of: (label?: string) => Histogram;
  readonly all: () => readonly { readonly label: string; readonly histogram: Histogram }[];
};

export type MetricsRegistry = {
  /** The counters of a name, the same ones each time. */
  readonly counters: (name: string) => Counters;
  /** The histograms of a name; its bounds are those of the first call. */
  readonly histograms: (name: string, bounds: readonly number[]) => Histograms;
};

/** Seconds, from a millisecond to ten: what a machine does. */
export const SHORT_SECONDS = [
  ...[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05],
  ...[0.1, 0.25, 0.5, 1, 2.5, 5, 10],
];

/** Seconds, from one to three days: what subscribers and their telephones do. */
export const LONG_SECONDS = [1, 2, 5, 10, 30, 60, 300, 900, 3600, 14_400, 43_200, 86_400, 259_200];

/** A registry that has counted nothing yet. */
export function createMetricsRegistry(): MetricsRegistry {
  const counted = new Map<string, Counters>();
  const measured = new Map<string, Histograms>();
  return {
    counters: (name) => found(counted, name, newCounters),
    histograms: (name, bounds) => {
      const known = measured.get(name);
      if (known) return known;
      const made = newHistograms(bounds);
      measured.set(name, made);
      return made;
    },
  };
}

type Level<T> = Map<string, T>;

function newCounters(): Counters {
  const root: Level<Level<Level<Counter>>> = new Map();
  return {
    of: (first = "", second = "", third = "") =>
      found(
        found(found(root, first, newLevel<Level<Counter>>), second, newLevel<Counter>),
        third,
        newCounter,
      ),
    all: () =>
      [...root].flatMap(([first, seconds]) =>
        [...seconds].flatMap(([second, thirds]) =>
          [...thirds].map(([third, { value }]) => ({ labels: [first, second, third], value })),
        ),
      ),
  };
}

function newLevel<T>(): Level<T> {
  return new Map();
}

function newCounter(): Counter {
  return { value: 0 };
}

/** The value under a name, made where there is none. */
function found<T>(level: Level<T>, name: string, make: () => T): T {
  const known = level.get(name);
  if (known !== undefined) return known;
  const made = make();
  level.set(name, made);
  return made;
}

function newHistograms(bounds: readonly number[]): Histograms {
  const byLabel: Level<Histogram> = new Map();
  const make = () => newHistogram(bounds);
  return {
    bounds,
    of: (label = "") => found(byLabel, label, make),
    all: () => [...byLabel].map(([label, histogram]) => ({ label, histogram })),
  };
}

function newHistogram(bounds: readonly number[]): Histogram {
  const counts = new Float64Array(bounds.length + 1);
  let sum = 0;
  return {
    observe: (value) => {
      let place = 0;
      while (place < bounds.length && value > (bounds[place] ?? 0)) place += 1;
      counts[place] = (counts[place] ?? 0) + 1;
      sum += value;
    },
    counts,
    sum: () => sum,
  };
}

/** Requests that a limit refused, by limit. Limits of API keys are not among them: their requests are counted by the status 429. */
export const LIMITED = "bendre_limited_total";

/** What was limited. */
export const LIMITS = [
  "sign-ins of a network",
  "sign-ins of a login",
  "second factors of a user",
  "passwords at once",
  "console requests of a user",
  "console requests of an account",
  "console transfers of a user",
  "console transfers of an account",
  "console files at once",
  "webhook tests",
  "people asked for",
  "rejected recipients",
  "wrong passwords at a door",
] as const;
export type Limit = (typeof LIMITS)[number];

/** Counts a request that a limit refused. */
export function countLimited(tally: Pick<MetricsRegistry, "counters">, limit: Limit): void {
  tally.counters(LIMITED).of(limit).value += 1;
}
