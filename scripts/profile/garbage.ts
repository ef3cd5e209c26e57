/** What the garbage collector logged of itself (`BUN_JSC_logGC=1`) while the profile was taken. */
import { TURN } from "./seen.ts";

/** Pauses in milliseconds; `allocated` in octets, as far as collections counted them. */
export type Garbage = {
  readonly young: number;
  readonly full: number;
  readonly pauseMs: number;
  readonly longestPauseMs: number;
  readonly allocated: number;
};

/** Of all that was logged between the beginning and the end of the profile. */
export function garbageOf(log: string): Garbage {
  return garbageIn(log.slice(log.indexOf(TURN.begin), log.lastIndexOf(TURN.end)));
}

/** Of a piece of the log. */
export function garbageIn(during: string): Garbage {
  const numbers = (pattern: RegExp) => [...during.matchAll(pattern)].map(([, value]) => Number(value));
  const pauses = numbers(/ p=([\d.]+)ms/g);
  return {
    young: numbers(/=> (Eden)Collection/g).length,
    full: numbers(/=> (Full)Collection/g).length,
    pauseMs: pauses.reduce((sum, ms) => sum + ms, 0),
    longestPauseMs: Math.max(0, ...pauses),
    allocated: numbers(/bytes allocated this cycle: (\d+)/g).reduce((sum, octets) => sum + octets, 0),
  };
}
