import type { Rule } from "../finding.ts";
import { lostBatches } from "./lost-batches.ts";

/** Requests, batches, money, accounts, commands. */
export const BOOKS: readonly Rule[] = [lostBatches];
