/** What a crash leaves of octets that were written and not synced: pure, drawn from chance. */
import type { Chance } from "../../../src/core/chance.ts";

/** The log at the moment of a crash. */
export type CrashedLog = {
  readonly octets: Uint8Array;
  /** What stood at the same places before: an earlier log that was begun again, or nothing. */
  readonly before: Uint8Array;
  /** Octets up to here are safe whatever happens, and from `to` on none were written. */
  readonly from: number;
  readonly to: number;
};

/** What became of it, for the story. */
export type Left = { readonly octets: Uint8Array; readonly how: string };

/** What the system writes back at a time, and the least that a disk writes whole. */
const BLOCK = 4096;
const SECTOR = 512;

/** A process died while it wrote: the system has what was written up to some octet. */
export function cutShort(log: CrashedLog, chance: Chance): Left {
  const part = chance.fraction();
  if (part < 0.2) return { octets: upTo(log, log.from), how: "nothing of it" };
  if (part < 0.45) return { octets: upTo(log, log.to), how: "all of it" };
  return { octets: upTo(log, between(chance, log.from, log.to)), how: "a part of it" };
}

/** The power was cut: of what was written since the last sync, blocks are there or not, in any order, or half. */
export function powerLost(log: CrashedLog, chance: Chance): Left {
  const part = chance.fraction();
  if (part < 0.2) return { octets: upTo(log, log.from), how: "gone" };
  if (part < 0.35) return { octets: upTo(log, log.to), how: "there" };
  if (part < 0.6) return { octets: upTo(log, between(chance, log.from, log.to)), how: "cut" };
  if (part < 0.85) return { octets: patchwork(log, chance), how: "holes" };
  const garbled = upTo(log, log.to).slice();
  const at = between(chance, log.from, log.to);
  const end = Math.min(log.to, at + 1 + Math.floor(chance.fraction() * SECTOR));
  garbled.set(chance.bytes(end - at), at);
  return { octets: garbled, how: "garbled" };
}

/** The octets up to `end` as they were written, and beyond it what stood there before. */
export function upTo({ octets, before }: CrashedLog, end: number): Uint8Array {
  if (before.length <= end) return octets.slice(0, end);
  const left = before.slice();
  left.set(octets.subarray(0, end), 0);
  return left;
}

/** Each block new, old or, where the file had become longer, empty; a few torn between two sectors. */
function patchwork(log: CrashedLog, chance: Chance): Uint8Array {
  const left = new Uint8Array(Math.max(log.to, log.before.length));
  left.set(log.before);
  left.set(log.octets.subarray(0, log.from));
  const missing = 0.05 + chance.fraction() * 0.7;
  for (let at = log.from; at < log.to; ) {
    const block = Math.min(log.to, (Math.floor(at / BLOCK) + 1) * BLOCK);
    const torn = chance.fraction() < 0.1 ? Math.floor((chance.fraction() * BLOCK) / SECTOR) * SECTOR : BLOCK;
    const end = Math.min(block, at + torn);
    if (chance.fraction() >= missing) left.set(log.octets.subarray(at, end), at);
    at = block;
  }
  return left;
}

/** A place from `from` to `to`, both included. */
function between(chance: Chance, from: number, to: number): number {
  return from + Math.floor(chance.fraction() * (to - from + 1));
}

/** A page of the database that a checkpoint was writing: new, old, or new up to a sector. */
export function tornPage(old: Uint8Array, page: Uint8Array, chance: Chance): Uint8Array {
  const part = chance.fraction();
  if (part < 0.4) return old;
  if (part < 0.8) return page;
  const sectors = Math.floor(chance.fraction() * (page.length / SECTOR));
  const torn = old.slice();
  torn.set(page.subarray(0, sectors * SECTOR));
  return torn;
}
