import {
  webhookCreatedExample,
  webhookExample,
  webhookListExample,
  webhookRequestExample,
  webhookRotatedExample,
} from "./examples.ts";
import { apiDoc, idIn, ref, success } from "./operations.ts";

export const webhooksDoc = apiDoc({
  operationId: "listWebhooks",
  tag: "Webhooks",
  scope: "WEBHOOKS_MANAGE",
  summary: "List webhook endpoints",
  description: "Every endpoint of the account, newest first. Secrets are not shown.",
  success: success("WebhookList", "The endpoints.", webhookListExample),
  codes: ["VALIDATION_FAILED"],
});

export const webhookCreateDoc = apiDoc({
  operationId: "createWebhook",
  tag: "Webhooks",
  scope: "WEBHOOKS_MANAGE",
  summary: "Register a webhook endpoint",
  description:
    "It receives what happens from now on, signed with `secret`, which is shown here and never again. See [/docs/webhooks](/docs/webhooks) for what is sent and how to verify it.",
  requestBody: {
    required: true,
    content: { "application/json": { schema: ref("WebhookRequest"), example: webhookRequestExample } },
  },
  status: 201,
  success: success("WebhookCreated", "Registered and enabled.", webhookCreatedExample),
  codes: ["VALIDATION_FAILED"],
});

export const webhookRotateDoc = apiDoc({
  operationId: "rotateWebhookSecret",
  tag: "Webhooks",
  scope: "WEBHOOKS_MANAGE",
  summary: "Give an endpoint a new secret",
  description:
    "The previous secret keeps verifying for 24 hours: until then every event carries a signature of each, the new one first.",
  parameters: [idIn("webhook_id")],
  success: success("WebhookRotated", "The endpoint and its new secret.", webhookRotatedExample),
  codes: ["NOT_FOUND", "VALIDATION_FAILED"],
});

export const webhookEnableDoc = apiDoc({
  operationId: "enableWebhook",
  tag: "Webhooks",
  scope: "WEBHOOKS_MANAGE",
  summary: "Enable an endpoint",
  description:
    "Its failures are forgotten. What happened while it was disabled is not sent: recover it from `GET /messages`.",
  parameters: [idIn("webhook_id")],
  success: success("Webhook", "The endpoint, enabled.", webhookExample),
  codes: ["NOT_FOUND", "VALIDATION_FAILED"],
});

export const webhookDisableDoc = apiDoc({
  operationId: "disableWebhook",
  tag: "Webhooks",
  scope: "WEBHOOKS_MANAGE",
  summary: "Disable an endpoint",
  description: "What waits for it is dropped, and what happens while it is disabled is not kept for it.",
  parameters: [idIn("webhook_id")],
  success: success("Webhook", "The endpoint, disabled.", {
    ...webhookExample,
    status: "DISABLED_BY_USER",
    disabled_reason: "disabled through the API",
  }),
  codes: ["NOT_FOUND", "VALIDATION_FAILED"],
});
