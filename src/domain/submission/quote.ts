/**
 * What a submission would come to (docs/behaviour.md#quote). It goes the way of a submission, by the same plan and the same guards, and
 * writes nothing: the guards are asked in transactions of the writer, a step each, because only it sees what is being staged.
 */

import { assert } from "../../core/assert.ts";
import { isoOrNull } from "../../core/clock.ts";
import { accepted, refuse } from "../../core/failures.ts";
import type { Xof } from "../../core/money.ts";
import { createYielder } from "../../core/slices.ts";
import type { Reader } from "../../db/read.ts";
import { accountById } from "../accounts/accounts.ts";
import { isRegistered } from "../accounts/senders.ts";
import { PAYMENT_REFUSALS, type PaymentRefusalCode } from "../ledger/reserve.ts";
import { balanceOf } from "../ledger/wallet.ts";
import type { NewBatch } from "../messages/insert.ts";
import { buildBatch } from "./check.ts";
import { checkAllowance } from "./open.ts";
import { runsOf } from "./plan.ts";
import { type QuoteDetailsBuilder, createQuoteDetails, type QuoteDetails } from "./quote-beside.ts";
import { everyOperator, type IsReached, type QuoteTotals, type QuoteSums, createQuoteTotals } from "./quote-sums.ts";
import { type RecipientList, stepsOf } from "./recipient-list.ts";
import type { IntakeOutcome, IntakeRefusal } from "./refusals.ts";
import type { BatchRequest } from "./request.ts";
import { screenRecipients } from "./screen-step.ts";
import { fallbackText } from "./second-way.ts";
import { deriveAnsweredStatus } from "./submit.ts";
import { type SubmissionContext, type SubmissionDeps, buildSubmissionContext } from "./terms.ts";
import type { Warning } from "./warnings.ts";

export type Quote = {
  /** What the client calls the batch. */
  readonly clientReference: string | null;
  /** What the answer to the submission would say. */
  readonly status: string;
  readonly sums: QuoteSums;
  /** Null where it was not asked for. */
  readonly beside: QuoteDetails | null;
  readonly warnings: readonly Warning[];
  /** Why the account could not pay; null where it can. */
  readonly refusal: (IntakeRefusal & { readonly code: PaymentRefusalCode }) | null;
  /** What the account can spend, as its balance shows it. */
  readonly spendable: Xof;
  /** UTC; null when nobody is accepted. */
  readonly startsAt: string | null;
};

export type QuoteAnswer =
  | { readonly kind: "quoted"; readonly quote: Quote }
  /** Another quote of the account is being worked out. */
  | { readonly kind: "busy" }
  | { readonly kind: "refused"; readonly refusal: IntakeRefusal };

export type QuoteOrder = {
  readonly accountId: number;
  readonly request: IntakeOutcome<BatchRequest>;
  /** For a person, who is shown more than the figures. */
  readonly isForPerson?: boolean;
  /** Whether an administrator or a person brings it, and not a program: texts count as the same that people take for it. */
  readonly isByHand?: boolean;
};

export type QuoteBatch = (order: QuoteOrder) => Promise<QuoteAnswer>;

/** Quotes, one at a time for an account. One for a process. */
export function quoter(deps: SubmissionDeps): QuoteBatch {
  const underWay = new Set<number>();
  return async (order) => {
    if (underWay.has(order.accountId)) return { kind: "busy" };
    underWay.add(order.accountId);
    try {
      const quote = await quoted(deps, order);
      return quote.ok ? { kind: "quoted", quote: quote.value } : { kind: "refused", refusal: quote.refusal };
    } finally {
      underWay.delete(order.accountId);
    }
  };
}

async function quoted(
  deps: SubmissionDeps,
  { accountId, request, isForPerson = false, isByHand = false }: QuoteOrder,
): Promise<IntakeOutcome<Quote>> {
  const refusal = deps.notNow();
  if (refusal) return { ok: false, refusal };
  if (!request.ok) return request;
  const account = accountById(deps.store.read, accountId);
  assert(account, "a quote is for an account");
  const checked = buildBatch(deps, account, request.value);
  if (!checked.ok) return checked;
  // As it was written, so that it can be told what rewriting saves.
  const { fallback } = checked.value;
  const batch = {
    ...checked.value,
    body: request.value.body,
    fallback: fallback && { ...fallback, body: fallbackText(request.value) },
  };
  const terms = buildSubmissionContext(deps, account, batch, isByHand);
  const { recipients } = request.value;
  // A client of the API is told what is set aside; a person what is paid in the end.
  const isReached = isForPerson ? reachReader(deps.store.read, accountId, batch.sender) : everyOperator;
  const { body, otherTags } = batch;
  const written = { body, otherTags, fallback: batch.fallback?.body ?? null };
  const books = {
    sums: createQuoteTotals(written, terms.encodings, isReached),
    beside: isForPerson ? createQuoteDetails(written, isReached) : null,
  };
  const read = await readAll(deps, terms, recipients, books);
  return read.ok ? concluded(deps, terms, books, recipients.length) : read;
}

/** Which operators let a sender through, each asked about once. */
function reachReader(read: Reader, accountId: number, sender: string): IsReached {
  const known = new Map<string, boolean>();
  return (operator) => {
    const found = known.get(operator) ?? isRegistered(read, accountId, sender, operator);
    known.set(operator, found);
    return found;
  };
}

type Books = { readonly sums: QuoteTotals; readonly beside: QuoteDetailsBuilder | null };

/** Plans and screens the recipients, a step after the other. */
async function readAll(
  { store, clock, isStopping }: SubmissionDeps,
  terms: SubmissionContext,
  recipients: RecipientList,
  { sums, beside }: Books,
): Promise<IntakeOutcome<null>> {
  const pause = createYielder(clock);
  let position = 0;
  for (const step of stepsOf(recipients)) {
    if (isStopping()) return refuse("SERVICE_UNAVAILABLE.stopping");
    const planned = await terms.planner.plan(step, position);
    if (!planned.ok) return planned;
    for (const run of runsOf(planned.value)) {
      const before = { stage: null, recipients: sums.accepted() };
      const screened = await store.write((tx) => screenRecipients(tx, terms, run, before), "with the next");
      for (const rejection of screened.rejections) {
        sums.reject(rejection);
        beside?.reject(rejection);
      }
      for (const draft of screened.drafts) {
        await pause();
        const recipient = step[draft.position - position];
        if (!recipient) continue;
        sums.accept(draft, recipient);
        beside?.accept(draft, recipient);
      }
    }
    position += step.length;
    // The next step is read from its bytes in one go: not behind what was just added up.
    await pause();
  }
  return accepted(null);
}

/** Asks whether the account can pay, and what it has, at one moment. */
async function concluded(
  { store, clock }: SubmissionDeps,
  { batch, planner }: SubmissionContext,
  books: Books,
  recipients: number,
): Promise<IntakeOutcome<Quote>> {
  const sums = books.sums.sums();
  const { accepted: count, rejected, total_segments: segments, amount } = sums;
  const { verdict, spendable } = await store.write(
    (tx) => ({
      verdict: checkAllowance(tx, batch.accountId, { accepted: count, rejected, segments, amount }),
      spendable: balanceOf(tx, batch.accountId, clock.nowMs()).spendable,
    }),
    "with the next",
  );
  const refusal = verdict.ok ? null : unpayable(verdict.refusal);
  if (!verdict.ok && refusal === null) return verdict;
  return accepted({
    clientReference: batch.clientReference,
    status: deriveAnsweredStatus(batch, recipients, count),
    sums,
    beside: books.beside?.told() ?? null,
    warnings: planner.warnings(),
    refusal,
    spendable,
    startsAt: isoOrNull(count === 0 ? null : startOf(batch)),
  });
}

const startOf = ({ scheduledAt, createdAt }: NewBatch): number => scheduledAt ?? createdAt;

/** A refusal that is about money; null for another. */
function unpayable(refusal: IntakeRefusal): Quote["refusal"] {
  const code = PAYMENT_REFUSALS.find((one) => one === refusal.code);
  return code ? { ...refusal, code } : null;
}
