import { resolve } from "node:path";
import table from "./ceilings.json";
import type { Cost } from "./cost.ts";

export type Thing = keyof typeof table;

/** Null: not counted there. */
export type Ceiling = { readonly [figure in keyof Cost]: number | null };

/**
 * What things may cost: as much as they cost today. **A number there only goes down.** Whoever makes something cheaper has the new numbers
 * written, `bun scripts/budgets.ts --lower`, so that nobody takes it back unseen; one that is to be larger is written by hand, and argued in
 * the commit.
 *
 * Promises are counted of what is short alone, since garbage is not counted, and the log not of events, which write less of it than
 * one commit differs from another.
 */
export const CEILINGS: Readonly<Record<Thing, Ceiling>> = table;

export const CEILINGS_FILE = resolve(import.meta.dirname, "ceilings.json");
