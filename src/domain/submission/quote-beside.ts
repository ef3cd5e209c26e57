/** What a person is shown beside a quote: who gets what, and what is dearer than it need be. Clients of the API are not. */
import { toLaneOperator } from "../../core/sandbox.ts";
import { stripNonGsm } from "../../text/rewrite.ts";
import { weigh } from "../../text/segments.ts";
import { compileTemplate, type TemplateSource } from "../../text/template.ts";
import type { MessageEncoding } from "../messages/channels.ts";
import { DUPLICATE_OF_REJECTED, createReasonReader } from "../messages/doubles.ts";
import { createCharacterCounter, type NonGsmCharacter } from "./dear-characters.ts";
import type { Draft, RecipientRejection } from "./plan.ts";
import { type IsReached, MAX_REJECTIONS } from "./quote-sums.ts";
import type { RequestRecipient } from "./request-recipients.ts";

export type QuoteDetails = {
  /** The first recipients whose operator does not let the sender through: their texts fail, and nothing else here is about them. */
  readonly unreached: readonly { readonly index: number; readonly operator: string }[];
  /** The first of those who are sent to, with the text as it leaves. */
  readonly first: readonly { readonly msisdn: string; readonly text: string; readonly segments: number }[];
  /** Texts that take more segments than without characters that GSM-7 lacks, and those characters in them. */
  readonly dearer: { readonly messages: number; readonly characters: readonly NonGsmCharacter[] };
  /** How many texts take how many segments, the shortest first. */
  readonly lengths: readonly { readonly segments: number; readonly messages: number }[];
  /** Rows that repeat a number whose first row is refused: nobody else gets the text for them. */
  readonly doubles_of_refused: number;
};

export type QuoteDetailsBuilder = {
  readonly reject: (rejection: RecipientRejection) => void;
  readonly accept: (draft: Draft, recipient: RequestRecipient) => void;
  readonly told: () => QuoteDetails;
};

/** People who are shown. */
const FEW = 3;

/** A book for a batch with this text, whose sender some operators let through. */
export function createQuoteDetails({ body, otherTags }: TemplateSource, isReached: IsReached): QuoteDetailsBuilder {
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
