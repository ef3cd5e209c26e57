/** Tries the states that a power cut may leave of a recorded run: opens them all, and starts the executable on some. */
import { type Chosen, choose } from "./chosen.ts";
import { crashStates, type Drawing } from "./crash-states.ts";
import { cutAgain } from "./cut-again.ts";
import type { Files } from "./disk.ts";
import type { Ground } from "./ground.ts";
import { type Judge, type Replayed, replay, type Told } from "./replay.ts";
import { type Starter, startOn } from "./start-on.ts";
import type { Fact } from "./told.ts";
import type { Entry } from "./write-log.ts";

export type Trial = {
  readonly entries: readonly Entry[];
  readonly told: readonly Told<Fact>[];
  /** Made anew for each pass over the log, so that both draw the same. */
  readonly drawing: () => Drawing;
  readonly ground: Ground;
  readonly starter: Starter;
  /** So many states are tried, and the executable is started on so many of those. */
  readonly states: number;
  readonly started: number;
};

const MAX_FINDINGS = 20;

/** Tries what it chooses. `begin` is told what that is. */
export function tryStates(trial: Trial, begin: (chosen: Chosen) => void): Promise<Replayed> {
  const { entries, told, drawing, ground, starter } = trial;
  const chosen = choose(crashStates(entries, drawing()), trial.states, trial.started, drawing().chance);
  begin(chosen);
  const byStore = judgeOn(ground, ground.judge);
  const byStart = judgeOn(ground, (promises) => startOn(starter, ground, promises));
  const judge: Judge<Fact> = async (files, promises, number) => [
    ...(await byStore(files, promises, number)),
    ...(chosen.started.has(number) ? await byStart(files, promises, number) : []),
  ];
  const isTried = (number: number) => chosen.tried.has(number);
  return replay(entries, told, judge, { ...drawing(), isTried, mostFindings: MAX_FINDINGS });
}

/** So many states are drawn at each sync of a start. */
const DRAWN_AGAIN = 3;

/** Starts on so many of the states, has each start cut by another power cut, and tries what that leaves. */
export async function tryAgain(trial: Trial, cuts: number, library: string): Promise<Replayed> {
  const { entries, told, drawing, ground, starter } = trial;
  const { started } = choose(crashStates(entries, drawing()), trial.states, cuts, drawing().chance);
  const { chance, medium } = drawing();
  let states = 0;
  let points = 0;
  const judge: Judge<Fact> = async (files, promises) => {
    const again = await cutAgain(
      { starter, library, ground, drawing: { chance, medium, drawn: DRAWN_AGAIN } },
      files,
      promises,
    );
    states += again.states;
    points += again.points;
    return again.findings.map(
      ({ before, what, problem }) => `cut again before ${before} (${what}): ${problem}`,
    );
  };
  const isTried = (number: number) => started.has(number);
  const { findings } = await replay(entries, told, judge, {
    ...drawing(),
    isTried,
    mostFindings: MAX_FINDINGS,
  });
  return { states, points, findings };
}

/** Judges files where they are put. */
export function judgeOn(
  ground: Ground,
  problems: (promises: readonly Fact[]) => Promise<readonly string[]>,
): Judge<Fact> {
  return async (files: Files, promises) => {
    try {
      ground.put(files);
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
    try {
      return await problems(promises);
    } finally {
      ground.clear();
    }
  };
}
