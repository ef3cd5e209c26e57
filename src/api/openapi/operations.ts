import type { TObject } from "@sinclair/typebox";
import type { Scope } from "../../accounts/scopes.ts";
import { FAILURES, type FailureCode, retryAfterSeconds } from "../../http/failures.ts";
import { FEED_QUERY } from "../feed-query.ts";
import {
  acceptedExample,
  balanceExample,
  batchExample,
  feedExample,
  messageExample,
  problemExample,
  sendersExample,
  submissionExample,
} from "./examples.ts";

/**
 * The OpenAPI operation of each route, handed to Elysia as the route's `detail`. `x-scope` is what the gate asks of a
 * key; the document keeps it as an extension.
 */
export type OperationDoc = {
  readonly operationId: string;
  readonly tags: string[];
  readonly summary: string;
  readonly description: string;
  readonly "x-scope"?: Scope;
  readonly [member: string]: unknown;
};

type Json = Readonly<Record<string, unknown>>;

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

export function success(schema: string, description: string, example: unknown, headers: Json = {}): Json {
  const content = {
    "application/json": {
      schema: { type: "object", required: ["data"], properties: { data: ref(schema) } },
      example: { data: example },
    },
  };
  return { description, headers: { ...RATE_HEADERS, ...headers }, content };
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
  readonly tag: string;
  readonly scope: Scope;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Json[];
  readonly requestBody?: Json;
  readonly status?: 200 | 201 | 202;
  readonly success: Json;
  readonly codes: readonly FailureCode[];
};

export function apiDoc(doc: ApiDoc): OperationDoc {
  return {
    operationId: doc.operationId,
    tags: [doc.tag],
    summary: doc.summary,
    description: `${doc.description}\n\nScope: \`${doc.scope}\`.`,
    "x-scope": doc.scope,
    security: [{ bearer: [] }, { apiKey: [] }],
    ...(doc.parameters ? { parameters: doc.parameters } : {}),
    ...(doc.requestBody ? { requestBody: doc.requestBody } : {}),
    responses: { [doc.status ?? 200]: doc.success, ...failures([...doc.codes, ...EVERYWHERE]) },
  };
}

export const idIn = (name: string): Json => ({
  name,
  in: "path",
  required: true,
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
  tag: "Batches",
  scope: "MESSAGES_SEND",
  summary: "Submit a batch",
  description:
    "Prices the batch, reserves the money and queues every accepted recipient, all or nothing. Filtered recipients are reported in `rejections` with a 202: never rely on the HTTP status alone. The same Idempotency-Key with an equal JSON body replays the first 202; errors release the key. Above 10,000 recipients the batch is priced and paid for after its 202, which stays remembered even if the batch then is FAILED: use a new key after a top-up.",
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
  success: success("BatchAccepted", "Accepted and paid for, not delivered yet.", acceptedExample, {
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
    "Messages whose status changed at or after `status_changed_since`, oldest first. Follow `next_status_changed_since` until `has_more` is false.",
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

function probeDoc(operationId: string, summary: string, isReadiness: boolean): OperationDoc {
  const answer = (description: string, status: string): Json => ({
    description,
    headers: { "X-Request-Id": header("X-Request-Id") },
    content: {
      "application/json": {
        schema: { type: "object", required: ["data"], properties: { data: ref("Health") } },
        example: { data: { status } },
      },
    },
  });
  return {
    operationId,
    tags: ["Health"],
    summary,
    description: "Needs no API key.",
    security: [],
    responses: isReadiness
      ? { 200: answer("Ready.", "ready"), 503: answer("Not ready.", "not ready") }
      : { 200: answer("Live.", "live") },
  };
}

export const liveDoc = probeDoc("getLiveness", "Whether the process is alive", false);
export const readyDoc = probeDoc("getReadiness", "Whether requests are accepted", true);

const applianceHealth = (description: string, status: string): Json => ({
  description,
  headers: { "X-Request-Id": header("X-Request-Id") },
  content: {
    "application/json": {
      schema: { type: "object", required: ["data"], properties: { data: ref("ApplianceHealth") } },
      example: { data: { status } },
    },
  },
});

export const healthDoc: OperationDoc = {
  operationId: "getHealth",
  tags: ["Health"],
  summary: "Whether anything needs a person",
  description:
    "For monitoring: `ok`; `degraded` when somebody should look, such as while an operator is away; `down`, with 503, exactly while submissions cannot be taken. Needs no API key. What was looked at is only told on the appliance's own machine.",
  security: [],
  responses: {
    200: applianceHealth("Submissions are taken.", "ok"),
    503: applianceHealth("Submissions are not taken.", "down"),
  },
};
