/** Costs that no machine makes larger or smaller. */
import { FRAME_BYTES } from "../kit/log-frames.ts";
import { type Booked, rowsWritten } from "../kit/statement-book.ts";

export type Cost = {
  readonly statements: number;
  /** Rows written. */
  readonly rows: number;
  readonly commits: number;
  /** KB of the write-ahead log: pages, with their headers. */
  readonly log_kb: number;
  /** Turns of the event loop, and timers, that the appliance asked its clock for. */
  readonly turns: number;
  /** Promises made: only what is short can tell, since garbage is not counted. */
  readonly promises: number;
};

/** What some work cost, and which statements it ran. */
export type Spent = { readonly cost: Cost; readonly booked: readonly Booked[] };

export type Counted = {
  readonly booked: readonly Booked[];
  readonly frames: number;
  readonly turns: number;
  readonly promises: number;
};

export function spent({ booked, frames, turns, promises }: Counted): Spent {
  const sum = (of: (each: Booked) => number) => booked.reduce((total, each) => total + of(each), 0);
  const cost: Cost = {
    statements: sum(({ runs }) => runs),
    rows: sum(rowsWritten),
    commits: sum(({ sql, runs }) => (sql === "COMMIT" ? runs : 0)),
    log_kb: (frames * FRAME_BYTES) / 1000,
    turns,
    promises,
  };
  // What is booked goes on being counted.
  return { cost, booked: booked.map((each) => ({ ...each })) };
}

const KEYS = ["statements", "rows", "commits", "log_kb", "turns", "promises"] as const;

/** A cost of each figure of two. */
export function withEach(one: Cost, other: Cost, work: (one: number, other: number) => number): Cost {
  const pairs = KEYS.map((key) => [key, work(one[key], other[key])] as const);
  return Object.fromEntries(pairs) as Cost;
}

/** Of `count` the same: what each cost. */
export function shared(cost: Cost, count: number): Cost {
  return withEach(cost, cost, (value) => value / count);
}
