/** Draws what becomes of writes that were not synced. */
import type { Chance } from "../../src/core/chance.ts";
import type { Fate } from "./disk.ts";

/**
 * What writes go to. Of a write to a file any octets may be there, and zeros where the file grew before its content came; a
 * device has whole sectors, and what it held before where a write did not come.
 */
export type Medium = "files" | "device";

/** What was drawn, in words. */
export type Draw = { readonly what: string; readonly fates: readonly Fate[] };

/** Draws fates for operations of these lengths. */
type DrawFates = (lengths: readonly number[], chance: Chance, medium: Medium) => Draw;

const SECTOR_OCTETS = 512;

const KINDS: Readonly<Record<Medium, readonly DrawFates[]>> = {
  files: [drawUpTo, drawTorn, drawMissing, drawAny, drawZeros, drawAlone, drawAnyTorn],
  device: [drawAny, drawUpTo, drawAnyTorn, drawMissing, drawTorn, drawAlone],
};

/** The draw of this number: the kinds take turns. */
export function drawFates(number: number, lengths: readonly number[], chance: Chance, medium: Medium): Draw {
  const kinds = KINDS[medium];
  return (kinds[number % kinds.length] ?? drawUpTo)(lengths, chance, medium);
}

function drawUpTo(lengths: readonly number[], chance: Chance): Draw {
  const end = below(chance, lengths.length + 1);
  return { what: `the first ${end} of ${lengths.length}`, fates: lengths.map((_, i) => keptIf(i < end)) };
}

/** All up to one, and that one in part: whole sectors of it, or octets. */
function drawTorn(lengths: readonly number[], chance: Chance, medium: Medium): Draw {
  const at = below(chance, lengths.length);
  const fates = lengths.map((length, i) => (i === at ? torn(length, chance, medium) : keptIf(i < at)));
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

function drawAnyTorn(lengths: readonly number[], chance: Chance, medium: Medium): Draw {
  const fates = lengths.map((length): Fate => {
    const fate = chance.fraction();
    if (fate < 0.5) return "kept";
    if (fate < 0.7) return "lost";
    return fate < 0.8 && medium === "files" ? "zeros" : torn(length, chance, medium);
  });
  return { what: `any of ${lengths.length}, some torn`, fates };
}

function torn(length: number, chance: Chance, medium: Medium): Fate {
  const isInSectors = medium === "device" || (chance.fraction() < 0.5 && length > SECTOR_OCTETS);
  const unit = isInSectors ? SECTOR_OCTETS : 1;
  const cut = below(chance, Math.floor(length / unit) + 1) * unit;
  return chance.fraction() < 0.75 ? { from: 0, to: cut } : { from: cut, to: length };
}

function keptIf(isKept: boolean): Fate {
  return isKept ? "kept" : "lost";
}

/** A whole number from 0 to below the limit. */
export function below(chance: Chance, limit: number): number {
  return Math.floor(chance.fraction() * limit);
}
