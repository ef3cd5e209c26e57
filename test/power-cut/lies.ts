/**
 * Disks that say they synced and did not: each must be caught on the recorded run, or the trial of the states finds nothing
 * because it sees nothing.
 */
import type { Medium } from "./fates.ts";
import { type Judge, replay } from "./replay.ts";
import type { Fact } from "./told.ts";
import { judgeOn, type Trial } from "./try-states.ts";
import type { Entry } from "./write-log.ts";

type Sync = Extract<Entry, { readonly kind: "sync" | "sync names" }>;

export type Lie = {
  readonly name: string;
  /** Whether this sync does nothing; `number` counts all those before it. */
  readonly isLie: (sync: Sync, number: number) => boolean;
};

/** One in so many. */
const RARE = 20;

const isOf = (end: string) => (sync: Sync) => sync.kind === "sync" && sync.name.endsWith(end);

export const LIES: Readonly<Record<Medium, readonly Lie[]>> = {
  files: [
    { name: "every sync of the log", isLie: isOf("-wal") },
    {
      name: `one sync of the log in ${RARE}`,
      isLie: (sync, number) => isOf("-wal")(sync) && number % RARE === 0,
    },
    { name: "every sync of the database", isLie: isOf(".db") },
    { name: "every sync of the directory", isLie: (sync) => sync.kind === "sync names" },
  ],
  device: [
    { name: "every flush", isLie: () => true },
    { name: `one flush in ${RARE}`, isLie: (_, number) => number % RARE === 0 },
  ],
};

/** Every so manyth state is tried, until a lie is caught. */
const STEP = 5;

/** How a lie is caught: the first thing that is wrong; null when it is not. */
export async function caught(trial: Trial, { isLie }: Lie): Promise<string | null> {
  const judge: Judge<Fact> = judgeOn(trial.ground, trial.ground.judge);
  const isTried = (number: number) => number % STEP === STEP - 1;
  const options = { ...trial.drawing(), isTried, mostFindings: 1 };
  const { findings } = await replay(lied(trial.entries, isLie), trial.told, judge, options);
  return findings[0]?.problem ?? null;
}

/** No file has this number: a sync of it keeps nothing, and the power may go at it all the same. */
const NO_FILE = 0;

function lied(entries: readonly Entry[], isLie: Lie["isLie"]): readonly Entry[] {
  let number = 0;
  return entries.map((entry) => {
    if (entry.kind !== "sync" && entry.kind !== "sync names") return entry;
    number += 1;
    return isLie(entry, number - 1) ? { kind: "sync", file: NO_FILE, name: "" } : entry;
  });
}
