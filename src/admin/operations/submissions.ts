/** Builds the submission of a batch that an administrator sends. */
import type { Xof } from "../../core/money.ts";
import type { Outcome } from "../../core/refusals.ts";
import type { Tx } from "../../db/writer.ts";
import {
  type PackedSubmission,
  packedBuffers,
  packSubmission,
  type ReadSubmission,
} from "../../domain/submission/packed-submission.ts";
import type { Quote, QuoteBatch, QuoteDetails, QuoteSums } from "../../domain/submission/quote.ts";
import type { SubmissionAnswer, SubmissionOrder } from "../../domain/submission/submit.ts";
import type { Warning } from "../../domain/submission/warnings.ts";
import type { Phrase } from "../../i18n/phrase.ts";

/** What the answer to a quote has as `data` (docs/behaviour.md#quote). */
export type QuoteData = Omit<QuoteSums, "rejections"> & {
  readonly status: string;
  /** The first of them; `index` counts the recipients from 0. */
  readonly rejections: readonly {
    readonly index: number;
    /** Null where it was erased. */
    readonly msisdn: string | null;
    readonly reason_code: string;
  }[];
  readonly is_payable: boolean;
  readonly refusal: { readonly code: string; readonly detail: Phrase } | null;
  readonly spendable_before: Xof | null;
  readonly spendable_after: Xof | null;
  readonly starts_at: string | null;
  readonly warnings: readonly Warning[];
};

/** A quote with what a person is shown beside it. */
export type DetailedQuote = QuoteData & QuoteDetails;

/** What an administrator brings: the JSON body of a submission, or one that a thread read. */
export type SubmissionInput = Uint8Array<ArrayBuffer> | PackedSubmission;

/** A submission that a thread hands over, and the memory that goes with it. */
export type { PackedSubmission };
export { packedBuffers };

/** A submission of recipients who are at hand, for whoever hands it over from a thread. `head`: all of it but them. */
export function buildSubmission(
  head: Readonly<Record<string, unknown>>,
  recipients: readonly unknown[],
): PackedSubmission {
  return packSubmission({ ...head, recipients });
}

/** A submission as an administrator brings it. `alsoStore`: what else is written with the batch or not at all. */
export type AdminSubmission = Omit<SubmissionOrder, "replyTo"> & {
  readonly alsoStore?: (tx: Tx, batchId: number) => void;
};

/** What submissions are read, quoted and taken with, in the words that clients of the API know. */
export type Submissions = {
  /** Reads the body that `POST /batches` takes. The bytes are gone then. */
  readonly read: (
    bytes: Uint8Array<ArrayBuffer>,
  ) => Promise<Outcome<ReadSubmission, "VALIDATION_FAILED">> | Outcome<ReadSubmission, "VALIDATION_FAILED">;
  readonly submit: (order: AdminSubmission) => Promise<SubmissionAnswer>;
  readonly quote: QuoteBatch;
  readonly quoteData: (quote: Quote) => QuoteData;
};
