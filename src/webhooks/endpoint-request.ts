/**
 * Reads what a client asks of a webhook endpoint, URL, events and description, and checks each (docs/public-api.md section
 * 4.8).
 */
import { isIP } from "node:net";
import { Type as t } from "@sinclair/typebox";
import {
  accepted,
  faultList,
  isLongerThan,
  type Outcome,
  refuse,
  refuseFault,
  withFaults,
} from "../core/refusals.ts";
import {
  defineShape,
  describe,
  hasShape,
  isRecord,
  oneOf,
  optional,
  refuseOthers,
} from "../core/request-shape.ts";
import { DEFAULT_EVENTS, EVENT_TYPES, type EventType } from "../domain/events/outbox.ts";
import type { HttpsTarget } from "../https/https-request.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";

/** The longest URL of an endpoint (docs/public-api.md section 8). */
const MAX_URL_LENGTH = 2048;

/**
 * `https:`, two slashes and an authority, as RFC 9110 section 4.2.2 has it. Parsers of URLs are those of browsers: they
 * read a host into `https:///hook`, `https:hook` and `https:/hook`, which another reader finds elsewhere.
 */
const WRITTEN_OUT = /^https:\/\/[^/?#@]+(?=[/?#]|$)/i;

/** What DNS can hold (RFC 1035 section 2.3.4). */
const MAX_NAME_LENGTH = 253;
const LABEL = /^[^.]{1,63}$/;

/**
 * What is wrong with a URL that somebody wants to register; null when nothing is. Stricter than `readEndpointUrl`,
 * which also reads what was registered before.
 */
export function findEndpointUrlFault(text: string): Phrase | null {
  const read = readEndpointUrl(text);
  if ("fault" in read) return read.fault;
  if (!WRITTEN_OUT.test(text)) return phrase("fault.url.written_out");
  const { host, isAddress } = read.target;
  if (isAddress) return null;
  return host.length <= MAX_NAME_LENGTH && host.split(".").every((label) => LABEL.test(label))
    ? null
    : phrase("fault.url.name");
}

/** Takes an endpoint's URL apart, or says what is wrong with it (docs/public-api.md section 4.8). Asks nobody. */
export function readEndpointUrl(text: string): { readonly target: HttpsTarget } | { readonly fault: Phrase } {
  if (text.length > MAX_URL_LENGTH) return { fault: phrase("fault.too_long", { most: MAX_URL_LENGTH }) };
  // The parser would drop or encode these without a word; the receiver's own log would show another URL.
  if (/[\s\p{Cc}\\]/u.test(text)) return { fault: phrase("fault.url.signs") };
  const url = URL.parse(text);
  if (!url) return { fault: phrase("fault.url") };
  if (url.protocol !== "https:") return { fault: phrase("fault.url.https") };
  if (url.username !== "" || url.password !== "") return { fault: phrase("fault.url.credentials") };
  if (url.port === "0") return { fault: phrase("fault.url.port") };
  // A trailing dot ends an absolute name in DNS and has no place in TLS (RFC 6066 section 3).
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (host === "") return { fault: phrase("fault.url.no_host") };
  return {
    target: {
      host,
      isAddress: isIP(host) !== 0,
      port: url.port === "" ? 443 : Number(url.port),
      path: `${url.pathname}${url.search}`,
      authority: url.host,
    },
  };
}

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

/** The endpoint that a request asks for. */
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
