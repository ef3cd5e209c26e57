/**
 * What a submission would come to (docs/behaviour.md#quote). It uses the plan and the guards of a submission and writes nothing: the guards
 * are asked in transactions of the writer, one a step, because only the writer sees what is being staged.
 */
import { assert } from "../../core/assert.ts";
import { isoOrNull } from "../../core/clock.ts";
import { createYielder } from "../../core/concurrency.ts";
import type { Xof } from "../../core/money.ts";
import { accepted, refuse } from "../../core/refusals.ts";
import { toLaneOperator } from "../../core/sandbox.ts";
import type { Reader } from "../../db/reader.ts";
import { applyTextPolicy, stripNonGsm } from "../../text/rewrite.ts";
import { weigh } from "../../text/segments.ts";
import { compileTemplate, type TemplateSource } from "../../text/template.ts";
import { accountById } from "../accounts/accounts.ts";
import { isRegistered } from "../accounts/senders.ts";
import { PAYMENT_REFUSALS, type PaymentRefusalCode } from "../ledger/reservations.ts";
import { readBalance } from "../ledger/wallet.ts";
import type { MessageEncoding } from "../messages/encodings.ts";
import { createReasonReader, DUPLICATE_OF_REJECTED } from "../messages/import-rows.ts";
import type { NewBatch } from "../messages/insert.ts";
import { reservedOf } from "../messages/message-money.ts";
import { checkAllowance } from "./commit-batch.ts";
import { cutIntoRuns, type Draft, type RecipientRejection } from "./expand-recipients.ts";
import { deriveExcessReservation, fallbackText } from "./fallback-plan.ts";
import { iterateSteps, type RecipientList, type RequestRecipient } from "./recipients.ts";
import type { BatchRequest, IntakeOutcome, IntakeRefusal } from "./request.ts";
import { screenRecipients } from "./screen-recipients.ts";
import {
  buildBatch,
  buildSubmissionContext,
  type SubmissionContext,
  type SubmissionDeps,
} from "./submission-context.ts";
import { deriveAnsweredStatus } from "./submit.ts";
import { createCharacterCounter, type NonGsmCharacter, type Warning } from "./warnings.ts";

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

type QuoteOrder = {
  readonly accountId: number;
  readonly request: IntakeOutcome<BatchRequest>;
  /** For a person, who is shown more than the figures. */
  readonly isForPerson?: boolean;
  /** Whether an administrator or a person submits it, and not a program: texts that people take for the same count as the same. */
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
  // As it was written, so that the savings of rewriting can be shown.
  const { fallback } = checked.value;
  const batch = {
    ...checked.value,
    body: request.value.body,
    fallback: fallback && { ...fallback, body: fallbackText(request.value) },
  };
  const terms = buildSubmissionContext(deps, account, batch, isByHand);
  const { recipients } = request.value;
  // A client of the API is shown what is set aside; a person what is paid in the end.
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

/** Which operators have the sender registered, each looked up once. */
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
  for (const step of iterateSteps(recipients)) {
    if (isStopping()) return refuse("SERVICE_UNAVAILABLE.stopping");
    const planned = await terms.planner.plan(step, position);
    if (!planned.ok) return planned;
    for (const run of cutIntoRuns(planned.value)) {
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
      spendable: readBalance(tx, batch.accountId, clock.nowMs()).spendable,
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

// Totals of a quote, added up step by step: only figures and a few examples are kept.

export const MAX_REJECTIONS = 1000;
const MAX_EXAMPLES = 3;
const NOTHING = { messages: 0, segments: 0, amount: 0, fallback_amount: 0 };

type OperatorShare = {
  readonly operator: string;
  /** Of one segment. */
  readonly price: Xof;
  readonly messages: number;
  readonly segments: number;
  readonly amount: Xof;
  /** What of the amount is reserved beyond the price of the segments, for messages whose other leg is dearer. */
  readonly fallback_amount: Xof;
};

export type QuoteSums = {
  readonly accepted: number;
  readonly rejected: number;
  readonly rejections_by_reason: Readonly<Record<string, number>>;
  /** The first of them. */
  readonly rejections: readonly RecipientRejection[];
  readonly total_segments: number;
  readonly amount: Xof;
  readonly by_operator: readonly OperatorShare[];
  readonly encodings: Readonly<Partial<Record<MessageEncoding, number>>>;
  readonly characters: readonly NonGsmCharacter[];
  readonly rewritten: Rewritten;
};

/** What recipients come to with `text_policy: rewrite`, and how much less that is than as written, over those that are counted. */
type Rewritten = {
  readonly total_segments: number;
  readonly amount: Xof;
  readonly saved: Xof;
  readonly examples: readonly { readonly before: string; readonly after: string }[];
};

type QuoteTotals = {
  readonly reject: (rejection: RecipientRejection) => void;
  readonly accept: (draft: Draft, recipient: RequestRecipient) => void;
  /** Recipients that were accepted so far. */
  readonly accepted: () => number;
  readonly sums: () => QuoteSums;
};

/** Whether an operator has the sender registered. */
type IsReached = (operator: string) => boolean;

const everyOperator: IsReached = () => true;

/** The texts of a batch as they are written; `fallback` is that of its messages that go on as SMS, null where none does. */
type Written = TemplateSource & { readonly fallback: string | null };

/**
 * Creates the totals of a batch with these texts and these codings that a text of it may have. `isReached`: the operators for which savings
 * by rewriting are counted; what does not arrive costs nothing either way.
 */
function createQuoteTotals(
  { body, otherTags, fallback }: Written,
  codings: readonly MessageEncoding[],
  isReached: IsReached = everyOperator,
): QuoteTotals {
  const reasons = new Map<string, number>();
  const rejections: RecipientRejection[] = [];
  const operators = new Map<string, OperatorShare>();
  const encodings = new Map(codings.map((one) => [one, 0]));
  const characters =
    fallback === null
      ? createCharacterCounter(compileTemplate(body, otherTags))
      : createCharacterCounter(compileTemplate(fallback, otherTags), "fallback.body");
  const rewriting = rewritingBook();
  let [accepted, rejected] = [0, 0];
  return {
    accepted: () => accepted,
    reject: (rejection) => {
      rejected += 1;
      reasons.set(rejection.reason, (reasons.get(rejection.reason) ?? 0) + 1);
      if (rejections.length < MAX_REJECTIONS) rejections.push(rejection);
    },
    accept: (draft, recipient) => {
      const { price, segments, encoding, excess } = draft;
      const operator = toLaneOperator(draft.operator);
      accepted += 1;
      const share = operators.get(operator) ?? { operator, price, ...NOTHING };
      operators.set(operator, {
        ...share,
        messages: share.messages + 1,
        segments: share.segments + segments,
        amount: share.amount + reservedOf(draft),
        fallback_amount: share.fallback_amount + excess,
      });
      encodings.set(encoding, (encodings.get(encoding) ?? 0) + 1);
      const { encoding: coded, rendered } = draft.second ?? draft;
      if (coded === "UCS2") characters.note(rendered, recipient);
      if (isReached(operator)) rewriting.note(draft);
    },
    sums: () => {
      const by_operator = [...operators.values()].sort((a, b) => (a.operator < b.operator ? -1 : 1));
      return {
        accepted,
        rejected,
        rejections_by_reason: Object.fromEntries([...reasons].sort(([a], [b]) => (a < b ? -1 : 1))),
        rejections,
        total_segments: by_operator.reduce((sum, { segments }) => sum + segments, 0),
        amount: by_operator.reduce((sum, { amount }) => sum + amount, 0),
        by_operator,
        encodings: Object.fromEntries(encodings),
        characters: characters.rows(),
        rewritten: rewriting.sums(),
      };
    },
  };
}

function rewritingBook() {
  const examples: { before: string; after: string }[] = [];
  let [segments, amount, asWritten] = [0, 0, 0];
  let last: { written: string; before: number; after: number } | null = null;
  const weights = ({ written, rendered, encoding, segments: asSent }: Weighed) => {
    // What is coded as it is written has nothing to be rewritten for.
    if (encoding === "UTF8") return { before: asSent, after: asSent };
    if (last?.written === written) return last;
    const isAsWritten = rendered === written;
    const before = isAsWritten ? asSent : weigh(written).segments;
    // What is GSM-7 already is never touched.
    if (isAsWritten && encoding === "GSM7") return { before, after: before };
    const { text, weight } = applyTextPolicy(written, "rewrite");
    if (text !== written && examples.length < MAX_EXAMPLES) examples.push({ before: written, after: text });
    last = { written, before, after: weight.segments };
    return last;
  };
  return {
    note: (draft: Draft): void => {
      const { price, second } = draft;
      const { before, after } = weights(draft);
      const other = second && { price: second.price, ...weights(second) };
      const costWith = (own: number, others: number | undefined) =>
        own * price +
        deriveExcessReservation(
          { price, segments: own },
          other && { price: other.price, segments: others ?? 0 },
        );
      segments += after;
      amount += costWith(after, other?.after);
      asWritten += costWith(before, other?.before);
    },
    sums: (): Rewritten => ({ total_segments: segments, amount, saved: asWritten - amount, examples }),
  };
}

type Weighed = Pick<Draft, "written" | "rendered" | "encoding" | "segments">;

// Details that a person is shown beside a quote: who gets what, and what is dearer than it need be. Clients of the API are not.

export type QuoteDetails = {
  /** The first recipients whose operator does not have the sender registered: their texts fail, and nothing else here counts them. */
  readonly unreached: readonly { readonly index: number; readonly operator: string }[];
  /** The first of those who are sent to, with the text as it leaves. */
  readonly first: readonly { readonly msisdn: string; readonly text: string; readonly segments: number }[];
  /** Texts that take more segments than without characters that GSM-7 lacks, and those characters in them. */
  readonly dearer: { readonly messages: number; readonly characters: readonly NonGsmCharacter[] };
  /** How many texts take how many segments, the shortest first. */
  readonly lengths: readonly { readonly segments: number; readonly messages: number }[];
  /** Rows that repeat a number whose first row is rejected: nobody gets the text for them. */
  readonly doubles_of_refused: number;
};

type QuoteDetailsBuilder = {
  readonly reject: (rejection: RecipientRejection) => void;
  readonly accept: (draft: Draft, recipient: RequestRecipient) => void;
  readonly told: () => QuoteDetails;
};

/** People who are shown. */
const FEW = 3;

/** Creates the details of a batch with this text, whose sender some operators have registered. */
function createQuoteDetails({ body, otherTags }: TemplateSource, isReached: IsReached): QuoteDetailsBuilder {
  const unreached: { index: number; operator: string }[] = [];
  const first: { msisdn: string; text: string; segments: number }[] = [];
  const characters = createCharacterCounter(compileTemplate(body, otherTags));
  const told = createReasonReader();
  const isDearer = dearerReader();
  const lengths = new Map<number, number>();
  let [dearer, doubles] = [0, 0];
  return {
    reject: ({ msisdn, reason }) => {
      if (told({ msisdn, reason_code: reason }) === DUPLICATE_OF_REJECTED) doubles += 1;
    },
    accept: ({ msisdn, rendered, segments, encoding, position, operator: lane }, recipient) => {
      const operator = toLaneOperator(lane);
      if (!isReached(operator)) {
        if (unreached.length < MAX_REJECTIONS) unreached.push({ index: position, operator });
        return;
      }
      lengths.set(segments, (lengths.get(segments) ?? 0) + 1);
      if (first.length < FEW) first.push({ msisdn, text: rendered, segments });
      if (!isDearer(rendered, encoding, segments)) return;
      dearer += 1;
      characters.note(rendered, recipient);
    },
    told: () => ({
      unreached,
      first,
      dearer: { messages: dearer, characters: characters.rows() },
      lengths: [...lengths].sort(([a], [b]) => a - b).map(([segments, messages]) => ({ segments, messages })),
      doubles_of_refused: doubles,
    }),
  };
}

/** Most texts of a batch may be one: the last is remembered. */
function dearerReader() {
  let last = { text: "", isDearer: false };
  return (text: string, encoding: MessageEncoding, segments: number): boolean => {
    if (encoding !== "UCS2") return false;
    if (last.text !== text) last = { text, isDearer: weigh(stripNonGsm(text)).segments < segments };
    return last.isDearer;
  };
}
