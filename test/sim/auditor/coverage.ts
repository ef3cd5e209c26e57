import type { History } from "./history.ts";

/** Adds what a history reached, name by name. */
export type Coverage = (history: History, reach: (name: string, times?: number) => void) => void;

/** Everything that is looked for. */
export const COVERAGE: readonly Coverage[] = [];
