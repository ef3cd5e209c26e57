import { BATCH_QUERY } from "../batch-query.ts";
import { FEED_QUERY } from "../feed-query.ts";
import {
  acceptedExample,
  balanceExample,
  batchExample,
  batchPageExample,
  cancelExample,
  cancelledExample,
  feedExample,
  messageExample,
  quoteExample,
  sendersExample,
  submissionExample,
  templatesExample,
  webhookCreatedExample,
  webhookExample,
  webhookListExample,
  webhookRequestExample,
  webhookRotatedExample,
  webhookTestExample,
} from "./examples.ts";
import {
  apiDoc,
  header,
  idIn,
  type Json,
  type OperationDoc,
  queryParameters,
  ref,
  success,
} from "./operation-doc.ts";

export const batchSubmitDoc = apiDoc({
  operationId: "submitBatch",
  tag: "Batches",
  scope: "MESSAGES_SEND",
  summary: "Submit a batch",
  description:
    "Prices the batch, reserves the money and queues every accepted recipient, all or nothing. Filtered recipients are reported in `rejections` with a 202: never rely on the HTTP status alone. The same Idempotency-Key with an equal JSON body replays the first 202; errors release the key. Above 10,000 recipients the batch is priced, and its money reserved, after its 202, which stays remembered even if the batch then is FAILED: use a new key after a top-up.",
  parameters: [
    {
      name: "Idempotency-Key",
      in: "header",
      required: true,
      description: "Any word of yours for this submission, kept for 7 days per API key.",
      schema: { type: "string", minLength: 1, maxLength: 255 },
      example: "campaign-2026-03-01",
    },
  ],
  requestBody: {
    required: true,
    content: { "application/json": { schema: ref("BatchSubmission"), example: submissionExample } },
  },
  status: 202,
  success: success("BatchAccepted", "Accepted, its price reserved, not delivered yet.", acceptedExample, {
    "Idempotency-Replayed": header("Idempotency-Replayed"),
  }),
  codes: [
    "VALIDATION_FAILED",
    "IDEMPOTENCY_KEY_REQUIRED",
    "BATCH_EMPTY",
    "BATCH_BODY_EMPTY",
    "SCHEDULE_INVALID",
    "SENDER_NOT_APPROVED",
    "REQUEST_IN_PROGRESS",
    "IDEMPOTENCY_KEY_REUSED",
    "INSUFFICIENT_FUNDS",
    "CREDIT_LIMIT_EXCEEDED",
    "WALLET_IN_DEBIT",
    "ACCOUNT_SUSPENDED",
    "STORAGE_FULL",
    "RESTORING",
  ],
});

export const batchQuoteDoc = apiDoc({
  operationId: "quoteBatch",
  tag: "Batches",
  scope: "MESSAGES_SEND",
  summary: "Quote a batch",
  description:
    "What the same submission would come to at this moment, to the franc; nothing is written, reserved or used up. Every recipient is looked at, whatever their number. One quote at a time for an account: another is answered 429. An Idempotency-Key is ignored. Too little money is no error here: see `is_payable`.",
  requestBody: {
    required: true,
    content: { "application/json": { schema: ref("BatchSubmission"), example: submissionExample } },
  },
  success: success("Quote", "What it would come to.", quoteExample),
  codes: [
    "VALIDATION_FAILED",
    "BATCH_EMPTY",
    "BATCH_BODY_EMPTY",
    "SCHEDULE_INVALID",
    "SENDER_NOT_APPROVED",
    "ACCOUNT_SUSPENDED",
    "STORAGE_FULL",
    "RESTORING",
  ],
});

export const batchFetchDoc = apiDoc({
  operationId: "getBatch",
  tag: "Batches",
  scope: "MESSAGES_READ",
  summary: "Fetch a batch",
  description: "The batch as it stands, with the full list of its rejected recipients.",
  parameters: [idIn("batch_id")],
  success: success("Batch", "The batch.", batchExample),
  codes: ["NOT_FOUND", "VALIDATION_FAILED"],
});

export const batchListDoc = apiDoc({
  operationId: "listBatches",
  tag: "Batches",
  scope: "MESSAGES_READ",
  summary: "List batches",
  description:
    "The account's batches, newest first, without their rejections and warnings. Follow `next_cursor` with the same filters until it is null; a page may have fewer batches than `limit` before that. An unknown parameter is refused: a misspelt filter must not list everything.",
  parameters: queryParameters(BATCH_QUERY.schema),
  success: success("BatchPage", "A page of batches.", batchPageExample),
  codes: ["VALIDATION_FAILED"],
});

export const batchCancelDoc = apiDoc({
  operationId: "cancelBatch",
  tag: "Batches",
  scope: "MESSAGES_SEND",
  summary: "Cancel a batch",
  description:
    "From this answer on nothing more of the batch leaves. What waits is cancelled and its money given back; what is under way goes on. The batch is CANCELLED once every message's money is charged or given back: of a large batch, or one that was sent in part, after the answer. Repeated it is 202 again and moves nothing.",
  parameters: [idIn("batch_id")],
  requestBody: {
    required: false,
    content: { "application/json": { schema: ref("BatchCancellation"), example: cancelExample } },
  },
  status: 202,
  success: success("Batch", "The batch, called off.", cancelledExample),
  codes: ["NOT_FOUND", "VALIDATION_FAILED", "BATCH_ENDED"],
});

export const messageFetchDoc = apiDoc({
  operationId: "getMessage",
  tag: "Messages",
  scope: "MESSAGES_READ",
  summary: "Fetch a message",
  description: "One message. Its text is not shown.",
  parameters: [idIn("message_id")],
  success: success("Message", "The message.", messageExample),
  codes: ["NOT_FOUND", "VALIDATION_FAILED"],
});

export const feedDoc = apiDoc({
  operationId: "listMessageChanges",
  tag: "Messages",
  scope: "MESSAGES_READ",
  summary: "Poll for status changes",
  description:
    "Messages whose status changed at or after `status_changed_since`, oldest first. Follow `next_status_changed_since` until `has_more` is false. A parameter that is not known is ignored.",
  parameters: queryParameters(FEED_QUERY.schema),
  success: success("FeedPage", "A page of the feed.", feedExample),
  codes: ["NOT_FOUND", "VALIDATION_FAILED"],
});

export const balanceDoc = apiDoc({
  operationId: "getBalance",
  tag: "Account",
  scope: "ACCOUNT_READ",
  summary: "Read the balance",
  description: "Monitor `spendable`, not `balance`.",
  success: success("Balance", "The balance.", balanceExample),
  codes: ["VALIDATION_FAILED"],
});

export const sendersDoc = apiDoc({
  operationId: "listSenderIds",
  tag: "Account",
  scope: "SENDER_IDS_READ",
  summary: "List sender identities",
  description: "Every sender the account has requested. Use `is_sendable` to decide whether one can be used.",
  success: success("SenderList", "The senders, oldest first.", sendersExample),
  codes: ["VALIDATION_FAILED"],
});

export const templatesDoc = apiDoc({
  operationId: "listTemplates",
  tag: "Account",
  scope: "MESSAGES_SEND",
  summary: "List WhatsApp templates",
  description:
    'The templates of the numbers that the account\'s senders are registered with. The body of a batch with `channel: "WHATSAPP"` is the text of one that is usable. Empty where there is no such number. A test key is shown those of every number, and four built-in ones where there are none.',
  success: success("TemplateList", "The templates.", templatesExample),
  codes: ["VALIDATION_FAILED"],
});

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
    "It receives what happens from now on, signed with `secret`, which is shown here and never again. An account has 100 at most, disabled ones included. See [/docs/webhooks](/docs/webhooks) for what is sent and how to verify it.",
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

export const webhookTestDoc = apiDoc({
  operationId: "testWebhook",
  tag: "Webhooks",
  scope: "WEBHOOKS_MANAGE",
  summary: "Post a test event to an endpoint",
  description:
    "Posts one event of the type `WEBHOOK_TEST`, signed like any other, and answers with what came of it: 200 also when nobody was there. It counts neither for nor against the endpoint, is never repeated, and is posted to a disabled endpoint too. At most 6 a minute for an endpoint.",
  parameters: [idIn("webhook_id")],
  success: success("WebhookTested", "What the endpoint answered.", webhookTestExample),
  codes: ["NOT_FOUND", "VALIDATION_FAILED"],
});

const healthAnswer = (schema: string, description: string, status: string): Json => ({
  description,
  headers: { "X-Request-Id": header("X-Request-Id") },
  content: {
    "application/json": {
      schema: { type: "object", required: ["data"], properties: { data: ref(schema) } },
      example: { data: { status } },
    },
  },
});

export const liveDoc: OperationDoc = {
  operationId: "getLiveness",
  tags: ["Health"],
  summary: "Whether the process is alive",
  description: "Needs no API key.",
  security: [],
  responses: { 200: healthAnswer("Health", "Live.", "live") },
};

export const readyDoc: OperationDoc = {
  ...liveDoc,
  operationId: "getReadiness",
  summary: "Whether requests are accepted",
  responses: {
    200: healthAnswer("Health", "Ready.", "ready"),
    503: healthAnswer("Health", "Not ready.", "not ready"),
  },
};

export const healthDoc: OperationDoc = {
  ...liveDoc,
  operationId: "getHealth",
  summary: "Whether anything needs a person",
  description:
    "For monitoring: `ok`; `degraded` when somebody should look, such as while an operator is away; `down`, with 503, exactly while submissions cannot be taken. Needs no API key. What was looked at is only told on the appliance's own machine.",
  responses: {
    200: healthAnswer("ApplianceHealth", "Submissions are taken.", "ok"),
    503: healthAnswer("ApplianceHealth", "Submissions are not taken.", "down"),
  },
};
