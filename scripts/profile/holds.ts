/** The longest holds of the event loop, each with what the store and the garbage collector did in it. */
import { fstatSync } from "node:fs";
import type { Booked } from "../../test/kit/statement-book.ts";
import { type Hold, watchHolds } from "../loop-holds/watch.ts";

/** `log`: where in the log the hold began and ended, in octets. Times in milliseconds. */
export type SeenHold = Hold & {
  readonly log: readonly [number, number];
  readonly commitMs: number;
  readonly checkpointMs: number;
  /** In every other statement. */
  readonly statementMs: number;
};

export type HoldsWatch = { readonly longest: () => readonly SeenHold[]; readonly reset: () => void };

const KEPT = 8;
/** Of the log, which the garbage collector writes to. */
const STDERR = 2;

export function watchLongest(booked: () => readonly Booked[]): HoldsWatch {
  let longest: SeenHold[] = [];
  let before = marks(booked());
  watchHolds({
    everyMs: 1,
    shortestMs: 2,
    looked: () => {
      before = marks(booked());
    },
    told: (hold) => {
      if (hold.ownMs <= (longest[KEPT - 1]?.ownMs ?? 0)) return;
      const after = marks(booked());
      const seen: SeenHold = {
        ...hold,
        log: [before.log, after.log],
        commitMs: after.commitMs - before.commitMs,
        checkpointMs: after.checkpointMs - before.checkpointMs,
        statementMs: after.statementMs - before.statementMs,
      };
      longest = [...longest, seen].toSorted((a, b) => b.ownMs - a.ownMs).slice(0, KEPT);
    },
  });
  return {
    longest: () => [...longest],
    reset: () => {
      longest = [];
    },
  };
}

/** How far everything has come by now. */
function marks(statements: readonly Booked[]) {
  const came = { log: fstatSync(STDERR).size, commitMs: 0, checkpointMs: 0, statementMs: 0 };
  for (const { sql, nanoseconds } of statements) {
    if (sql === "COMMIT") came.commitMs += nanoseconds / 1e6;
    else if (sql.includes("wal_checkpoint")) came.checkpointMs += nanoseconds / 1e6;
    else came.statementMs += nanoseconds / 1e6;
  }
  return came;
}
