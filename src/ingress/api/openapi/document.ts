/**
 * Assembles the OpenAPI document of the public API in English or French, from the operations that Elysia's plugin gathers.
 */
import { swagger } from "@elysiajs/swagger";
import { type AnyElysia, Elysia } from "elysia";
import { assert } from "../../../core/assert.ts";
import { type Description, describe } from "../../../core/request-shape.ts";
import { type Locale, readPhrase } from "../../../i18n/phrase.ts";
import { renderIn } from "../../../i18n/text.ts";
import { FAILURES, type FailureCode, retryAfterSeconds } from "../../http/error-codes.ts";
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

const integerHeader = (description: Description) => ({
  description: describe(description),
  schema: { type: "integer", minimum: 0 },
});

const headers = {
  "X-Request-Id": {
    description: describe("reference.header.request_id"),
    schema: { type: "string", maxLength: 64 },
  },
  "X-RateLimit-Limit": integerHeader("reference.header.limit"),
  "X-RateLimit-Remaining": integerHeader("reference.header.remaining"),
  "X-RateLimit-Reset": integerHeader("reference.header.reset"),
  "Retry-After": integerHeader("reference.header.retry_after"),
  "Idempotency-Replayed": {
    description: describe("reference.header.replayed"),
    schema: { type: "string", enum: ["true"] },
  },
};

/** The retry advice of codes for which yes or no is not enough. */
const RETRIES: Partial<Record<FailureCode, string>> = {
  CONFIGURATION_ERROR:
    "May succeed once the service is set up for it. A channel without a provider is refused each time, with is_retryable false: do not send the request again.",
};

/** One code of the table `x-errors`, for clients that decide by it what to send again. */
function errorEntry(code: FailureCode) {
  const { status, title, retryable } = FAILURES[code];
  const exception = RETRIES[code];
  return {
    code,
    status,
    title,
    is_retryable: retryable,
    ...(exception === undefined ? {} : { exception }),
    retry_after_seconds: retryAfterSeconds(code),
    page: `${ERROR_PAGE}#${errorAnchor(code)}`,
  };
}

const events = { EventBatch, EventTest, EventWallet, BatchTold, MessageTold, TestTold, WalletTold };

/** The parts of the document beside the operations, which the routes describe themselves. */
const documentation = {
  openapi: "3.1.0",
  info: {
    title: "Bendre",
    version: "1.0.0",
    description: describe("reference.about"),
  },
  "x-errors": (Object.keys(FAILURES) as FailureCode[]).map(errorEntry),
  tags: [
    { name: describe("reference.tag.batches"), description: describe("reference.tag.batches.about") },
    { name: describe("reference.tag.messages"), description: describe("reference.tag.messages.about") },
    { name: describe("reference.tag.account"), description: describe("reference.tag.account.about") },
    { name: describe("reference.tag.webhooks"), description: describe("reference.tag.webhooks.about") },
    { name: describe("reference.tag.health"), description: describe("reference.tag.health.about") },
  ],
  webhooks: WEBHOOKS,
  components: {
    schemas: { ...schemas, ...templates, ...webhooks, ...events, ...health, Quote, Warning },
    headers,
    securitySchemes: {
      bearer: { type: "http", scheme: "bearer", description: describe("reference.security.bearer") },
      apiKey: {
        type: "apiKey",
        in: "header",
        name: "X-API-Key",
        description: describe("reference.security.api_key"),
      },
    },
  },
};

const GENERATED_AT = "/openapi/generated.json";

/**
 * The OpenAPI document of sets of routes, as JSON text. Elysia's swagger plugin gathers the operations; paths
 * become relative to the server's base, and those outside the API say so. `publicUrl` is where clients reach the appliance; empty: where
 * the document was read. `locale`: the language of its descriptions.
 */
export async function openApiText(
  sets: readonly AnyElysia[],
  publicUrl: string,
  locale: Locale,
): Promise<string> {
  const generator: AnyElysia = new Elysia();
  for (const set of sets) generator.use(set);
  generator.use(swagger({ path: "/openapi/page", specPath: GENERATED_AT }));
  const answer = await generator.handle(new Request(`http://localhost${GENERATED_AT}`));
  const generated: unknown = await answer.json();
  assert(isDocument(generated), "the swagger plugin answers with a document");
  const paths = Object.entries(generated.paths).map(([path, operations]) =>
    path.startsWith(`${API_BASE}/`)
      ? ([path.slice(API_BASE.length), operations] as const)
      : ([path, { servers: [{ url: publicUrl === "" ? "/" : publicUrl }], ...operations }] as const),
  );
  const servers = [{ url: `${publicUrl}${API_BASE}`, description: describe("reference.server") }];
  return described({ ...documentation, servers, paths: Object.fromEntries(paths) }, locale);
}

/** A description in a language; a text that is no description stays as it is. */
export function renderDescription(locale: Locale, text: string): string {
  const phrase = readPhrase(text);
  return phrase.code === "said" ? text : renderIn(locale, phrase);
}

/** A document as JSON text, each description rendered in the language. */
function described(document: object, locale: Locale): string {
  return JSON.stringify(document, (_name, value: unknown) =>
    typeof value === "string" ? renderDescription(locale, value) : value,
  );
}

function isDocument(value: unknown): value is { readonly paths: Readonly<Record<string, object>> } {
  return typeof value === "object" && value !== null && "paths" in value;
}
