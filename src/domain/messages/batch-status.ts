/**
 * The states of a batch, and how the next one follows from its counters (docs/behaviour.md#states-of-a-batch). Pure: batch-totals.ts
 * reads and writes the row.
 */

import type { Channel } from "../../core/channels.ts";
import type { ChargeOn, Xof } from "../../core/money.ts";
import type { MessageClass } from "../accounts/message-class.ts";

/** The states of a batch (docs/behaviour.md#states-of-a-batch); STAGING is ours alone and never shown. */
export type BatchStatus =
  | "STAGING"
  | "VALIDATING"
  | "SCHEDULED"
  | "QUEUED"
  | "SENDING"
  | "SETTLED"
  | "REJECTED"
  | "FAILED"
  | "CANCELLED";

/**
 * Selects a batch of which nothing is accepted, in SQL: its rows, if there are any, were staged, and count only while a stage works on them
 * (staged-recipients.ts).
 */
export const IS_NOT_OPEN = "status IN ('STAGING', 'VALIDATING', 'FAILED')";

/** What a batch and its messages say about where it goes. */
export type BatchFigures = {
  /** Whether a message was claimed just now. */
  readonly claimed: boolean;
  /** Messages that are not final. */
  readonly unfinished: number;
  /** Messages whose money is neither charged nor released. */
  readonly unclosed: number;
  /** It was called off: what waits is cancelled, what left is waited for. */
  readonly isCancelling: boolean;
};

/**
 * Where the moves of its messages take a batch. A QUEUED batch whose messages all ended before any claim passes
 * through SENDING to SETTLED, so it is SETTLED at once here. A cancelled one ends as soon as every reservation is
 * charged or released; later receipts still move its messages.
 */
export function deriveBatchStatus(status: BatchStatus, figures: BatchFigures): BatchStatus {
  if (status !== "SCHEDULED" && status !== "QUEUED" && status !== "SENDING") return status;
  if (figures.isCancelling) return figures.unclosed === 0 ? "CANCELLED" : status;
  if (status === "SCHEDULED") return status;
  if (figures.unfinished === 0 && figures.unclosed === 0) return "SETTLED";
  return figures.claimed ? "SENDING" : status;
}

/** What of a batch's row decides where it goes, and what it has moved. */
export type BatchProgress = {
  readonly accountId: number;
  readonly ulid: string;
  readonly messageClass: MessageClass;
  readonly channel: Channel;
  readonly chargeOn: ChargeOn;
  readonly status: BatchStatus;
  readonly unfinished: number;
  readonly unclosed: number;
  readonly cancelReason: string | null;
  readonly awaitingSince: number | null;
  readonly endedAt: number | null;
  /** How many of its messages ever reached each state. */
  readonly submitted: number;
  readonly sent: number;
  readonly delivered: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly segments: number;
  readonly charged: Xof;
  readonly released: Xof;
  /** What of the two the ledger holds, and in how many postings. */
  readonly postedCharged: Xof;
  readonly postedReleased: Xof;
  readonly postings: number;
};

/**
 * Where the moves of its messages, added in already, take a batch that stood as `life` says. `claimed`: a message of it was claimed just
 * now. When it ends, everything is posted.
 */
export function advanceBatch(life: BatchProgress, claimed: boolean, nowMs: number): BatchProgress {
  const isCancelling = life.cancelReason !== null;
  const status = deriveBatchStatus(life.status, { ...life, claimed, isCancelling });
  const after = { ...life, status, awaitingSince: awaitingFrom(life, claimed, nowMs) };
  return status === life.status || status === "SENDING" ? after : { ...posted(after), endedAt: nowMs };
}

/** Where a batch stands that is QUEUED with so many messages, once some of them are claimed by the transaction that opens it. */
export function deriveClaimedProgress(
  unfinished: number,
  nowMs: number,
): Pick<BatchProgress, "status" | "awaitingSince"> {
  const figures = { unfinished, unclosed: unfinished, claimed: true, isCancelling: false };
  const awaitingSince = awaitingFrom({ unfinished, awaitingSince: null }, true, nowMs);
  return { status: deriveBatchStatus("QUEUED", figures), awaitingSince };
}

/** The same with all its movements posted. */
export function posted(life: BatchProgress): BatchProgress {
  const { charged, released, postedCharged, postedReleased, postings } = life;
  if (charged === postedCharged && released === postedReleased) return life;
  return { ...life, postedCharged: charged, postedReleased: released, postings: postings + 1 };
}

/** Since when messages of a batch may wait for receipts: from its first claim until all of them are final (awaiting-outcome.ts). */
function awaitingFrom(
  { unfinished, awaitingSince }: Pick<BatchProgress, "unfinished" | "awaitingSince">,
  claimed: boolean,
  nowMs: number,
): number | null {
  if (unfinished === 0) return null;
  return claimed ? (awaitingSince ?? nowMs) : awaitingSince;
}
