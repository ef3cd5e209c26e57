import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bendre, isBendreError, verifyWebhook } from "../../scripts/sdk/index.ts";
import { generatedTypes } from "../../scripts/sdk.ts";
import { toSignedHeaders } from "../../src/webhooks/payload.ts";
import { secretText } from "../../src/webhooks/signing.ts";
import { type HttpFixture, httpFixture, submission, type Tenant } from "../ingress/api/fixture.ts";

let fixture: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  fixture = await httpFixture();
  tenant = await fixture.tenant();
});
afterAll(() => fixture.close());

type Asked = { readonly url: string; readonly key: string | null };

/** A client of the tenant whose first tries end as `troubles` say, and what it asked and how long it waited. */
function clientWith(troubles: readonly ("lost before" | "lost after" | Response)[] = []) {
  const asked: Asked[] = [];
  const waits: number[] = [];
  const left = [...troubles];
  const client = bendre({
    baseUrl: `${fixture.http.url}/`,
    apiKey: tenant.apiKey,
    random: () => 0.5,
    sleep: async (ms) => void waits.push(ms),
    fetch: async (url, init) => {
      asked.push({ url, key: new Headers(init.headers).get("idempotency-key") });
      const trouble = left.shift();
      if (trouble instanceof Response) return trouble;
      if (trouble === "lost before") throw new TypeError("fetch failed");
      const answer = await fetch(url, init);
      if (trouble === "lost after") throw new TypeError("fetch failed");
      return answer;
    },
  });
  return { client, asked, waits };
}

const batch = (msisdn: string) =>
  submission({ recipients: [{ msisdn }] }) as unknown as Parameters<
    ReturnType<typeof bendre>["submitBatch"]
  >[0];

describe("the client of the package", () => {
  test("sends once, whether the request or its answer is lost, and pays once", async () => {
    const { client, asked, waits } = clientWith(["lost before", "lost after"]);
    const before = await client.getBalance();
    expect(asked.length).toBe(3);
    const again = clientWith(["lost before", "lost after"]);
    const done = await again.client.submitBatch(batch("70120001"), "order-1");
    expect(done).toMatchObject({ status: "QUEUED", accepted: 1, rejected: 0 });
    expect(again.asked.map(({ key }) => key)).toEqual(["order-1", "order-1", "order-1"]);
    expect(waits).toEqual([1000, 2000]);
    const { reserved } = await client.getBalance();
    expect(reserved - before.reserved).toBe(done.reserved_amount);
  });

  test("waits as it is told, and gives up after its last try with what was said", async () => {
    const busy = () =>
      Response.json(
        { code: "SERVICE_UNAVAILABLE", detail: "starting", is_retryable: true, request_id: "R1" },
        { status: 503, headers: { "retry-after": "5" } },
      );
    const { client, waits } = clientWith([busy(), busy(), busy(), busy(), busy(), busy()]);
    const error = await client.getBalance().catch((thrown: unknown) => thrown);
    expect(waits).toEqual([5000, 5000, 5000, 5000, 5000]);
    expect(isBendreError(error) && [error.code, error.status, error.requestId, error.message]).toEqual([
      "SERVICE_UNAVAILABLE",
      503,
      "R1",
      "SERVICE_UNAVAILABLE: starting",
    ]);
  });

  test("tells a refusal at once, with the fields at fault", async () => {
    const { client, asked } = clientWith();
    const error = await client
      .submitBatch({ ...batch("70120002"), message_class: "LOUD" as never }, "order-2")
      .catch((thrown: unknown) => thrown);
    expect(asked.length).toBe(1);
    expect(isBendreError(error) && [error.code, error.isRetryable, error.errors[0]?.path]).toEqual([
      "VALIDATION_FAILED",
      false,
      "/message_class",
    ]);
  });

  test("does not register an endpoint twice when the answer is lost", async () => {
    const { client, asked } = clientWith(["lost after"]);
    const before = (await fixture.store.read.all("SELECT 1 FROM webhook_endpoints")).length;
    await expect(client.createWebhook({ url: "https://shop.example/hook" })).rejects.toThrow("NO_ANSWER");
    expect(asked.length).toBe(1);
    expect((await fixture.store.read.all("SELECT 1 FROM webhook_endpoints")).length).toBe(before + 1);
  });

  test("reads the feed to its end, page by page, each message once", async () => {
    const { client, asked } = clientWith();
    const since = new Date(fixture.clock.nowMs() - 60_000).toISOString();
    const recipients = Array.from({ length: 5 }, (_, index) => ({ msisdn: `7012100${index}` }));
    const sent = await client.submitBatch({ ...batch("70120003"), recipients }, "order-3");
    const seen: string[] = [];
    let last = "";
    for await (const { message, cursor } of client.changes({ since, batchId: sent.batch_id, limit: 2 })) {
      seen.push(message.msisdn);
      last = cursor;
    }
    expect(seen.sort()).toEqual(recipients.map(({ msisdn }) => `+226${msisdn}`));
    expect(asked.filter(({ url }) => url.includes("/messages?")).length).toBe(3);
    for await (const change of client.changes({ since: last })) expect(change).toBeNull();
  });

  test("gives cursors behind which nothing is lost, wherever in a page a reader breaks off", async () => {
    const { client } = clientWith();
    let since = new Date(fixture.clock.nowMs() - 60_000).toISOString();
    const recipients = Array.from({ length: 4 }, (_, index) => ({ msisdn: `7012300${index}` }));
    const { batch_id: batchId } = await client.submitBatch({ ...batch("70120005"), recipients }, "order-5");
    const seen = new Set<string>();
    for (const most of [1, 2, 1, 9]) {
      let left = most;
      for await (const { message, cursor } of client.changes({ since, batchId, limit: 3 })) {
        seen.add(message.msisdn);
        since = cursor;
        left -= 1;
        if (left === 0) break;
      }
    }
    expect([...seen].sort()).toEqual(recipients.map(({ msisdn }) => `+226${msisdn}`));
  });

  test("tells what a batch would come to, and sends nothing", async () => {
    const { client } = clientWith();
    const before = await client.getBalance();
    const quote = await client.quoteBatch(batch("70120006"));
    expect(quote).toMatchObject({ status: "QUEUED", accepted: 1, is_payable: true });
    expect(await client.getBalance()).toMatchObject({ spendable: before.spendable });
    const sent = await client.submitBatch(batch("70120006"), "order-6");
    expect(sent.reserved_amount).toBe(quote.amount);
  });

  test("lists batches over pages, and calls one off, once and again", async () => {
    const { client, asked } = clientWith();
    const ids: string[] = [];
    for (const number of ["70122001", "70122002", "70122003"]) {
      ids.push((await client.submitBatch(batch(number), `list-${number}`)).batch_id);
    }
    const seen: string[] = [];
    const createdFrom = new Date(fixture.clock.nowMs() - 60_000).toISOString();
    for await (const { batch_id: id } of client.batches({ limit: 2, createdFrom, status: ["QUEUED"] }))
      seen.push(id);
    expect(seen.slice(0, 3).sort()).toEqual([...ids].sort());
    expect(new Set(seen).size).toBe(seen.length);
    expect(asked.filter(({ url }) => url.includes("/batches?")).length).toBeGreaterThan(1);
    const [first = ""] = ids;
    for (const reason of ["a slip", undefined]) {
      expect(await client.cancelBatch(first, reason)).toMatchObject({ batch_id: first, status: "CANCELLED" });
    }
  });

  test("verifies what the service signs, and refuses what was altered, is old, or signed by nobody", async () => {
    const key = new Uint8Array(32).fill(7);
    const body = '{"type":"MESSAGE_TERMINAL","data":{"name":"Ségou"}}';
    const nowMs = 1_772_357_404_000;
    const headers = toSignedHeaders([{ key, expiresAtMs: Number.POSITIVE_INFINITY }], "01K", body, nowMs);
    const verify = (changes: { secret?: string; body?: string; nowMs?: number; headers?: Headers } = {}) =>
      verifyWebhook(changes.secret ?? secretText(key), changes.headers ?? headers, changes.body ?? body, {
        nowMs: changes.nowMs ?? nowMs,
      });
    expect(await verify()).toMatchObject({ type: "MESSAGE_TERMINAL", data: { name: "Ségou" } });
    expect(await verify({ headers: new Headers(headers) })).toMatchObject({ type: "MESSAGE_TERMINAL" });
    await expect(verify({ body: `${body} ` })).rejects.toThrow("signature is wrong");
    await expect(verify({ secret: secretText(new Uint8Array(32)) })).rejects.toThrow("signature is wrong");
    await expect(verify({ nowMs: nowMs + 301_000 })).rejects.toThrow("too far");
    await expect(verify({ headers: new Headers() })).rejects.toThrow("is missing");
  });
});

test("the types of the package are those of today's OpenAPI document (bun scripts/sdk.ts --types)", async () => {
  expect(await Bun.file(`${import.meta.dir}/../../scripts/sdk/types.gen.ts`).text()).toBe(
    await generatedTypes(),
  );
}, 60_000);
