import { accepted, type FieldFault, type Outcome, refused } from "../base/failures.ts";
import {
  EVENT_TYPES,
  type EventType,
  isEventType,
  PROMISED_EVENTS,
  USUAL_EVENTS,
} from "../events/catalogue.ts";
import { endpointUrlFault } from "./endpoint-url.ts";

/** The longest description of an endpoint (docs/public-api.md section 8). */
export const LONGEST_DESCRIPTION = 255;

/** An endpoint as a client asks for it. */
export type EndpointRequest = {
  readonly url: string;
  readonly description: string;
  /** Without repeats, never empty. */
  readonly events: readonly EventType[];
};

const FIELDS = ["url", "description", "events"];

/** Reads the body of `POST /webhooks` (docs/public-api.md section 4.8). */
export function readEndpointRequest(json: unknown): Outcome<EndpointRequest, "VALIDATION_FAILED"> {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    return refused("VALIDATION_FAILED", "the request body must be a JSON object");
  }
  const { url, description, events } = json as Readonly<Record<string, unknown>>;
  const faults: FieldFault[] = [];
  for (const name of Object.keys(json)) {
    if (!FIELDS.includes(name)) faults.push({ path: pointer(name), message: "is not a field of a webhook" });
  }
  const urlFault = typeof url === "string" ? endpointUrlFault(url) : "must be a text";
  if (urlFault !== null) faults.push({ path: "/url", message: urlFault });
  const descriptionFault = faultOfDescription(description);
  if (descriptionFault !== null) faults.push({ path: "/description", message: descriptionFault });
  faults.push(...faultsOfEvents(events));
  const [first] = faults;
  if (first) {
    const detail = `${first.path.slice(1)} ${first.message}`;
    return refused("VALIDATION_FAILED", detail, faults.slice(0, 20));
  }
  return accepted({
    url: String(url),
    description: typeof description === "string" ? description : "",
    events: eventsOf(Array.isArray(events) ? events : null),
  });
}

export function faultOfDescription(description: unknown): string | null {
  if (description === undefined || description === null) return null;
  if (typeof description !== "string") return "must be a text";
  return [...description].length > LONGEST_DESCRIPTION
    ? `must have at most ${LONGEST_DESCRIPTION} characters`
    : null;
}

function faultsOfEvents(events: unknown): FieldFault[] {
  if (events === undefined || events === null) return [];
  if (!Array.isArray(events)) return [{ path: "/events", message: "must be a list" }];
  return events.flatMap((event: unknown, index) =>
    typeof event === "string" && isEventType(event)
      ? []
      : [{ path: `/events/${index}`, message: `must be one of ${EVENT_TYPES.join(", ")}` }],
  );
}

/**
 * Subscribed event types as asked for, each once. Null, nothing was asked for: the usual ones; an empty list: the two
 * that docs/public-api.md section 4.8 promises for it.
 */
function eventsOf(asked: readonly unknown[] | null): readonly EventType[] {
  if (asked === null) return USUAL_EVENTS;
  const known = asked.filter((event): event is EventType => typeof event === "string" && isEventType(event));
  return known.length === 0 ? PROMISED_EVENTS : [...new Set(known)];
}

/** A JSON Pointer to a member (RFC 6901). */
function pointer(name: string): string {
  return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
