import type { Outcome } from "../base/failures.ts";
import type { Quote, QuoteBatch } from "../intake/quote.ts";
import type { IntakeOutcome } from "../intake/refusals.ts";
import type { BatchRequest } from "../intake/request.ts";
import type { SubmissionAnswer, SubmissionOrder } from "../intake/submit.ts";

/** The body of a submission, read. `digest`: of its JSON value. */
export type SubmissionRead = {
  readonly digest: Uint8Array;
  readonly request: IntakeOutcome<BatchRequest>;
};

/** What submissions are read, quoted and taken with, in the words that clients of the API know. */
export type Submissions = {
  /** Reads the body that `POST /batches` takes. The bytes are gone then. */
  readonly read: (
    bytes: Uint8Array<ArrayBuffer>,
  ) => Promise<Outcome<SubmissionRead, "VALIDATION_FAILED">> | Outcome<SubmissionRead, "VALIDATION_FAILED">;
  readonly submit: (order: Omit<SubmissionOrder, "replyTo">) => Promise<SubmissionAnswer>;
  readonly quote: QuoteBatch;
  /** What the answer to a quote has as `data`. */
  readonly quoteData: (quote: Quote) => Readonly<Record<string, unknown>>;
};
