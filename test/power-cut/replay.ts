/** Tries every state that a power cut may leave under a log, and asks whether what was said before it still holds. */
import { crashStates, type Drawing } from "./crash-states.ts";
import type { Files } from "./disk.ts";
import type { Entry } from "./write-log.ts";

/** Something that the outside was told; it must hold on whatever the disk holds from entry `at` on. */
export type Told<P> = { readonly at: number; readonly promise: P };

export type Finding = {
  readonly before: number;
  readonly what: string;
  readonly problem: string;
};

export type Replayed = {
  readonly points: number;
  readonly states: number;
  readonly findings: readonly Finding[];
};

/** Says what is wrong with files, of which these promises must hold; `number`: which state of the log they are. */
export type Judge<P> = (
  files: Files,
  promises: readonly P[],
  number: number,
) => readonly string[] | Promise<readonly string[]>;

export type ReplayOptions = Drawing & {
  /** Whether the state of this number, from 0, is judged. */
  readonly isTried?: (number: number) => boolean;
  /** It ends after so many findings: more of the same tell nothing. */
  readonly mostFindings: number;
};

/** Replays a log. */
export async function replay<P>(
  entries: readonly Entry[],
  told: readonly Told<P>[],
  judge: Judge<P>,
  { isTried = () => true, mostFindings, ...drawing }: ReplayOptions,
): Promise<Replayed> {
  const inOrder = [...told].sort((one, other) => one.at - other.at);
  const findings: Finding[] = [];
  const points = new Set<number>();
  let states = 0;
  let number = -1;
  for (const state of crashStates(entries, drawing)) {
    number += 1;
    if (!isTried(number)) continue;
    points.add(state.before);
    states += 1;
    const due = inOrder.filter(({ at }) => at < state.before).map(({ promise }) => promise);
    const { before, what } = state;
    for (const problem of await judge(state.files(), due, number)) findings.push({ before, what, problem });
    if (findings.length >= mostFindings) break;
  }
  return { points: points.size, states, findings };
}
