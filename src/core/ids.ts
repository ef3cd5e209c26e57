/** Makes public ids, which are ULIDs in the order of time (docs/behaviour.md#ids), and recognises them. */
import { monotonicFactory } from "ulid";
import type { Chance } from "./chance.ts";
import type { Clock } from "./clock.ts";

/** Makes a new ULID at each call: 26 upper-case characters, rising inside the process (docs/behaviour.md#ids). */
export type NewId = () => string;

const ULID_SHAPE = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** A factory of ULIDs that rise even when the clock steps back. */
export function idFactory(clock: Clock, chance: Chance): NewId {
  const next = monotonicFactory(() => chance.fraction());
  return () => next(clock.nowMs());
}

/** Whether a text is a ULID in the canonical upper-case form. */
export function isUlid(text: string): boolean {
  return ULID_SHAPE.test(text);
}

const KEY_BITS = 0x1f_ffff_ffff_ffffn;

/** A text or number as an integer that SQLite and JavaScript both hold exactly (53 bits of a 64-bit hash). */
export function hashKey(text: string): number {
  return Number(Bun.hash.wyhash(text) & KEY_BITS);
}
