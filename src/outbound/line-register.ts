/** The lines of every channel by their operators' codes, and those whose operator left and that still wait for answers. */

import { errorFields, type Log } from "../base/log.ts";
import type { Line, LineTools } from "./line.ts";
import { ownedWork } from "./owned-work.ts";

export type LineRegister = Pick<LineTools, "opened" | "closed"> & {
  readonly lines: ReadonlyMap<string, Line>;
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
  return {
    lines,
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
      for (const line of lines.values()) line.halt();
    },
    stop: async (graceMs, longestMs) => {
      await Promise.all([...lines.values(), ...leaving].map((line) => line.stop(graceMs, longestMs)));
    },
  };
}
