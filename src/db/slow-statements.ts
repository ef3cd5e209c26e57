/** Tells of statements that take long, for the log of steps. */
import type { Clock } from "../core/clock.ts";
import type { TraceLog } from "../core/steps.ts";
import type { Statements } from "./read.ts";

/** Who looks, and how long a statement may take that is not worth a line. */
export type StoreTrace = { readonly steps: TraceLog; readonly slowMs: number };

/** SQL holds no values, which are bound; a long one is told by its beginning. */
const MAX_CHARACTERS = 300;

/**
 * The same statements, of which each that takes `slowMs` or more is told with its text and none of its values. Rows that are
 * read one at a time are not timed: their reader takes its time in between.
 */
export function traceSlow(
  statements: Statements,
  connection: "reader" | "writer",
  clock: Clock,
  { steps, slowMs }: StoreTrace,
): Statements {
  return (sql, given) => {
    const statement = statements(sql, given);
    const timed = <T>(work: () => T): T => {
      const beganMs = clock.steadyMs();
      try {
        return work();
      } finally {
        const ms = clock.steadyMs() - beganMs;
        if (ms >= slowMs) {
          const text = sql.replace(/\s+/g, " ").trim().slice(0, MAX_CHARACTERS);
          steps.tell("store", "slow statement", { statement: text, ms: Math.round(ms), connection });
        }
      }
    };
    return {
      get: (...params) => timed(() => statement.get(...params)),
      all: (...params) => timed(() => statement.all(...params)),
      run: (...params) => timed(() => statement.run(...params)),
      iterate: (...params) => statement.iterate(...params),
    };
  };
}
