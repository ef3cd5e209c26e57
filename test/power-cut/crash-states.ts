/**
 * Which states of the disk are tried: at each sync, just before it is over, when most was said and least is durable. What is
 * unsynced then holds every earlier moment since the last sync too, as the survivors up to a write.
 */
import type { Chance } from "../../src/base/chance.ts";
import { type Disk, diskOf, type Fate, type Files, filesAfter, type Survivors, step } from "./disk.ts";
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
const SECTOR_OCTETS = 512;

/** States of the disk under a log, in its order; so many drawn at each sync beside those that are always tried. */
export function* crashStates(
  entries: readonly Entry[],
  chance: Chance,
  drawn: number,
  disk: Disk = diskOf(),
): Generator<CrashState> {
  for (const [index, entry] of entries.entries()) {
    const isSync = entry.kind === "sync" || entry.kind === "sync names";
    if (isSync) yield* statesOf(disk, index, chance, drawn);
    step(disk, entry);
  }
  yield* statesOf(disk, entries.length, chance, drawn);
}

function* statesOf(disk: Disk, before: number, chance: Chance, drawn: number): Generator<CrashState> {
  const seen = new Set<string>();
  for (const { what, isDrawn, survivors } of survivorsOf(disk, chance, drawn)) {
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
  chance: Chance,
  drawn: number,
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
    const kind = KINDS[draw % KINDS.length] ?? drawUpTo;
    const { what, fates } = kind(unsynced.map(lengthOf), chance);
    const names = chance.fraction() < 0.7 ? namings.length : below(chance, namings.length + 1);
    yield survival(what, fates, names, true);
  }
}

type Draw = { readonly what: string; readonly fates: readonly Fate[] };
/** Draws fates for operations of these lengths. */
type DrawFates = (lengths: readonly number[], chance: Chance) => Draw;

const KINDS: readonly DrawFates[] = [
  drawUpTo,
  drawTorn,
  drawMissing,
  drawAny,
  drawZeros,
  drawAlone,
  drawAnyTorn,
];

function drawUpTo(lengths: readonly number[], chance: Chance): Draw {
  const end = below(chance, lengths.length + 1);
  return { what: `the first ${end} of ${lengths.length}`, fates: lengths.map((_, i) => keptIf(i < end)) };
}

/** All up to one, and that one in part: whole sectors of it, or octets. */
function drawTorn(lengths: readonly number[], chance: Chance): Draw {
  const at = below(chance, lengths.length);
  const fates = lengths.map((length, i) => (i === at ? torn(length, chance) : keptIf(i < at)));
  return { what: `the first ${at} of ${lengths.length}, and the next torn`, fates };
}

function drawMissing(lengths: readonly number[], chance: Chance): Draw {
  const at = below(chance, lengths.length);
  return {
    what: `all but number ${at + 1} of ${lengths.length}`,
    fates: lengths.map((_, i) => keptIf(i !== at)),
  };
}

function drawAlone(lengths: readonly number[], chance: Chance): Draw {
  const at = below(chance, lengths.length);
  return {
    what: `number ${at + 1} of ${lengths.length} alone`,
    fates: lengths.map((_, i) => keptIf(i === at)),
  };
}

function drawAny(lengths: readonly number[], chance: Chance): Draw {
  const share = chance.fraction();
  return {
    what: `any ${Math.round(share * 100)} % of ${lengths.length}`,
    fates: lengths.map(() => keptIf(chance.fraction() < share)),
  };
}

/** The length of the file grew, and from some write on it holds zeros. */
function drawZeros(lengths: readonly number[], chance: Chance): Draw {
  const at = below(chance, lengths.length);
  return {
    what: `the first ${at} of ${lengths.length}, and zeros in the length of the rest`,
    fates: lengths.map((_, i) => (i < at ? "kept" : "zeros")),
  };
}

function drawAnyTorn(lengths: readonly number[], chance: Chance): Draw {
  const fates = lengths.map((length): Fate => {
    const fate = chance.fraction();
    if (fate < 0.5) return "kept";
    if (fate < 0.7) return "lost";
    return fate < 0.8 ? "zeros" : torn(length, chance);
  });
  return { what: `any of ${lengths.length}, some torn`, fates };
}

function torn(length: number, chance: Chance): Fate {
  const unit = chance.fraction() < 0.5 && length > SECTOR_OCTETS ? SECTOR_OCTETS : 1;
  const cut = below(chance, Math.floor(length / unit) + 1) * unit;
  return chance.fraction() < 0.75 ? { from: 0, to: cut } : { from: cut, to: length };
}

function keptIf(isKept: boolean): Fate {
  return isKept ? "kept" : "lost";
}

function lengthOf(operation: Disk["unsynced"][number]): number {
  return operation.kind === "write" ? operation.octets.length : 0;
}

function below(chance: Chance, limit: number): number {
  return Math.floor(chance.fraction() * limit);
}
