import type { Rule } from "../finding.ts";
import { neverTwice } from "./never-twice.ts";
import { onlyOrdered } from "./only-ordered.ts";
import { receiptsKept } from "./receipts-kept.ts";
import { statedTruth } from "./stated-truth.ts";

/** PDUs, texts, submits, receipts, statuses, the feed, events. */
export const WIRES: readonly Rule[] = [onlyOrdered, neverTwice, statedTruth, receiptsKept];
