import type { ReceiptOutcome } from "./receipts.ts";

/** What happened on one connection since the server started, for `operator status`. Whoever learns of it counts it. */
export type LinkTally = {
  /** Submits by what came of them. */
  accepted: number;
  refused: number;
  /** Asked for later: the link slowed down for it, or only the message waits. */
  throttled: number;
  postponed: number;
  unanswered: number;
  /** Answers that came after their time; such a submit counts as unanswered too. */
  answeredLate: number;
  /** Messages that could not be put on the wire, and answers that could not be written down: errors of our own. */
  faults: number;
  /** Receipts that found their message, and those that did not, at least not at once. */
  receiptsMatched: number;
  receiptsUnmatched: number;
};

export function newTally(): LinkTally {
  return {
    accepted: 0,
    refused: 0,
    throttled: 0,
    postponed: 0,
    unanswered: 0,
    answeredLate: 0,
    faults: 0,
    receiptsMatched: 0,
    receiptsUnmatched: 0,
  };
}

/** Counts what became of a receipt. */
export function countReceipt(tally: LinkTally, outcome: ReceiptOutcome): void {
  if (outcome === "matched") tally.receiptsMatched += 1;
  else tally.receiptsUnmatched += 1;
}
