import type { IdFormat } from "./message-ids.ts";

/**
 * How this operator behaves. Every field is one quirk that real operators have; each is read in one place (most in
 * outcome.ts), and `PLAIN` is an operator that does everything right and at once.
 */
export type Quirks = {
  readonly idFormat: IdFormat;
  /** From the submit_sm to its response. */
  readonly responseDelayMs: number;
  /** Up to so much more, evenly, so that responses come out of order. */
  readonly responseJitterMs: number;
  /** From the response to the handset, and so to the receipt. */
  readonly receiptDelayMs: number;
  readonly receiptJitterMs: number;
  /** How many of 100 messages reach their handset; the rest become UNDELIV. */
  readonly deliveredPercent: number;
  /** How many of 100 receipts are never sent. */
  readonly lostReceiptPercent: number;
  /** How many of 100 receipts are sent twice. */
  readonly duplicateReceiptPercent: number;
  /** The receipt overtakes the response. */
  readonly receiptBeforeResponse: boolean;
  /** Receipts are text only, without optional parameters. */
  readonly noTlvs: boolean;
  readonly noReceipts: boolean;
  /** submit_sm accepted in any second for one system_id; above it 0x58. 0: no limit. */
  readonly throttlePerSecond: number;
  /** A link is cut at its so-many-th submit_sm, which is accepted and not answered. 0: never. */
  readonly dropAfter: number;
  /** Unanswered submit_sm above which one counts as a violation. 0: not checked. */
  readonly windowCheck: number;
};

export const PLAIN: Quirks = {
  idFormat: "decimal",
  responseDelayMs: 0,
  responseJitterMs: 0,
  receiptDelayMs: 0,
  receiptJitterMs: 0,
  deliveredPercent: 100,
  lostReceiptPercent: 0,
  duplicateReceiptPercent: 0,
  receiptBeforeResponse: false,
  noTlvs: false,
  noReceipts: false,
  throttlePerSecond: 0,
  dropAfter: 0,
  windowCheck: 0,
};
