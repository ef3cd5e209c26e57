import { type Phrase, written } from "../i18n/phrase.ts";
import type { BrokenRule, SmscStats } from "./events.ts";

/** Sums that the links write (SmscStats says what each means). */
export type SmscCounters = ReturnType<typeof createSmscCounters>;

export function createSmscCounters() {
  return {
    submits: 0,
    accepted: 0,
    refused: 0,
    unanswered: 0,
    texts: 0,
    receiptsSent: 0,
    receiptsAcknowledged: 0,
    dropped: 0,
    garbage: 0,
    mostUnansweredOnLink: 0,
    mostInASecondOnLink: 0,
    /** By rule, with what it was broken with. */
    broken: new Map<string, BrokenRule>(),
  };
}

/** The sums as they stand, with what others count. */
export function toSmscStats(
  tally: SmscCounters,
  others: Pick<SmscStats, "links" | "incompleteTexts" | "receiptsWaiting">,
): SmscStats {
  const { broken: byRule, ...sums } = tally;
  const broken = [...byRule.values()];
  const violations = broken.reduce((sum, { times }) => sum + times, 0);
  return { ...sums, ...others, violations, broken };
}

export function countBroken({ broken }: SmscCounters, what: Phrase): void {
  const rule = written(what);
  broken.set(rule, { what, times: (broken.get(rule)?.times ?? 0) + 1 });
}
