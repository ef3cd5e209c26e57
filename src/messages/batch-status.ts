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
 * Said of a batch of which nothing is accepted, in SQL: its rows, if there are any, were staged, and count only while a
 * stage works on them (stages.ts).
 */
export const IS_NOT_OPEN = "status IN ('STAGING', 'VALIDATING', 'FAILED')";

/** What a batch and its messages say about where it goes. */
export type BatchFigures = {
  /** Whether a message was claimed just now. */
  readonly claimed: boolean;
  /** Messages that are not final. */
  readonly unfinished: number;
  /** Messages whose money is neither charged nor released. */
  readonly unsquared: number;
  /** It was called off: what waits is cancelled, what left is waited for. */
  readonly isCancelling: boolean;
};

/**
 * Where the moves of its messages take a batch. A QUEUED batch whose messages all ended before any claim passes
 * through SENDING to SETTLED, so it is SETTLED at once here. A cancelled one ends as soon as every reservation is
 * charged or released; later receipts still move its messages.
 */
export function stateAfter(status: BatchStatus, figures: BatchFigures): BatchStatus {
  if (status !== "SCHEDULED" && status !== "QUEUED" && status !== "SENDING") return status;
  if (figures.isCancelling) return figures.unsquared === 0 ? "CANCELLED" : status;
  if (status === "SCHEDULED") return status;
  if (figures.unfinished === 0 && figures.unsquared === 0) return "SETTLED";
  return figures.claimed ? "SENDING" : status;
}
