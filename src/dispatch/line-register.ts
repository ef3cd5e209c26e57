/**
 * The lines of every channel by their operators' codes, those of the rest that were asked for, and those whose operator left and that
 * still wait for answers.
 */

import { errorFields, type Log } from "../core/log.ts";
import type { Line, LineTools, Rest } from "./line.ts";
import { ownedWork } from "./owned-work.ts";

export type LineRegister = Pick<LineTools, "opened" | "closed"> & {
  /** Those of the channels. */
  readonly lines: ReadonlyMap<string, Line>;
  /** The line of a code, a channel's or one of the rest; null for none. */
  readonly of: (code: string) => Line | null;
  readonly has: (code: string) => boolean;
  /** The account, its senders or one of its batches changed: every line asks again. */
  readonly accountChanged: (accountId: number) => void;
  /** Who has a line for codes that no channel has one for. */
  readonly addRest: (rest: Rest) => void;
  /** Those that there are from the start. */
  readonly add: (lines: ReadonlyMap<string, Line>) => void;
  /** Claims nothing from this moment on; none is opened any more. */
  readonly halt: () => void;
  /** Ends all, as `Line.stop` does, those that leave too. */
  readonly stop: Line["stop"];
};

/** `onChanged`: what waits may have a line that it had not, or none any more. */
export function lineRegister(onChanged: () => void, log: Log): LineRegister {
  const { own } = ownedWork((error) => {
    log.error("a line that leaves did not end cleanly", { ...errorFields(error) });
  });
  const lines = new Map<string, Line>();
  const leaving = new Set<Line>();
  const others = new Map<string, Line>();
  let rest: Rest | null = null;
  const ofRest = (code: string): Line | null => {
    const line = others.get(code) ?? rest?.lineOf(code) ?? null;
    if (line) others.set(code, line);
    return line;
  };
  const of = (code: string): Line | null => lines.get(code) ?? ofRest(code);
  const all = (): readonly Line[] => [...lines.values(), ...others.values()];
  return {
    lines,
    of,
    has: (code) => of(code) !== null,
    accountChanged: (accountId) => {
      for (const line of all()) line.accountChanged(accountId);
    },
    addRest: (added) => {
      rest = added;
    },
    add: (more) => {
      for (const [code, line] of more) lines.set(code, line);
    },
    opened: (code, line) => {
      lines.set(code, line);
      onChanged();
    },
    closed: (code, line) => {
      if (lines.get(code) === line) lines.delete(code);
      leaving.add(line);
      own(
        line.leave().then(() => {
          leaving.delete(line);
        }),
      );
      onChanged();
    },
    halt: () => {
      rest?.halt();
      for (const line of all()) line.halt();
    },
    stop: async (graceMs, longestMs) => {
      await Promise.all([...all(), ...leaving].map((line) => line.stop(graceMs, longestMs)));
      await rest?.stop();
    },
  };
}
