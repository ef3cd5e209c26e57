/**
 * A log for what may come a thousand times a second: a disk that stays full, an operator that refuses everything. Of each
 * kind there is a line when it starts, and then at most one a minute that says how many came meanwhile.
 */
import type { Cancel, Clock } from "./clock.ts";
import type { Log, LogFields, LogLevel } from "./log.ts";

export type RateLimitedLog = {
  /**
   * One more of a kind. The first is a line at once; those of the next minute are counted and told together at its end,
   * with the words and fields of the last of them. A minute without any ends the kind: the next one is a first again.
   * Lines carry `times`, and after the first `seconds`: so many came in so many seconds since the line before.
   */
  readonly note: (level: LogLevel, kind: string, message: string, fields?: LogFields) => void;
  /** Tells what was counted and not told yet, and lets go of every timer. What is noted later is a line each. */
  readonly close: () => void;
};

const EVERY_MS = 60_000;
/** Kinds told apart at a time: what a peer may vary must not fill the memory. The others share one. */
const MAX_KINDS = 100;
const OTHERS = "others";

type Gathering = {
  level: LogLevel;
  message: string;
  fields: LogFields;
  /** Since the last line. */
  times: number;
  toldAtMs: number;
  cancel: Cancel;
};

/** Gathers for one log. Its timers run on the clock until it is closed. */
export function rateLimitedLog(log: Log, clock: Clock): RateLimitedLog {
  const kinds = new Map<string, Gathering>();
  let closed = false;

  const tell = (of: Gathering): void => {
    const seconds = Math.round((clock.steadyMs() - of.toldAtMs) / 1000);
    log[of.level](of.message, { ...of.fields, times: of.times, seconds });
    of.times = 0;
    of.toldAtMs = clock.steadyMs();
  };

  const look = (kind: string, of: Gathering): void => {
    if (of.times === 0) {
      kinds.delete(kind);
      return;
    }
    tell(of);
    of.cancel = clock.after(EVERY_MS, () => look(kind, of));
  };

  return {
    note: (level, named, message, fields = {}) => {
      if (closed) {
        log[level](message, { ...fields, times: 1 });
        return;
      }
      const kind = kinds.has(named) || kinds.size < MAX_KINDS ? named : OTHERS;
      const known = kinds.get(kind);
      if (known) {
        Object.assign(known, { level, message, fields, times: known.times + 1 });
        return;
      }
      log[level](message, { ...fields, times: 1 });
      const begun = { level, message, fields, times: 0, toldAtMs: clock.steadyMs(), cancel: () => {} };
      kinds.set(kind, begun);
      begun.cancel = clock.after(EVERY_MS, () => look(kind, begun));
    },
    close: () => {
      closed = true;
      for (const of of kinds.values()) {
        of.cancel();
        if (of.times > 0) tell(of);
      }
      kinds.clear();
    },
  };
}
