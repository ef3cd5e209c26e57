/**
 * Which states of the disk are tried: at each sync, just before it is over, when most was said and least is durable. What is
 * unsynced then holds every earlier moment since the last sync too, as the survivors up to a write.
 */
import type { Chance } from "../../src/core/chance.ts";
import { type Disk, diskOf, type Fate, type Files, filesAfter, type Survivors, step } from "./disk.ts";
import { below, drawFates, type Medium } from "./fates.ts";
import type { Entry } from "./write-log.ts";

export type CrashState = {
  /** The power goes before this entry of the log is over; all before it have happened. */
  readonly before: number;
  /** What survived, in words. */
  readonly what: string;
  /** Drawn by chance; else always tried. */
  readonly isDrawn: boolean;
  readonly files: () => Files;
};

/** So few unsynced operations are tried in every combination. */
const FEW = 3;

export type Drawing = {
  readonly chance: Chance;
  /** So many states are drawn at each sync beside those that are always tried. */
  readonly drawn: number;
  readonly medium: Medium;
  /** What was there before the log began, synced. */
  readonly initial?: Files;
};

/** States of the disk under a log, in its order. The files of one must be looked at before the next is asked for. */
export function* crashStates(entries: readonly Entry[], drawing: Drawing): Generator<CrashState> {
  const disk = diskOf(drawing.initial);
  for (const [index, entry] of entries.entries()) {
    const isSync = entry.kind === "sync" || entry.kind === "sync names";
    if (isSync) yield* statesOf(disk, index, drawing);
    step(disk, entry);
  }
  yield* statesOf(disk, entries.length, drawing);
}

function* statesOf(disk: Disk, before: number, drawing: Drawing): Generator<CrashState> {
  const seen = new Set<string>();
  for (const { what, isDrawn, survivors } of survivorsOf(disk, drawing)) {
    const key = JSON.stringify(survivors);
    if (seen.has(key)) continue;
    seen.add(key);
    yield { before, what, isDrawn, files: () => filesAfter(disk, survivors) };
  }
}

type Survival = { readonly what: string; readonly isDrawn: boolean; readonly survivors: Survivors };

/** What may survive of what is not synced: nothing, all, every combination of a few, and what chance draws. */
export function* survivorsOf(
  { unsynced, namings }: Pick<Disk, "unsynced" | "namings">,
  { chance, drawn, medium }: Drawing,
): Generator<Survival> {
  const count = unsynced.length;
  const survival = (
    what: string,
    fates: readonly Fate[],
    names = namings.length,
    isDrawn = false,
  ): Survival => ({
    isDrawn,
    what: names === namings.length ? what : `${what}; ${names} of ${namings.length} names`,
    survivors: { fates, namings: names },
  });
  const all = (fate: Fate): Fate[] => unsynced.map(() => fate);
  yield survival("nothing that was not synced", all("lost"), 0);
  yield survival("everything", all("kept"));
  if (namings.length > 0) {
    yield survival("no octets", all("lost"));
    yield survival("octets and no names", all("kept"), 0);
  }
  if (count === 0) return;
  if (count <= FEW)
    for (let bits = 1; bits < 2 ** count - 1; bits++)
      yield survival(
        `a combination of ${count}`,
        unsynced.map((_, index) => (bits & (1 << index) ? "kept" : "lost")),
      );
  for (let draw = 0; draw < drawn; draw++) {
    const { what, fates } = drawFates(draw, unsynced.map(lengthOf), chance, medium);
    const names = chance.fraction() < 0.7 ? namings.length : below(chance, namings.length + 1);
    yield survival(what, fates, names, true);
  }
}

function lengthOf(operation: Disk["unsynced"][number]): number {
  return operation.kind === "write" ? operation.octets.length : 0;
}
