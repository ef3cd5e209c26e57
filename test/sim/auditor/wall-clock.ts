/** What the appliance's wall clock says of true time: the answers to reads of a balance carry both. */
import type { History } from "./history.ts";
import { text } from "./json.ts";
import { once } from "./once.ts";

export type WallClock = {
  /** Epoch milliseconds when the run began, by the clock as it was then; right to the way of an answer. */
  readonly wallAtStartMs: number;
  /** It was set during the run, so that later times mean something else. */
  readonly jumps: boolean;
};

/** The clock of the run; null when nobody read a time while it was still the first. */
export const wallClockOf = once(readClock);

function readClock({ observations, exchanges }: History): WallClock | null {
  const jump = observations.find(({ kind }) => kind === "clock");
  for (const { answer } of exchanges) {
    const said = text(answer?.json, "data", "as_of");
    if (!answer || said === null) continue;
    if (jump && answer.atMs >= jump.atMs) return null;
    return { wallAtStartMs: Date.parse(said) - answer.atMs, jumps: jump !== undefined };
  }
  return null;
}

/** By how much a moment told by the wall clock may lie elsewhere in true time, for all that the clock was set. */
export const clockSetMs = once(({ observations }: History): number =>
  observations.reduce((sum, seen) => sum + (seen.kind === "clock" ? Math.abs(seen.byMs) : 0), 0),
);
