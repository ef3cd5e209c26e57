import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Receiver, startReceiver, status } from "../../webhooks/receiver.ts";
import { getFrom, type HttpFixture, httpFixture, problemOf, type Tenant } from "./fixture.ts";
import { faults, schemas } from "./published-schemas.ts";

type Json = Readonly<Record<string, unknown>>;

let fixture: HttpFixture;
let tenant: Tenant;
let receiver: Receiver | null = null;
beforeEach(async () => {
  fixture = await httpFixture({ areReceiversHere: true });
  tenant = await fixture.tenant();
});
afterEach(async () => {
  receiver?.close();
  receiver = null;
  await fixture.close();
});

const post = (path: string, body?: object) =>
  fetch(`${fixture.http.url}/public/v1/webhooks${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${tenant.apiKey}`, "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
const dataOf = async (response: Response): Promise<Json> => ((await response.json()) as { data: Json }).data;
const tested = async (id: unknown): Promise<Json> => {
  const response = await post(`/${id}/test`);
  expect(response.status).toBe(200);
  return dataOf(response);
};
const register = (port: number) => post("", { url: `https://127.0.0.1:${port}/in`, events: [] }).then(dataOf);
const shown = async (): Promise<Json | undefined> => {
  const { webhooks } = (await dataOf(await getFrom(fixture, tenant, "/webhooks"))) as { webhooks: Json[] };
  return webhooks[0];
};

describe("POST /webhooks/{webhook_id}/test", () => {
  // Keeps: behaviour 8.37
  test("posts a signed WEBHOOK_TEST that nobody subscribed to, and tells what was answered", async () => {
    receiver = await startReceiver();
    const { webhook_id, secret } = await register(receiver.port);
    const told = await tested(webhook_id);
    expect(told).toEqual({
      webhook_id,
      event_id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      delivered: true,
      outcome: "delivered",
      status: 204,
      duration_ms: expect.any(Number),
      is_sandbox: false,
    });
    const [{ headers, body }] = receiver.received as [Receiver["received"][number]];
    expect(JSON.parse(body)).toMatchObject({
      type: "WEBHOOK_TEST",
      event_id: told.event_id,
      data: { webhook_id },
    });
    expect(faults(schemas.TestTold, JSON.parse(body))).toEqual([]);
    const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
    const signature = new Webhook(String(secret)).sign(String(told.event_id), at, body);
    expect([headers["webhook-id"], headers["webhook-signature"]]).toEqual([told.event_id, signature]);
  });

  // Keeps: behaviour 8.37
  test("is answered 200 also where nobody listens, or the answer is a failure", async () => {
    receiver = await startReceiver(() => status(503));
    const { webhook_id } = await register(receiver.port);
    expect(await tested(webhook_id)).toMatchObject({
      delivered: false,
      status: 503,
      outcome: "answered 503",
    });
    receiver.close();
    expect(await tested(webhook_id)).toMatchObject({ delivered: false, status: null });
    await fixture.store.write((tx) => tx.run("UPDATE webhook_secrets SET sealed = zeroblob(60)"));
    expect(await tested(webhook_id)).toMatchObject({
      delivered: false,
      status: null,
      duration_ms: 0,
      outcome: expect.stringContaining("rotate"),
    });
  });

  // Keeps: behaviour 8.38
  test("is posted once, counts for nothing, and is posted to a disabled endpoint too", async () => {
    receiver = await startReceiver(() => status(500));
    const { webhook_id } = await register(receiver.port);
    await fixture.store.write((tx) => tx.run("UPDATE webhook_endpoints SET consecutive_failures = 19"));
    const before = await shown();
    await tested(webhook_id);
    expect(await shown()).toEqual(before);
    await post(`/${webhook_id}/disable`);
    const disabled = await shown();
    expect(await tested(webhook_id)).toMatchObject({ status: 500 });
    expect(await shown()).toEqual(disabled);
    expect(fixture.store.read.all("SELECT * FROM webhook_retries")).toEqual([]);
    expect(receiver.received.length).toBe(2);
  });

  // Keeps: behaviour 8.39
  test("is possible six times in any minute for each endpoint, then 429 says when again", async () => {
    receiver = await startReceiver();
    const { webhook_id } = await register(receiver.port);
    const { webhook_id: another } = await register(receiver.port);
    for (let time = 0; time < 6; time++) {
      await tested(webhook_id);
      await fixture.clock.advance(5000);
    }
    const refused = await post(`/${webhook_id}/test`);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "30"]);
    expect(await problemOf(refused)).toMatchObject({ code: "RATE_LIMITED", is_retryable: true });
    await tested(another);
    await fixture.clock.advance(30_000);
    await tested(webhook_id);
    expect((await post(`/${webhook_id}/test`)).status).toBe(429);
    expect(receiver.received.length).toBe(8);
  });
});
