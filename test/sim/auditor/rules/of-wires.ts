import type { Rule } from "../finding.ts";

/** PDUs, texts, submits, receipts, statuses, the feed, events. */
export const WIRES: readonly Rule[] = [];
