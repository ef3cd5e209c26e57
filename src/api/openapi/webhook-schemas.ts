/** Bodies of the operations on webhook endpoints; schemas.ts has the others. */
import { Type as t } from "@sinclair/typebox";
import { ENDPOINT } from "../../webhooks/endpoint-request.ts";
import { count, instant, instantOrNull, ulid } from "./fields.ts";

export const WebhookRequest = ENDPOINT.schema;

const webhook = {
  webhook_id: ulid("The endpoint."),
  url: t.String(),
  description: t.String({ description: "Empty when it has none." }),
  events: t.Array(t.String(), { description: "What it receives. Other types may be added." }),
  status: t.String({
    description: "ENABLED, DISABLED_BY_USER or DISABLED_AFTER_FAILURES.",
    examples: ["ENABLED"],
  }),
  consecutive_failures: count("Failed attempts since the last success. At 20 the endpoint is disabled."),
  disabled_reason: t.Union([t.String(), t.Null()], { description: "Null when enabled." }),
  last_success_at: instantOrNull("When an event was last delivered."),
  last_failure_at: instantOrNull("When an attempt last failed."),
  created_at: instant("When it was registered."),
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
export const WebhookList = t.Object({ webhooks: t.Array(t.Ref("#/components/schemas/Webhook")) });
