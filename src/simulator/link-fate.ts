import { GARBAGE_KINDS, type GarbageKind } from "./garbage.ts";
import type { Quirks } from "./quirks.ts";

/** What befalls a link at one of its submit_sm, besides being dropped, which the outcome of the submit_sm tells. */
export type LinkFate = {
  /** Milliseconds for which it is not read; 0: for ever; null: it is read on. */
  readonly stallMs: number | null;
  readonly isUnbound: boolean;
  readonly garbage: GarbageKind | null;
};

/** `place` is that of the submit_sm on its link, from 1; `garbageSoFar` counts what all links were sent. Pure. */
export function linkFateOf(place: number, garbageSoFar: number, quirks: Quirks): LinkFate {
  const { stallAfter, stallMs, unbindAfter, garbageEvery, garbageKind } = quirks;
  const isGarbageDue = garbageEvery > 0 && place % garbageEvery === 0;
  return {
    stallMs: stallAfter > 0 && place === stallAfter ? stallMs : null,
    isUnbound: unbindAfter > 0 && place === unbindAfter,
    garbage: isGarbageDue ? kindOf(garbageKind, garbageSoFar) : null,
  };
}

/** Of `cycle` each kind has its turn. */
function kindOf(choice: Quirks["garbageKind"], garbageSoFar: number): GarbageKind {
  if (choice !== "cycle") return choice;
  return GARBAGE_KINDS[garbageSoFar % GARBAGE_KINDS.length] ?? "random";
}
