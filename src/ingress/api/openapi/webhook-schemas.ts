/** Endpoints as the OpenAPI document shows them, in the style of schemas.ts. */
import { Type as t } from "@sinclair/typebox";
import { describe } from "../../../core/request-shape.ts";
import { EVENT_TYPES } from "../../../domain/events/outbox.ts";
import { ENDPOINT } from "../../../webhooks/endpoint-request.ts";
import { ENDPOINT_STATUSES, openEnum } from "./open-codes.ts";
import { count, instant, instantOrNull, isSandbox, truth, ulid } from "./schema-kinds.ts";

export const WebhookRequest = ENDPOINT.schema;

const webhook = {
  webhook_id: ulid("reference.Webhook"),
  url: t.String({
    description: describe("reference.Webhook.url"),
    examples: ["https://shop.example/hooks/bendre"],
  }),
  description: t.String({ description: describe("reference.Webhook.description"), examples: ["Shop"] }),
  events: t.Array(t.Unsafe<string>({ type: "string", "x-extensible-enum": EVENT_TYPES }), {
    description: describe("reference.Webhook.events"),
  }),
  status: openEnum(ENDPOINT_STATUSES, "reference.Webhook.status"),
  consecutive_failures: count("reference.Webhook.consecutive_failures", 0),
  disabled_reason: t.Union([t.String(), t.Null()], {
    description: describe("reference.Webhook.disabled_reason"),
    examples: [null],
  }),
  last_success_at: instantOrNull("reference.Webhook.last_success_at"),
  last_failure_at: instantOrNull("reference.Webhook.last_failure_at"),
  created_at: instant("reference.Webhook.created_at"),
  is_sandbox: isSandbox,
};
const signingSecret = t.String({
  description: describe("reference.Webhook.secret"),
  examples: ["whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="],
});

export const Webhook = t.Object(webhook);
export const WebhookCreated = t.Object({ ...webhook, secret: signingSecret });
export const WebhookRotated = t.Object({
  ...webhook,
  secret: signingSecret,
  previous_secret_expires_at: instant("reference.WebhookRotated.previous_secret_expires_at"),
});
export const WebhookList = t.Object({
  webhooks: t.Array(t.Ref("#/components/schemas/Webhook"), {
    description: describe("reference.newest_first"),
  }),
  is_sandbox: isSandbox,
});

export const WebhookTested = t.Object({
  webhook_id: ulid("reference.Webhook"),
  event_id: ulid("reference.WebhookTested.event_id"),
  delivered: truth("reference.WebhookTested.delivered", true),
  outcome: t.String({ description: describe("reference.WebhookTested.outcome"), examples: ["answered 500"] }),
  status: t.Union([t.Integer({ minimum: 100, maximum: 999 }), t.Null()], {
    description: describe("reference.WebhookTested.status"),
    examples: [204],
  }),
  is_sandbox: isSandbox,
  duration_ms: count("reference.WebhookTested.duration_ms"),
});
