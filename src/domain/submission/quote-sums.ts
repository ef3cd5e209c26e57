/** What the recipients of a quote come to, added up step by step: nothing of them is kept but figures and a few examples. */
import type { Xof } from "../../core/money.ts";
import { toLaneOperator } from "../../core/sandbox.ts";
import { applyTextPolicy } from "../../text/rewrite.ts";
import { weigh } from "../../text/segments.ts";
import { compileTemplate, type TemplateSource } from "../../text/template.ts";
import type { MessageEncoding } from "../messages/channels.ts";
import { reservedOf } from "../messages/money-position.ts";
import { createCharacterCounter, type NonGsmCharacter } from "./dear-characters.ts";
import type { Draft, RecipientRejection } from "./plan.ts";
import type { RequestRecipient } from "./request-recipients.ts";
import { deriveExcessReservation } from "./second-way.ts";

export const MAX_REJECTIONS = 1000;
const MAX_EXAMPLES = 3;
const NOTHING = { messages: 0, segments: 0, amount: 0, fallback_amount: 0 };

export type OperatorShare = {
  readonly operator: string;
  /** Of one segment. */
  readonly price: Xof;
  readonly messages: number;
  readonly segments: number;
  readonly amount: Xof;
  /** What of the amount is reserved beyond the price of the segments, for messages whose other way is dearer. */
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

/** What recipients come to with `text_policy: rewrite`, and how much less that is than as it was written: of those who are counted. */
export type Rewritten = {
  readonly total_segments: number;
  readonly amount: Xof;
  readonly saved: Xof;
  readonly examples: readonly { readonly before: string; readonly after: string }[];
};

export type QuoteTotals = {
  readonly reject: (rejection: RecipientRejection) => void;
  readonly accept: (draft: Draft, recipient: RequestRecipient) => void;
  /** Recipients that were accepted so far. */
  readonly accepted: () => number;
  readonly sums: () => QuoteSums;
};

/** Whether an operator lets the sender through. */
export type IsReached = (operator: string) => boolean;

export const everyOperator: IsReached = () => true;

/** The texts of a batch as they are written; `fallback` is that of its messages that go on as SMS, null where none does. */
type Written = TemplateSource & { readonly fallback: string | null };

/**
 * A book for a batch with these texts, and these codings that a text of it may have. `isReached`: of which operators what rewriting
 * saves is told; what does not arrive costs nothing either way.
 */
export function createQuoteTotals(
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
      const { price, segments, encoding, beyond } = draft;
      const operator = toLaneOperator(draft.operator);
      accepted += 1;
      const share = operators.get(operator) ?? { operator, price, ...NOTHING };
      operators.set(operator, {
        ...share,
        messages: share.messages + 1,
        segments: share.segments + segments,
        amount: share.amount + reservedOf(draft),
        fallback_amount: share.fallback_amount + beyond,
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
        deriveExcessReservation({ price, segments: own }, other && { price: other.price, segments: others ?? 0 });
      segments += after;
      amount += costWith(after, other?.after);
      asWritten += costWith(before, other?.before);
    },
    sums: (): Rewritten => ({ total_segments: segments, amount, saved: asWritten - amount, examples }),
  };
}

type Weighed = Pick<Draft, "written" | "rendered" | "encoding" | "segments">;
