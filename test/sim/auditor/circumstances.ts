/** What the world did to the appliance: few moments, asked for again and again, among all that was seen. */
import type { Observation } from "../observation.ts";
import type { Life } from "./history.ts";
import { once } from "./once.ts";

/** When the wall clock was set. */
export const clockSetsOf = once(({ observations }) => observations.filter(isClock));

function isClock(seen: Observation): seen is Extract<Observation, { kind: "clock" }> {
  return seen.kind === "clock";
}

/** The last life that had begun at a moment; null before the first. */
export function lifeBegunBy(lives: readonly Life[], atMs: number): Life | null {
  let [from, to] = [0, lives.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((lives[middle]?.startedAtMs ?? Infinity) <= atMs) from = middle + 1;
    else to = middle;
  }
  return lives[from - 1] ?? null;
}
