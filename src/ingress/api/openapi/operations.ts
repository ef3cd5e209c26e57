/** OpenAPI operations of every route: parameters, answers, and the error codes each may give with an example. */
import type { TObject } from "@sinclair/typebox";
import { type Description, describe } from "../../../core/request-shape.ts";
import type { Scope } from "../../../domain/accounts/api-keys.ts";
import { phrase } from "../../../i18n/phrase.ts";
import { FAILURES, type FailureCode, retryAfterSeconds } from "../../http/error-codes.ts";
import { ERROR_PAGE, errorAnchor } from "../../http/problem.ts";
import { BATCH_QUERY, FEED_QUERY } from "../request-parsers.ts";
/** Bodies as clients see them, for the same two recipients seen from each operation. Tests check them against the schemas. */
import examples from "./examples.json" with { type: "json" };

/** One operation, as Elysia takes it in a route's `detail`. */
type OperationDoc = {
  readonly operationId: string;
  readonly tags: string[];
  readonly summary: string;
  readonly description: string;
  readonly [member: string]: unknown;
};

/** The same for a route of the API. `x-scope`: the scope that a key needs; the document keeps it as an extension. */
export type ScopedDoc = OperationDoc & { readonly "x-scope": Scope };

export type Json = Readonly<Record<string, unknown>>;

export const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const header = (name: string): Json => ({ $ref: `#/components/headers/${name}` });

const EVERYWHERE: readonly FailureCode[] = [
  "UNAUTHORIZED",
  "INSUFFICIENT_SCOPE",
  "RATE_LIMITED",
  "UNSUPPORTED_VERSION",
  "SERVICE_UNAVAILABLE",
  "CONFIGURATION_ERROR",
  "INTERNAL_ERROR",
];

const RATE_HEADERS: Json = {
  "X-Request-Id": header("X-Request-Id"),
  "X-RateLimit-Limit": header("X-RateLimit-Limit"),
  "X-RateLimit-Remaining": header("X-RateLimit-Remaining"),
  "X-RateLimit-Reset": header("X-RateLimit-Reset"),
};

function success(schema: string, description: Description, example: unknown, headers: Json = {}): Json {
  const content = {
    "application/json": {
      schema: { type: "object", required: ["data"], properties: { data: ref(schema) } },
      example: { data: example },
    },
  };
  return { description: describe(description), headers: { ...RATE_HEADERS, ...headers }, content };
}

/** The answer of a refusal with this code. */
export function problemExample(code: FailureCode) {
  const { status, title, retryable } = FAILURES[code];
  return {
    type: `${ERROR_PAGE}#${errorAnchor(code)}`,
    title,
    status,
    code,
    detail: title.toLowerCase(),
    is_retryable: retryable,
    request_id: "01KJQX5Y8P9Q8R7S6T5V4W3X2Y",
  };
}

/** One response for each HTTP status among the codes, with an example of every code. */
function failures(codes: readonly FailureCode[]): Json {
  const responses: Record<string, Json> = {};
  for (const [status, group] of Map.groupBy(codes, (code) => FAILURES[code].status)) {
    const isKnown = !group.some((code) => code === "UNAUTHORIZED" || code === "UNSUPPORTED_VERSION");
    const waits = group.some((code) => code === "RATE_LIMITED" || retryAfterSeconds(code) !== null);
    responses[String(status)] = {
      description: group.join(", "),
      headers: {
        ...(isKnown ? RATE_HEADERS : { "X-Request-Id": header("X-Request-Id") }),
        ...(waits ? { "Retry-After": header("Retry-After") } : {}),
      },
      content: {
        "application/json": {
          schema: ref("Problem"),
          examples: Object.fromEntries(group.map((code) => [code, { value: problemExample(code) }])),
        },
      },
    };
  }
  return responses;
}

type ApiDoc = {
  readonly operationId: string;
  readonly tag: Description;
  readonly scope: Scope;
  readonly summary: Description;
  readonly description: Description;
  readonly parameters?: readonly Json[];
  readonly requestBody?: Json;
  readonly status?: 200 | 201 | 202;
  readonly success: Json;
  readonly codes: readonly FailureCode[];
};

function apiDoc(doc: ApiDoc): ScopedDoc {
  return {
    operationId: doc.operationId,
    tags: [describe(doc.tag)],
    summary: describe(doc.summary),
    description: describe("reference.scope", { what: phrase(doc.description), scope: doc.scope }),
    "x-scope": doc.scope,
    security: [{ bearer: [] }, { apiKey: [] }],
    ...(doc.parameters ? { parameters: doc.parameters } : {}),
    ...(doc.requestBody ? { requestBody: doc.requestBody } : {}),
    responses: { [doc.status ?? 200]: doc.success, ...failures([...doc.codes, ...EVERYWHERE]) },
  };
}

const idIn = (name: string): Json => ({
  name,
  in: "path",
  required: true,
  description: describe("reference.id"),
  schema: { type: "string", minLength: 26, maxLength: 26 },
  example: "01KJQX5Y8M3T7V9B2C4D6F8G0H",
});

/** The parameters of a query string, from the schema of an object of them. */
function queryParameters({ properties, required = [] }: TObject): readonly Json[] {
  return Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
    name,
    in: "query",
    ...(required.includes(name) ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
    schema,
    ...(examples === undefined ? {} : { example: examples[0] }),
  }));
}

export const batchSubmitDoc = apiDoc({
  operationId: "submitBatch",
  tag: "reference.tag.batches",
  scope: "MESSAGES_SEND",
  summary: "reference.submitBatch.summary",
  description: "reference.submitBatch.description",
  parameters: [
    {
      name: "Idempotency-Key",
      in: "header",
      required: true,
      description: describe("reference.submitBatch.key"),
      schema: { type: "string", minLength: 1, maxLength: 255 },
      example: "campaign-2026-03-01",
    },
  ],
  requestBody: {
    required: true,
    content: { "application/json": { schema: ref("BatchSubmission"), example: examples.submission } },
  },
  status: 202,
  success: success("BatchAccepted", "reference.submitBatch.answer", examples.accepted, {
    "Idempotency-Replayed": header("Idempotency-Replayed"),
  }),
  codes: [
    "VALIDATION_FAILED",
    "IDEMPOTENCY_KEY_REQUIRED",
    "BATCH_EMPTY",
    "BATCH_BODY_EMPTY",
    "SCHEDULE_INVALID",
    "SENDER_NOT_APPROVED",
    "TOO_MANY_HOPS",
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
  tag: "reference.tag.batches",
  scope: "MESSAGES_SEND",
  summary: "reference.quoteBatch.summary",
  description: "reference.quoteBatch.description",
  requestBody: {
    required: true,
    content: { "application/json": { schema: ref("BatchSubmission"), example: examples.submission } },
  },
  success: success("Quote", "reference.quoteBatch.answer", examples.quote),
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
  tag: "reference.tag.batches",
  scope: "MESSAGES_READ",
  summary: "reference.getBatch.summary",
  description: "reference.getBatch.description",
  parameters: [idIn("batch_id")],
  success: success("Batch", "reference.Batch", examples.batch),
  codes: ["NOT_FOUND", "VALIDATION_FAILED"],
});

export const batchListDoc = apiDoc({
  operationId: "listBatches",
  tag: "reference.tag.batches",
  scope: "MESSAGES_READ",
  summary: "reference.listBatches.summary",
  description: "reference.listBatches.description",
  parameters: queryParameters(BATCH_QUERY.schema),
  success: success("BatchPage", "reference.listBatches.answer", examples.batchPage),
  codes: ["VALIDATION_FAILED"],
});

export const batchCancelDoc = apiDoc({
  operationId: "cancelBatch",
  tag: "reference.tag.batches",
  scope: "MESSAGES_SEND",
  summary: "reference.cancelBatch.summary",
  description: "reference.cancelBatch.description",
  parameters: [idIn("batch_id")],
  requestBody: {
    required: false,
    content: { "application/json": { schema: ref("BatchCancellation"), example: examples.cancel } },
  },
  status: 202,
  success: success("Batch", "reference.cancelBatch.answer", examples.cancelled),
  codes: ["NOT_FOUND", "VALIDATION_FAILED", "BATCH_ENDED"],
});

export const messageFetchDoc = apiDoc({
  operationId: "getMessage",
  tag: "reference.tag.messages",
  scope: "MESSAGES_READ",
  summary: "reference.getMessage.summary",
  description: "reference.getMessage.description",
  parameters: [idIn("message_id")],
  success: success("Message", "reference.Message", examples.message),
  codes: ["NOT_FOUND", "VALIDATION_FAILED"],
});

export const feedDoc = apiDoc({
  operationId: "listMessageChanges",
  tag: "reference.tag.messages",
  scope: "MESSAGES_READ",
  summary: "reference.listMessageChanges.summary",
  description: "reference.listMessageChanges.description",
  parameters: queryParameters(FEED_QUERY.schema),
  success: success("FeedPage", "reference.listMessageChanges.answer", examples.feed),
  codes: ["NOT_FOUND", "VALIDATION_FAILED"],
});

export const accountDoc = apiDoc({
  operationId: "getAccount",
  tag: "reference.tag.account",
  scope: "ACCOUNT_READ",
  summary: "reference.getAccount.summary",
  description: "reference.getAccount.description",
  success: success("Account", "reference.Account", examples.account),
  codes: ["VALIDATION_FAILED"],
});

export const balanceDoc = apiDoc({
  operationId: "getBalance",
  tag: "reference.tag.account",
  scope: "ACCOUNT_READ",
  summary: "reference.getBalance.summary",
  description: "reference.getBalance.description",
  success: success("Balance", "reference.Balance", examples.balance),
  codes: ["VALIDATION_FAILED"],
});

export const sendersDoc = apiDoc({
  operationId: "listSenderIds",
  tag: "reference.tag.account",
  scope: "SENDER_IDS_READ",
  summary: "reference.listSenderIds.summary",
  description: "reference.listSenderIds.description",
  success: success("SenderList", "reference.listSenderIds.answer", examples.senders),
  codes: ["VALIDATION_FAILED"],
});

export const templatesDoc = apiDoc({
  operationId: "listTemplates",
  tag: "reference.tag.account",
  scope: "MESSAGES_SEND",
  summary: "reference.listTemplates.summary",
  description: "reference.listTemplates.description",
  success: success("TemplateList", "reference.listTemplates.answer", examples.templates),
  codes: ["VALIDATION_FAILED"],
});

export const webhooksDoc = apiDoc({
  operationId: "listWebhooks",
  tag: "reference.tag.webhooks",
  scope: "WEBHOOKS_MANAGE",
  summary: "reference.listWebhooks.summary",
  description: "reference.listWebhooks.description",
  success: success("WebhookList", "reference.listWebhooks.answer", examples.webhookList),
  codes: ["VALIDATION_FAILED"],
});

export const webhookCreateDoc = apiDoc({
  operationId: "createWebhook",
  tag: "reference.tag.webhooks",
  scope: "WEBHOOKS_MANAGE",
  summary: "reference.createWebhook.summary",
  description: "reference.createWebhook.description",
  requestBody: {
    required: true,
    content: { "application/json": { schema: ref("WebhookRequest"), example: examples.webhookRequest } },
  },
  status: 201,
  success: success("WebhookCreated", "reference.createWebhook.answer", examples.webhookCreated),
  codes: ["VALIDATION_FAILED"],
});

export const webhookRotateDoc = apiDoc({
  operationId: "rotateWebhookSecret",
  tag: "reference.tag.webhooks",
  scope: "WEBHOOKS_MANAGE",
  summary: "reference.rotateWebhookSecret.summary",
  description: "reference.rotateWebhookSecret.description",
  parameters: [idIn("webhook_id")],
  success: success("WebhookRotated", "reference.rotateWebhookSecret.answer", examples.webhookRotated),
  codes: ["NOT_FOUND", "VALIDATION_FAILED"],
});

export const webhookEnableDoc = apiDoc({
  operationId: "enableWebhook",
  tag: "reference.tag.webhooks",
  scope: "WEBHOOKS_MANAGE",
  summary: "reference.enableWebhook.summary",
  description: "reference.enableWebhook.description",
  parameters: [idIn("webhook_id")],
  success: success("Webhook", "reference.enableWebhook.answer", examples.webhook),
  codes: ["NOT_FOUND", "VALIDATION_FAILED"],
});

export const webhookDisableDoc = apiDoc({
  operationId: "disableWebhook",
  tag: "reference.tag.webhooks",
  scope: "WEBHOOKS_MANAGE",
  summary: "reference.disableWebhook.summary",
  description: "reference.disableWebhook.description",
  parameters: [idIn("webhook_id")],
  success: success("Webhook", "reference.disableWebhook.answer", {
    ...examples.webhook,
    status: "DISABLED_BY_USER",
    disabled_reason: "disabled through the API",
  }),
  codes: ["NOT_FOUND", "VALIDATION_FAILED"],
});

export const webhookTestDoc = apiDoc({
  operationId: "testWebhook",
  tag: "reference.tag.webhooks",
  scope: "WEBHOOKS_MANAGE",
  summary: "reference.testWebhook.summary",
  description: "reference.testWebhook.description",
  parameters: [idIn("webhook_id")],
  success: success("WebhookTested", "reference.testWebhook.answer", examples.webhookTest),
  codes: ["NOT_FOUND", "VALIDATION_FAILED"],
});

const healthAnswer = (schema: string, description: Description, status: string): Json => ({
  description: describe(description),
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
  tags: [describe("reference.tag.health")],
  summary: describe("reference.getLiveness.summary"),
  description: describe("reference.getLiveness.description"),
  security: [],
  responses: { 200: healthAnswer("Health", "reference.getLiveness.answer", "live") },
};

export const readyDoc: OperationDoc = {
  ...liveDoc,
  operationId: "getReadiness",
  summary: describe("reference.getReadiness.summary"),
  responses: {
    200: healthAnswer("Health", "reference.getReadiness.ready", "ready"),
    503: healthAnswer("Health", "reference.getReadiness.not_ready", "not ready"),
  },
};

export const healthDoc: OperationDoc = {
  ...liveDoc,
  operationId: "getHealth",
  summary: describe("reference.getHealth.summary"),
  description: describe("reference.getHealth.description"),
  responses: {
    200: healthAnswer("ApplianceHealth", "reference.getHealth.taken", "ok"),
    503: healthAnswer("ApplianceHealth", "reference.getHealth.not_taken", "down"),
  },
};
