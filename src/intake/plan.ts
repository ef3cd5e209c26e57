import type { Clock } from "../base/clock.ts";
import { accepted, type Outcome, refused } from "../base/failures.ts";
import type { Xof } from "../base/money.ts";
import { slicer } from "../base/slices.ts";
import type { NewMessage, NewRejection } from "../messages/insert.ts";
import { weigh } from "../text/segments.ts";
import { normaliseNumber } from "./numbers.ts";
import type { BatchRequest } from "./request.ts";
import { compileTemplate, render } from "./template.ts";

/** Why a recipient was dropped (public-api.md section 2.3 and decisions.md section 4). */
export type RejectionReason =
  | "INVALID_MSISDN"
  | "DUPLICATE_IN_BATCH"
  | "UNROUTABLE_PREFIX"
  | "RENDERED_BODY_EMPTY"
  | "TOO_MANY_SEGMENTS";

/** What an operator means for a batch of one account and class. */
export type Route = {
  /** Of one segment, for this account and class. */
  readonly price: Xof;
  /** The most parts a text may have there. */
  readonly maxSegments: number;
};

export type PlanInput = {
  readonly request: BatchRequest;
  /** Region of numbers written in local form, ISO 3166-1 alpha-2. */
  readonly region: string;
  /** The operator that owns a number, given as E.164 digits. */
  readonly owner: (digits: string) => string | null;
  /** Null: the operator has no price, for the account or for everybody. */
  readonly routeOf: (operator: string) => Route | null;
  readonly newId: () => string;
  readonly clock: Clock;
};

/** What a submission comes to before it is paid for. */
export type Plan = {
  readonly messages: readonly NewMessage[];
  readonly rejections: readonly (NewRejection & { readonly reason: RejectionReason })[];
  readonly totalSegments: number;
  readonly amount: Xof;
};

/**
 * Turns recipients into messages and rejections, in order of submission: normalises, drops duplicates, routes,
 * renders, counts and prices each. CONFIGURATION_ERROR when a reachable operator has no price. Gives the event loop its turn every few milliseconds.
 */
export async function planBatch(input: PlanInput): Promise<Outcome<Plan>> {
  const { request } = input;
  const template = compileTemplate(request.body);
  const messages: NewMessage[] = [];
  const rejections: (NewRejection & { reason: RejectionReason })[] = [];
  const seen = new Set<string>();
  const pause = slicer(input.clock);
  let totalSegments = 0;
  let amount = 0;
  const plain = template.hasTags ? null : weighed(render(template, null));

  for (const [position, recipient] of request.recipients.entries()) {
    await pause();
    const number = normaliseNumber(recipient.msisdn, input.region, input.owner);
    const reject = (reason: RejectionReason) => rejections.push({ position, msisdn: number.msisdn, reason });
    if (number.kind === "invalid") {
      reject("INVALID_MSISDN");
      continue;
    }
    if (seen.has(number.msisdn)) {
      reject("DUPLICATE_IN_BATCH");
      continue;
    }
    seen.add(number.msisdn);
    if (number.kind === "unroutable") {
      reject("UNROUTABLE_PREFIX");
      continue;
    }
    const text = plain ?? weighed(render(template, recipient.attributes));
    if (text.isBlank) {
      reject("RENDERED_BODY_EMPTY");
      continue;
    }
    const route = input.routeOf(number.operator);
    if (!route) {
      return refused("CONFIGURATION_ERROR", "the service is not configured to price this batch");
    }
    if (text.segments > route.maxSegments) {
      reject("TOO_MANY_SEGMENTS");
      continue;
    }
    totalSegments += text.segments;
    amount += text.segments * route.price;
    messages.push({
      ulid: input.newId(),
      position,
      msisdn: number.msisdn,
      operator: number.operator,
      encoding: text.encoding,
      segments: text.segments,
      price: route.price,
      text: text.rendered === request.body ? null : text.rendered,
    });
  }
  return accepted({ messages, rejections, totalSegments, amount });
}

function weighed(rendered: string) {
  const { encoding, segments } = weigh(rendered);
  return { rendered, encoding, segments, isBlank: rendered.trim() === "" };
}
