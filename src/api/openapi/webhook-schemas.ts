/** Endpoints as the OpenAPI document shows them: the bodies of the API as schemas.ts has the others. */
import { Type as t } from "@sinclair/typebox";
import { EVENT_TYPES } from "../../events/catalogue.ts";
import { ENDPOINT } from "../../webhooks/endpoint-request.ts";
import { ENDPOINT_STATUSES, openCode } from "./open-codes.ts";
import { count, instant, instantOrNull, isSandbox, truth, ulid } from "./schema-kinds.ts";

export const WebhookRequest = ENDPOINT.schema;

const webhook = {
  webhook_id: ulid("The endpoint."),
  url: t.String({ description: "Where events are posted.", examples: ["https://shop.example/hooks/bendre"] }),
  description: t.String({ description: "Empty when it has none.", examples: ["Shop"] }),
  events: t.Array(t.Unsafe<string>({ type: "string", "x-extensible-enum": EVENT_TYPES }), {
    description: "What it receives. Other types may be added.",
  }),
  status: openCode(ENDPOINT_STATUSES, "ENABLED, DISABLED_BY_USER or DISABLED_AFTER_FAILURES."),
  consecutive_failures: count(
    "Failed attempts since the last success, a 410 among them; those that fail at the same time count once. At 20 the endpoint is disabled.",
    0,
  ),
  disabled_reason: t.Union([t.String(), t.Null()], { description: "Null when enabled.", examples: [null] }),
  last_success_at: instantOrNull("When an event was last delivered."),
  last_failure_at: instantOrNull("When an attempt last failed."),
  created_at: instant("When it was registered."),
  is_sandbox: isSandbox,
};
const signingSecret = t.String({
  description: "`whsec_` and the base64 of the key. Shown this once.",
  examples: ["whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="],
});

export const Webhook = t.Object(webhook);
export const WebhookCreated = t.Object({ ...webhook, secret: signingSecret });
export const WebhookRotated = t.Object({
  ...webhook,
  secret: signingSecret,
  previous_secret_expires_at: instant("When the previous secret stops verifying."),
});
export const WebhookList = t.Object({
  webhooks: t.Array(t.Ref("#/components/schemas/Webhook"), { description: "Newest first." }),
  is_sandbox: isSandbox,
});

export const WebhookTested = t.Object({
  webhook_id: ulid("The endpoint."),
  event_id: ulid("The event: `webhook-id` of the request."),
  delivered: truth("Whether it was answered with a 2xx in time.", true),
  outcome: t.String({ description: "`delivered`, or why not in words.", examples: ["answered 500"] }),
  status: t.Union([t.Integer({ minimum: 100, maximum: 999 }), t.Null()], {
    description: "The HTTP status of the answer; null when there was none.",
    examples: [204],
  }),
  is_sandbox: isSandbox,
  duration_ms: count("From the request to the end of its answer, in milliseconds."),
});
