/**
 * Plans the recipients of a submission: normalises numbers, drops duplicates, routes, renders, counts segments and prices,
 * without looking at earlier traffic.
 */
import type { Clock } from "../../core/clock.ts";
import { createYielder } from "../../core/concurrency.ts";
import { accepted, refuse } from "../../core/refusals.ts";
import type { TextRules } from "../../core/text-rules.ts";
import { compileTemplate, type Template } from "../../text/template.ts";
import type { NewMessage, NewRejection } from "../messages/insert.ts";
import { deriveExcessReservation, type PlanFallback, type PlannedFallback } from "./fallback-plan.ts";
import type { ChannelTerms } from "./intake-channel.ts";
import { findOwner, type NumberReading, parseNumber } from "./phone-numbers.ts";
import { plainTextsInBraces, type RequestRecipient } from "./recipients.ts";
import type { RejectionReason } from "./rejections.ts";
import type { IntakeOutcome } from "./request.ts";
import {
  createLengthWarnings,
  createTagWarnings,
  MAX_WARNINGS,
  type TagWarnings,
  type Warning,
} from "./warnings.ts";

/** A recipient that gets no message, and why. */
export type RecipientRejection = NewRejection & { readonly reason: RejectionReason };

export type PlanInput = {
  /** The template of the batch. */
  readonly body: string;
  /** Texts in its braces that are tags although they are no plain names; none unless given. */
  readonly otherTags?: readonly string[];
  readonly missingAttributes: TextRules["missingAttributes"];
  /** Region of numbers written in local form, ISO 3166-1 alpha-2. */
  readonly region: string;
  readonly terms: Pick<ChannelTerms, "owner" | "routeOf" | "textFor" | "warnings">;
  /** Looks the owners of numbers up together, of either channel; absent where that costs nothing. */
  readonly lookUp?: ChannelTerms["lookUp"] | undefined;
  /** The fallback of a recipient; absent of a batch without one. */
  readonly second?: PlanFallback | null;
  /** The text of the fallback. */
  readonly secondBody?: string | null;
  /** The code under which messages wait for an operator. */
  readonly toLane?: (operator: string) => string;
  readonly newId: () => string;
  readonly clock: Clock;
};

/** A message as it would be sent, its text for the repetition guards, and that text before it was rewritten. */
export type Draft = Omit<NewMessage, "second"> & {
  readonly rendered: string;
  readonly written: string;
  readonly second: PlannedFallback | null;
};

/** The outcome for a run of recipients before anything is looked up. */
export type Planned = {
  readonly drafts: readonly Draft[];
  readonly rejections: readonly RecipientRejection[];
};

/** Messages of a staged batch written in one transaction: more would hold the event loop for longer than an OTP should wait. */
export const MESSAGES_A_RUN = 125;
/** Own text, in UTF-16 units, at which a run ends sooner. */
const TEXT_A_RUN = 65_536;

/** Cuts a plan into runs, in order; a rejection stands in the run of the next message, or in the last one. */
export function* cutIntoRuns({ drafts, rejections }: Planned): Generator<Planned> {
  let rejected = 0;
  let from = 0;
  let size = 0;
  for (const [index, { position, text }] of drafts.entries()) {
    size += text?.length ?? 0;
    const isFull = index + 1 - from === MESSAGES_A_RUN || size >= TEXT_A_RUN;
    if (!isFull || index + 1 === drafts.length) continue;
    const next = rejections.findIndex((rejection, at) => at >= rejected && rejection.position > position);
    const end = next === -1 ? rejections.length : next;
    yield { drafts: drafts.slice(from, index + 1), rejections: rejections.slice(rejected, end) };
    [from, rejected, size] = [index + 1, end, 0];
  }
  yield { drafts: drafts.slice(from), rejections: rejections.slice(rejected) };
}

/** Plans the recipients of one batch, step by step in order; it remembers the numbers it has seen, and what tags lacked. */
export type Planner = {
  readonly plan: (
    recipients: readonly RequestRecipient[],
    firstPosition: number,
  ) => Promise<IntakeOutcome<Planned>>;
  /** Warnings for its client about those planned so far: those of the channel first. */
  readonly warnings: () => readonly Warning[];
};

/**
 * Turns recipients into drafts of messages and rejections: normalises, drops duplicates, routes, renders, counts and
 * prices each. CONFIGURATION_ERROR when a reachable operator has no price. Gives the event loop its turn every few
 * milliseconds.
 */
export function planner(input: PlanInput): Planner {
  const { body, otherTags = [], secondBody, missingAttributes } = input;
  const template = compileTemplate(body, otherTags);
  const book = createTagWarnings(
    template,
    missingAttributes,
    plainTextsInBraces([body, secondBody ?? ""], otherTags),
  );
  const lengths = createLengthWarnings();
  let routable = 0;
  const planRecipient = recipientPlanner(input, template, book, () => {
    routable += 1;
  });
  const plan: Planner["plan"] = async (recipients, firstPosition) => {
    const drafts: Draft[] = [];
    const rejections: RecipientRejection[] = [];
    const pause = createYielder(input.clock);
    // In one go: a step of recipients takes 3 ms where the library reads each number, and a fiftieth of that here.
    const numbers = recipients.map(({ msisdn }) => parseNumber(msisdn, input.region));
    // One by one is as good for one.
    if (numbers.length > 1)
      input.lookUp?.(numbers.flatMap((number) => (number.standing === "impossible" ? [] : [number.digits])));
    for (const [index, recipient] of recipients.entries()) {
      await pause();
      const number = numbers[index] ?? parseNumber(recipient.msisdn, input.region);
      const planned = planRecipient(recipient, number, firstPosition + index);
      if (planned === "no price") {
        return refuse("CONFIGURATION_ERROR.price");
      }
      if ("reason" in planned) rejections.push(planned);
      else {
        drafts.push(planned);
        lengths.note(planned);
      }
    }
    return accepted({ drafts, rejections });
  };
  const ofChannel = (): readonly Warning[] => (routable === 0 ? [] : input.terms.warnings(routable));
  return {
    plan,
    warnings: () => [...ofChannel(), ...lengths.warnings(), ...book.warnings()].slice(0, MAX_WARNINGS),
  };
}

/** Plans one recipient after the other; the order of its steps is the order in which reasons are reported. */
function recipientPlanner(
  { body, terms, second: planSecond = null, newId, missingAttributes, ...input }: PlanInput,
  template: Template,
  book: TagWarnings,
  isRoutable: () => void,
) {
  const { owner, routeOf, textFor } = terms;
  const { toLane = (operator) => operator } = input;
  const plain = template.hasTags ? null : textFor(null);
  const seen = new Set<string>();
  return (
    recipient: RequestRecipient,
    reading: NumberReading,
    position: number,
  ): Draft | RecipientRejection | "no price" => {
    const number = findOwner(reading, owner);
    const { msisdn } = number;
    const clientReference = recipient.clientReference ?? null;
    const rejected = (reason: RejectionReason) => ({ position, msisdn, reason, clientReference });
    if (number.kind === "invalid") return rejected("INVALID_MSISDN");
    if (seen.has(number.msisdn)) return rejected("DUPLICATE_IN_BATCH");
    seen.add(number.msisdn);
    if (number.kind === "unroutable") return rejected("UNROUTABLE_PREFIX");
    isRoutable();
    if (book.isIncomplete(recipient) && missingAttributes === "reject") {
      return rejected("MISSING_ATTRIBUTE");
    }
    const text = plain ?? textFor(recipient.attributes);
    if (typeof text === "string") return rejected(text);
    const route = routeOf(number.operator);
    if (!route) return "no price";
    if (text === null || text.segments > route.maxSegments) {
      return rejected("TOO_MANY_SEGMENTS");
    }
    const second = planSecond?.(number.msisdn, recipient) ?? null;
    if (second === "no price") return second;
    if (typeof second === "string") return rejected(second);
    const { segments } = text;
    return {
      ulid: newId(),
      position,
      msisdn: number.msisdn,
      operator: toLane(number.operator),
      encoding: text.encoding,
      segments,
      price: route.price,
      excess: second === null ? 0 : deriveExcessReservation({ segments, price: route.price }, second),
      second,
      text: text.rendered === body ? null : text.rendered,
      clientReference,
      rendered: text.rendered,
      written: text.written,
    };
  };
}
