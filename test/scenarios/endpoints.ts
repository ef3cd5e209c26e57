import type { Scope } from "../../src/domain/accounts/api-keys.ts";
import { getFrom, type HttpFixture, submission, submitTo, type Tenant } from "../ingress/api/fixture.ts";

/** What there is to ask for in an account that has sent something. */
export type Sample = { readonly batchId: string; readonly messageId: string; readonly webhookId: string };

/** An endpoint of docs/public-api.md section 4, and how to ask it so that it succeeds. */
export type Endpoint = {
  readonly method: "GET" | "POST";
  /** As the specification and the OpenAPI document write it. */
  readonly path: string;
  readonly scope: Scope;
  /** The path and query of a request that succeeds. */
  readonly target: (sample: Sample) => string;
  /** What is sent with it; `n` is another for each request. */
  readonly body?: (n: number) => unknown;
};

const endpointAt = (n: number) => ({ url: `https://client-${n}.example/hooks` });
const ofWebhook = (action: string) => ({
  method: "POST" as const,
  path: `/webhooks/{webhook_id}/${action}`,
  scope: "WEBHOOKS_MANAGE" as const,
  target: ({ webhookId }: Sample) => `/webhooks/${webhookId}/${action}`,
});

const SINCE = "status_changed_since=2026-03-02T08:00:00Z";

export const ENDPOINTS: readonly Endpoint[] = [
  {
    method: "POST",
    path: "/batches",
    scope: "MESSAGES_SEND",
    target: () => "/batches",
    body: (n) => submission({ body: `Text ${n}` }),
  },
  { method: "GET", path: "/batches", scope: "MESSAGES_READ", target: () => "/batches" },
  {
    method: "GET",
    path: "/batches/{batch_id}",
    scope: "MESSAGES_READ",
    target: ({ batchId }) => `/batches/${batchId}`,
  },
  {
    method: "POST",
    path: "/batches/{batch_id}/cancel",
    scope: "MESSAGES_SEND",
    target: ({ batchId }) => `/batches/${batchId}/cancel`,
    body: () => ({ reason: "wrong list" }),
  },
  {
    method: "GET",
    path: "/messages/{message_id}",
    scope: "MESSAGES_READ",
    target: ({ messageId }) => `/messages/${messageId}`,
  },
  { method: "GET", path: "/messages", scope: "MESSAGES_READ", target: () => `/messages?${SINCE}` },
  { method: "GET", path: "/account", scope: "ACCOUNT_READ", target: () => "/account" },
  { method: "GET", path: "/account/balance", scope: "ACCOUNT_READ", target: () => "/account/balance" },
  { method: "GET", path: "/sender-ids", scope: "SENDER_IDS_READ", target: () => "/sender-ids" },
  { method: "GET", path: "/webhooks", scope: "WEBHOOKS_MANAGE", target: () => "/webhooks" },
  {
    method: "POST",
    path: "/webhooks",
    scope: "WEBHOOKS_MANAGE",
    target: () => "/webhooks",
    body: endpointAt,
  },
  ofWebhook("rotate"),
  ofWebhook("enable"),
  ofWebhook("disable"),
  ofWebhook("test"),
];

/** Rows for `test.each`, named by method and path. */
export const EACH_ENDPOINT = ENDPOINTS.map(
  (endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const,
);

/** Submits one message and registers one endpoint, to have something to ask for. */
export async function sampleOf(fixture: HttpFixture, tenant: Tenant): Promise<Sample> {
  const batch = await submitTo(fixture, tenant, "sample", submission({ body: "Sample" }));
  const batchId = ((await batch.json()) as { data: { batch_id: string } }).data.batch_id;
  const feed = await getFrom(fixture, tenant, `/messages?${SINCE}&batch_id=${batchId}`);
  const { messages } = ((await feed.json()) as { data: { messages: { message_id: string }[] } }).data;
  const webhook = await fetch(`${fixture.http.url}/public/v1/webhooks`, {
    method: "POST",
    headers: { "x-api-key": tenant.apiKey, "content-type": "application/json" },
    body: JSON.stringify(endpointAt(0)),
  });
  const { webhook_id: webhookId } = ((await webhook.json()) as { data: { webhook_id: string } }).data;
  return { batchId, messageId: messages[0]?.message_id ?? "", webhookId };
}

let asked = 0;

/** Asks an endpoint so that it succeeds, unless `changes` spoil it. */
export function ask(
  fixture: HttpFixture,
  endpoint: Endpoint,
  sample: Sample,
  headers: Readonly<Record<string, string>>,
  base = "/public/v1",
): Promise<Response> {
  asked += 1;
  const body = endpoint.body?.(asked);
  return fetch(`${fixture.http.url}${base}${endpoint.target(sample)}`, {
    method: endpoint.method,
    headers: {
      ...(body === undefined
        ? {}
        : { "content-type": "application/json", "idempotency-key": `ask-${asked}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
