import SwaggerParser from "@apidevtools/swagger-parser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCOPES } from "../../../src/domain/accounts/api-keys.ts";
import { openApiText } from "../../../src/ingress/api/openapi/document.ts";
import examples from "../../../src/ingress/api/openapi/examples.json" with { type: "json" };
import { problemExample } from "../../../src/ingress/api/openapi/operations.ts";
import { Quote } from "../../../src/ingress/api/openapi/quote-schemas.ts";
import { FAILURES } from "../../../src/ingress/http/error-codes.ts";
import { quoteOf } from "../../kit/quote-trials.ts";
import { getFrom, type HttpFixture, httpFixture, submission, submitTo, type Tenant } from "./fixture.ts";
import { faults, schemas } from "./published-schemas.ts";

type Operation = {
  readonly parameters?: readonly object[];
  readonly responses: Readonly<Record<string, { content?: unknown; headers?: object }>>;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly "x-scope"?: string;
};
type Document = {
  readonly openapi: string;
  readonly servers: readonly { url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

let fixture: HttpFixture;
let tenant: Tenant;
let document: Document;

beforeAll(async () => {
  fixture = await httpFixture();
  tenant = await fixture.tenant();
  document = (await (await fetch(`${fixture.http.url}/openapi.json`)).json()) as Document;
});
afterAll(() => fixture.close());

describe("the OpenAPI document", () => {
  test("is valid", async () => {
    await SwaggerParser.validate(structuredClone(document) as never);
    expect(document.openapi).toBe("3.1.0");
  });

  test("names servers without a slash at their end, which would stand twice in an address", async () => {
    const text = await openApiText(fixture.http.sets, "https://sms.example.bf", "en");
    const { servers, paths } = JSON.parse(text) as Document & {
      paths: Record<string, { servers?: Document["servers"] }>;
    };
    const urls = [...servers, ...Object.values(paths).flatMap((path) => path.servers ?? [])].map(
      ({ url }) => url,
    );
    expect([...new Set(urls)].sort()).toEqual(["https://sms.example.bf", "https://sms.example.bf/public/v1"]);
  });

  test("says of each event to a client's server that a signature stands in place of a scheme", () => {
    const { webhooks } = document as unknown as {
      webhooks: Record<string, { post: { security?: object[] } }>;
    };
    expect(Object.values(webhooks).map(({ post }) => post.security)).toEqual([[], [], [], []]);
  });

  test("has examples with numbers that the operator beside them owns", () => {
    // The only operator of this service is orange, which owns what begins with 22670.
    const examples = [...JSON.stringify(document).matchAll(/"msisdn":"\+(\d+)","operator":"(\w+)"/g)];
    expect(examples.length).toBeGreaterThan(1);
    for (const [, msisdn, operator] of examples)
      expect([msisdn?.slice(0, 5), operator]).toEqual(["22670", "orange"]);
  });

  test("has every endpoint there is, and no other", () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((method) => method !== "servers")
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations.sort()).toEqual([
      "GET /account",
      "GET /account/balance",
      "GET /batches",
      "GET /batches/{batch_id}",
      "GET /health",
      "GET /health/live",
      "GET /health/ready",
      "GET /messages",
      "GET /messages/{message_id}",
      "GET /sender-ids",
      "GET /templates",
      "GET /webhooks",
      "POST /batches",
      "POST /batches/quote",
      "POST /batches/{batch_id}/cancel",
      "POST /webhooks",
      "POST /webhooks/{webhook_id}/disable",
      "POST /webhooks/{webhook_id}/enable",
      "POST /webhooks/{webhook_id}/rotate",
      "POST /webhooks/{webhook_id}/test",
    ]);
    expect(document.servers[0]?.url).toBe("/public/v1");
  });

  test("offers both ways to send a key and names a scope, on every operation but those of health", () => {
    for (const [path, operation] of Object.entries(document.paths).flatMap(
      ([path, { servers: _, ...methods }]) =>
        Object.values(methods).map((operation) => [path, operation] as const),
    )) {
      if (path.startsWith("/health")) continue;
      expect(SCOPES.some((scope) => scope === operation["x-scope"])).toBe(true);
      expect(operation.security).toEqual([{ bearer: [] }, { apiKey: [] }]);
    }
  });

  test("explains every code with an example of its answer", () => {
    const submitting = JSON.stringify(document.paths["/batches"]?.post?.responses);
    const cancelling = JSON.stringify(document.paths["/batches/{batch_id}/cancel"]?.post?.responses);
    for (const code of Object.keys(FAILURES)) {
      const text = code === "NOT_FOUND" || code === "BATCH_ENDED" ? cancelling : submitting;
      expect(text).toContain(`"code":"${code}"`);
    }
  });

  test("names Retry-After where an answer has it, and nowhere else", () => {
    const responses = document.paths["/batches"]?.post?.responses ?? {};
    const waits = Object.entries(responses).filter(([, { headers }]) => headers && "Retry-After" in headers);
    expect(waits.map(([status]) => status)).toEqual(["409", "429", "503"]);
  });

  test("says of the feed's parameters which one is required, their bounds and the default", () => {
    expect(document.paths["/messages"]?.get?.parameters).toMatchObject([
      { name: "status_changed_since", in: "query", required: true, schema: { format: "date-time" } },
      { name: "limit", in: "query", schema: { minimum: 1, maximum: 500, default: 100 } },
      { name: "client_reference", in: "query", schema: { minLength: 1, maxLength: 64 } },
      { name: "batch_client_reference", in: "query", schema: { minLength: 1, maxLength: 64 } },
      { name: "batch_id", in: "query", schema: { minLength: 26, maxLength: 26 } },
    ]);
    const required = document.paths["/messages"]?.get?.parameters?.filter((one) => "required" in one);
    expect(required).toHaveLength(1);
  });

  test("leads nowhere outside", () => {
    expect(JSON.stringify(document)).not.toMatch(/https?:\/\/(?!shop\.example\/)/);
  });
});

describe("a published schema", () => {
  test.each([
    ["BatchSubmission", schemas.BatchSubmission, examples.submission],
    ["BatchAccepted", schemas.BatchAccepted, examples.accepted],
    ["Quote", Quote, examples.quote],
    ["Batch", schemas.Batch, examples.batch],
    ["BatchPage", schemas.BatchPage, examples.batchPage],
    ["BatchCancellation", schemas.BatchCancellation, examples.cancel],
    ["Batch", schemas.Batch, examples.cancelled],
    ["Message", schemas.Message, examples.message],
    ["FeedPage", schemas.FeedPage, examples.feed],
    ["Balance", schemas.Balance, examples.balance],
    ["SenderList", schemas.SenderList, examples.senders],
    ["WebhookRequest", schemas.WebhookRequest, examples.webhookRequest],
    ["WebhookList", schemas.WebhookList, examples.webhookList],
    ["Webhook", schemas.Webhook, examples.webhook],
    ["WebhookCreated", schemas.WebhookCreated, examples.webhookCreated],
    ["WebhookRotated", schemas.WebhookRotated, examples.webhookRotated],
    ["WebhookTested", schemas.WebhookTested, examples.webhookTest],
    ["Problem", schemas.Problem, problemExample("VALIDATION_FAILED")],
  ] as const)("of %s fits its example", (_name, schema, example) => {
    expect(faults(schema, example)).toEqual([]);
  });

  test("does not fit a member that it does not name, nor one that is missing or of another type", () => {
    const { batch_id: _, ...rest } = examples.accepted;
    expect(faults(schemas.BatchAccepted, rest).length).toBeGreaterThan(0);
    for (const changes of [{ extra: 1 }, { accepted: "1" }, { rejections: [{}] }]) {
      expect(faults(schemas.BatchAccepted, { ...examples.accepted, ...changes }).length).toBeGreaterThan(0);
    }
  });

  // Keeps: public-api 2.2.13, 2.3.3, 4.3.3, 4.4.8, 4.5.2, 4.6.2, 7.1
  test("fits what the server answers, down to the last member", async () => {
    const data = async (response: Response) => ((await response.json()) as { data: unknown }).data;
    const recipients = [{ msisdn: "70123456" }, { msisdn: "12" }];
    const batch = await data(await submitTo(fixture, tenant, "schema", submission({ recipients })));
    expect(faults(schemas.BatchAccepted, batch)).toEqual([]);
    const french = submission({
      body: "Reçu {Nom} à l’agence",
      recipients: [{ ...recipients[0], attributes: { nom: "Awa" } }],
    });
    const { body: quote } = await quoteOf(fixture, tenant, french);
    expect(faults(Quote, quote.data)).toEqual([]);
    const { batch_id } = batch as { batch_id: string };
    const since = "status_changed_since=2026-03-02T00:00:00Z";
    const feed = await data(await getFrom(fixture, tenant, `/messages?${since}`));
    expect(faults(schemas.FeedPage, feed)).toEqual([]);
    const { messages } = feed as { messages: { message_id: string }[] };
    for (const [schema, path] of [
      [schemas.Batch, `/batches/${batch_id}`],
      [schemas.BatchPage, "/batches"],
      [schemas.Message, `/messages/${messages[0]?.message_id}`],
      [schemas.Balance, "/account/balance"],
      [schemas.SenderList, "/sender-ids"],
    ] as const) {
      expect(faults(schema, await data(await getFrom(fixture, tenant, path)))).toEqual([]);
    }
    const post = (path: string, body?: object) =>
      fetch(`${fixture.http.url}/public/v1/webhooks${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${tenant.apiKey}`, "content-type": "application/json" },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    const created = await data(await post("", examples.webhookRequest));
    const { webhook_id: id } = created as { webhook_id: string };
    for (const [schema, answer] of [
      [schemas.WebhookCreated, created],
      [schemas.WebhookRotated, await data(await post(`/${id}/rotate`))],
      [schemas.Webhook, await data(await post(`/${id}/disable`))],
      [schemas.Webhook, await data(await post(`/${id}/enable`))],
      [schemas.WebhookTested, await data(await post(`/${id}/test`))],
      [schemas.WebhookList, await data(await getFrom(fixture, tenant, "/webhooks"))],
    ] as const) {
      expect(faults(schema, answer)).toEqual([]);
    }
    const problem = await (await getFrom(fixture, tenant, "/nothing")).json();
    expect(faults(schemas.Problem, problem)).toEqual([]);
  });
});
