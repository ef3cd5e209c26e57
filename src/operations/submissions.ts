import type { Outcome } from "../base/failures.ts";
import type { Xof } from "../base/money.ts";
import type { Quote, QuoteBatch } from "../intake/quote.ts";
import type { QuoteBeside } from "../intake/quote-beside.ts";
import type { QuoteSums } from "../intake/quote-sums.ts";
import type { IntakeOutcome } from "../intake/refusals.ts";
import type { BatchRequest } from "../intake/request.ts";
import type { SubmissionAnswer, SubmissionOrder } from "../intake/submit.ts";
import type { Warning } from "../intake/warnings.ts";
import type { Tx } from "../store/write.ts";

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
  readonly refusal: { readonly code: string; readonly detail: string } | null;
  readonly spendable_before: Xof | null;
  readonly spendable_after: Xof | null;
  readonly starts_at: string | null;
  readonly warnings: readonly Warning[];
};

/** A quote with what a person is shown beside it. */
export type PersonsQuote = QuoteData & QuoteBeside;

/** The body of a submission, read. `digest`: of its JSON value. */
export type SubmissionRead = {
  readonly digest: Uint8Array;
  readonly request: IntakeOutcome<BatchRequest>;
};

/** A submission as an administrator brings it. `alsoKeep`: what else is written with the batch or not at all. */
export type AdminOrder = Omit<SubmissionOrder, "replyTo"> & {
  readonly alsoKeep?: (tx: Tx, batchId: number) => void;
};

/** What submissions are read, quoted and taken with, in the words that clients of the API know. */
export type Submissions = {
  /** Reads the body that `POST /batches` takes. The bytes are gone then. */
  readonly read: (
    bytes: Uint8Array<ArrayBuffer>,
  ) => Promise<Outcome<SubmissionRead, "VALIDATION_FAILED">> | Outcome<SubmissionRead, "VALIDATION_FAILED">;
  readonly submit: (order: AdminOrder) => Promise<SubmissionAnswer>;
  readonly quote: QuoteBatch;
  readonly quoteData: (quote: Quote) => QuoteData;
};
