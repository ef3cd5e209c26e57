import { Type as t } from "@sinclair/typebox";
import { describe } from "../core/description.ts";
import { accepted, type Outcome, refuse, withFaults } from "../core/failures.ts";
import { faultList, isLongerThan, refuseFault } from "../core/field-faults.ts";
import { hasShape, isRecord, oneOf, optional, refuseOthers, defineShape } from "../core/shape.ts";
import { DEFAULT_EVENTS, EVENT_TYPES, type EventType } from "../domain/events/catalogue.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { findEndpointUrlFault, MAX_URL_LENGTH } from "./endpoint-url.ts";

/** The longest description of an endpoint (docs/public-api.md section 8). */
const MAX_DESCRIPTION_LENGTH = 255;

/** An endpoint as a client writes it (docs/public-api.md section 4.8). */
export const ENDPOINT = defineShape(
  {
    url: {
      schema: t.String({
        maxLength: MAX_URL_LENGTH,
        description: describe("reference.WebhookRequest.url"),
        examples: ["https://shop.example/hooks/bendre"],
      }),
      check: (url, tell) => {
        const fault = typeof url === "string" ? findEndpointUrlFault(url) : phrase("fault.text");
        if (fault !== null) tell(fault);
      },
    },
    description: optional(
      {
        schema: t.String({ maxLength: MAX_DESCRIPTION_LENGTH }),
        check: (description, tell) => {
          const fault =
            typeof description === "string" ? findDescriptionFault(description) : phrase("fault.text");
          if (fault !== null) tell(fault);
        },
      },
      { description: describe("reference.WebhookRequest.description"), examples: ["Shop"] },
    ),
    events: optional(
      {
        schema: t.Array(oneOf(EVENT_TYPES)),
        check: (events, tell) => {
          if (!Array.isArray(events)) return tell(phrase("fault.list"));
          for (const [index, event] of (events as readonly unknown[]).entries()) {
            if (!EVENT_TYPES.some((known) => known === event))
              tell(phrase("fault.one_of", { words: EVENT_TYPES.join(", ") }), index);
          }
        },
      },
      {
        description: describe("reference.WebhookRequest.events", { events: DEFAULT_EVENTS.join(", ") }),
      },
    ),
  },
  { additionalProperties: false },
);

/** An endpoint as it was asked for. */
export type EndpointRequest = {
  readonly url: string;
  readonly description: string;
  /** Without repeats, never empty. */
  readonly events: readonly EventType[];
};

/** Reads the body of `POST /webhooks`. */
export function readEndpointRequest(json: unknown): Outcome<EndpointRequest, "VALIDATION_FAILED"> {
  if (!isRecord(json)) return refuse("VALIDATION_FAILED.not_object");
  const faults = faultList(Number.POSITIVE_INFINITY);
  refuseOthers(ENDPOINT, json, faults, () => phrase("fault.unknown.webhook"));
  const fits = hasShape(ENDPOINT, json, faults);
  const [first] = faults.found;
  // Of several the first alone is the detail.
  if (first) return withFaults(refuseFault(first.path, first.message), faults.found);
  if (!fits) return refuse("VALIDATION_FAILED.malformed");
  return accepted({
    url: json.url,
    description: json.description ?? "",
    events: eventsOf(json.events ?? null),
  });
}

/** Why a text cannot describe an endpoint, or null. */
export function findDescriptionFault(description: string): Phrase | null {
  return isLongerThan(description, MAX_DESCRIPTION_LENGTH)
    ? phrase("fault.too_long", { most: MAX_DESCRIPTION_LENGTH })
    : null;
}

/** Subscribed event types as asked for, each once; where none is named, the default (docs/public-api.md section 4.8). */
function eventsOf(asked: readonly EventType[] | null): readonly EventType[] {
  return asked === null || asked.length === 0 ? DEFAULT_EVENTS : [...new Set(asked)];
}
