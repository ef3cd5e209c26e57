import type { SmscStats } from "./events.ts";

/** Sums that the links write (SmscStats says what each means). */
export type Tally = ReturnType<typeof newTally>;

export function newTally() {
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
    violationsByKind: new Map<string, number>(),
  };
}

/** The sums as they stand, with what others count. */
export function statsOf(
  tally: Tally,
  others: Pick<SmscStats, "links" | "incompleteTexts" | "receiptsWaiting">,
): SmscStats {
  const { violationsByKind, ...sums } = tally;
  const violations = [...violationsByKind.values()].reduce((sum, count) => sum + count, 0);
  return { ...sums, ...others, violations, violationsByKind: Object.fromEntries(violationsByKind) };
}
