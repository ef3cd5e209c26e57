import { swagger } from "@elysiajs/swagger";
import { type AnyElysia, Elysia } from "elysia";
import { assert } from "../../base/assert.ts";
import { FAILURES, type FailureCode, retryAfterSeconds } from "../../http/failures.ts";
import { ERROR_PAGE, errorAnchor } from "../../http/problem.ts";
import { API_BASE } from "../operation.ts";
import {
  BatchTold,
  EventBatch,
  EventTest,
  EventWallet,
  MessageTold,
  TestTold,
  WalletTold,
  WEBHOOKS,
} from "./event-schemas.ts";
import * as health from "./health-schemas.ts";
import { Quote, Warning } from "./quote-schemas.ts";
import * as schemas from "./schemas.ts";
import * as templates from "./template-schemas.ts";
import * as webhooks from "./webhook-schemas.ts";

const integerHeader = (description: string) => ({ description, schema: { type: "integer", minimum: 0 } });

const headers = {
  "X-Request-Id": {
    description:
      "The request's own X-Request-Id if it had one of at most 64 safe characters, else a new one.",
    schema: { type: "string", maxLength: 64 },
  },
  "X-RateLimit-Limit": integerHeader("The most requests this key may make at once."),
  "X-RateLimit-Remaining": integerHeader("Requests left at this moment."),
  "X-RateLimit-Reset": integerHeader("Seconds until the full number may be made at once again."),
  "Retry-After": integerHeader("Seconds to wait before the next try."),
  "Idempotency-Replayed": {
    description:
      "Only where this is the stored answer of an earlier request with the same Idempotency-Key: nothing was sent again.",
    schema: { type: "string", enum: ["true"] },
  },
};

/** Where one word is not enough. */
const RETRIES: Partial<Record<FailureCode, string>> = {
  CONFIGURATION_ERROR:
    "May succeed once the service is set up for it. A channel without a provider is refused each time, with is_retryable false: do not send the request again.",
};

/** One code of the table `x-errors`, for clients that decide by a table what to send again. */
function errorEntry(code: FailureCode) {
  const { status, title, retryable } = FAILURES[code];
  const exception = RETRIES[code];
  return {
    ...{ code, status, title, is_retryable: retryable },
    ...(exception === undefined ? {} : { exception }),
    retry_after_seconds: retryAfterSeconds(code),
    page: `${ERROR_PAGE}#${errorAnchor(code)}`,
  };
}

const events = { EventBatch, EventTest, EventWallet, BatchTold, MessageTold, TestTold, WalletTold };

/** What the document says beside the operations that the routes describe themselves. */
const documentation = {
  openapi: "3.1.0",
  info: {
    title: "Bendre",
    version: "1.0.0",
    description:
      "Sends text messages to phone numbers in bulk. Successful answers stand under `data`; errors are explained at [/docs/errors](/docs/errors). Tolerate fields, statuses and reason codes that are not named here.",
  },
  "x-errors": (Object.keys(FAILURES) as FailureCode[]).map(errorEntry),
  tags: [
    { name: "Batches", description: "Submit texts and see what became of them." },
    { name: "Messages", description: "Single messages and the feed of their changes." },
    { name: "Account", description: "Balance and sender identities." },
    { name: "Webhooks", description: "Endpoints that are told what happens." },
    { name: "Health", description: "For load balancers and supervisors." },
  ],
  webhooks: WEBHOOKS,
  components: {
    schemas: { ...schemas, ...templates, ...webhooks, ...events, ...health, Quote, Warning },
    headers,
    securitySchemes: {
      bearer: { type: "http", scheme: "bearer", description: "`Authorization: Bearer <API_KEY>`" },
      apiKey: {
        type: "apiKey",
        in: "header",
        name: "X-API-Key",
        description: "For gateways that rewrite Authorization.",
      },
    },
  },
};

const GENERATED_AT = "/openapi/generated.json";

/**
 * The OpenAPI document of sets of routes, as JSON text. Elysia's swagger plugin gathers the operations; paths
 * become relative to the server's base, and those outside the API say so. `publicUrl` is where clients reach the appliance; empty: where
 * the document was read.
 */
export async function openApiText(sets: readonly AnyElysia[], publicUrl = ""): Promise<string> {
  const generator: AnyElysia = new Elysia();
  for (const set of sets) generator.use(set);
  generator.use(swagger({ path: "/openapi/page", specPath: GENERATED_AT }));
  const answer = await generator.handle(new Request(`http://localhost${GENERATED_AT}`));
  const generated: unknown = await answer.json();
  assert(isDocument(generated), "the swagger plugin answers with a document");
  const paths = Object.entries(generated.paths).map(([path, operations]) =>
    path.startsWith(`${API_BASE}/`)
      ? ([path.slice(API_BASE.length), operations] as const)
      : ([path, { servers: [{ url: `${publicUrl}/` }], ...operations }] as const),
  );
  const servers = [{ url: `${publicUrl}${API_BASE}`, description: "This appliance" }];
  return JSON.stringify({ ...documentation, servers, paths: Object.fromEntries(paths) });
}

function isDocument(value: unknown): value is { readonly paths: Readonly<Record<string, object>> } {
  return typeof value === "object" && value !== null && "paths" in value;
}
