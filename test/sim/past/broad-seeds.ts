/** Runs that are always made: few and small, chosen so that together they reach much of what there is. */

export type BroadSeed = { readonly seed: number; readonly messages: number };

export const BROAD_SEEDS: readonly BroadSeed[] = [
  { seed: 4, messages: 150 },
  { seed: 7, messages: 150 },
  { seed: 11, messages: 150 },
  { seed: 13, messages: 150 },
  { seed: 16, messages: 150 },
  { seed: 25, messages: 150 },
];

/** For whose sake they were chosen, by the names of the coverage. When the workload draws otherwise, others may do it. */
export const REACHED_TOGETHER: readonly string[] = [
  ...["life: killed", "life: power lost", "life: stopped", "disk: full", "disk: read only"],
  ...["clock: set forward", "clock: set back", "fault: rename operator", "fault: retire operator"],
  ...["fault: drop", "fault: half open", "fault: stall", "fault: unreachable", "fault: garbage"],
  ...["event answer: 500", "event answer: broken", "event answer: silent", "answer: replayed"],
  ...["move: sent again by the next life", "deliver: a subscriber's text"],
  ...["death: power, inside", "death: power, in a checkpoint", "death: process, while it starts"],
];
