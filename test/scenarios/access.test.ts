import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  formatApiKey,
  generateApiKey,
  parseApiKey,
  revokeKey,
  SCOPES,
} from "../../src/domain/accounts/api-keys.ts";
import {
  getFrom,
  type HttpFixture,
  httpFixture,
  problemOf,
  submitTo,
  type Tenant,
  verdict,
} from "../ingress/api/fixture.ts";
import { seededChance } from "../kit/test-chance.ts";
import { ask, EACH_ENDPOINT, ENDPOINTS, type Sample, sampleOf } from "./endpoints.ts";

let fixture: HttpFixture;
let tenant: Tenant;
let sample: Sample;
beforeAll(async () => {
  fixture = await httpFixture();
  tenant = await fixture.tenant();
  sample = await sampleOf(fixture, tenant);
});
afterAll(() => fixture.close());

const suspend = (accountId: number) =>
  fixture.store.write((tx) =>
    tx.run("UPDATE accounts SET status = 'SUSPENDED', suspended_reason = 'x' WHERE id = ?", accountId),
  );

describe("every endpoint", () => {
  // Keeps: public-api 5.1, 5.2
  test.each(EACH_ENDPOINT)("requires a key, in one of two headers: %s", async (_name, endpoint) => {
    const bearer = await ask(fixture, endpoint, sample, { authorization: `Bearer ${tenant.apiKey}` });
    const own = await ask(fixture, endpoint, sample, { "x-api-key": tenant.apiKey });
    expect([bearer.ok, own.ok]).toEqual([true, true]);
    expect(await verdict(await ask(fixture, endpoint, sample, {}))).toBe("401 UNAUTHORIZED");
  });

  // Keeps: public-api 5.3
  test.each(EACH_ENDPOINT)("takes no key from the query string: %s", async (_name, endpoint) => {
    for (const name of ["api_key", "apikey", "key", "access_token", "x-api-key", "authorization"]) {
      const target = (given: Sample) => {
        const path = endpoint.target(given);
        return `${path}${path.includes("?") ? "&" : "?"}${name}=${tenant.apiKey}`;
      };
      expect(await verdict(await ask(fixture, { ...endpoint, target }, sample, {}))).toBe("401 UNAUTHORIZED");
    }
  });

  // Keeps: public-api 4.1.1, 4.2.1, 4.3.1, 4.4.1, 4.5.1, 4.6.1
  // Keeps: public-api 5.4, 5.5, 5.6, 5.7, 5.8
  test.each(EACH_ENDPOINT)("wants its own scope and no other: %s", async (_name, endpoint) => {
    const least = await fixture.key(tenant.accountId, [endpoint.scope]);
    expect((await ask(fixture, endpoint, sample, { "x-api-key": least.apiKey })).ok).toBe(true);
    const others = SCOPES.filter((scope) => scope !== endpoint.scope);
    const lacking = await fixture.key(tenant.accountId, others);
    const refused = await ask(fixture, endpoint, sample, { "x-api-key": lacking.apiKey });
    expect(await verdict(refused)).toBe("403 INSUFFICIENT_SCOPE");
  });

  // Keeps: public-api 5.10, 7.19
  test.each(EACH_ENDPOINT)("names the scope that is lacking: %s", async (_name, endpoint) => {
    const others = SCOPES.filter((scope) => scope !== endpoint.scope);
    const lacking = await fixture.key(tenant.accountId, others);
    const response = await ask(fixture, endpoint, sample, { "x-api-key": lacking.apiKey });
    const { status, code, detail } = await problemOf(response);
    expect([status, code]).toEqual([403, "INSUFFICIENT_SCOPE"]);
    expect(detail).toBe(`the API key lacks the scope ${endpoint.scope}`);
  });
});

/** All that a client can tell two answers apart by, but for the request id and the date. */
async function looksOf(response: Response): Promise<string> {
  const { request_id, ...body } = await problemOf(response);
  expect(request_id).toBe(response.headers.get("x-request-id") ?? "");
  const headers = [...response.headers].filter(
    ([name]) => !["date", "x-request-id"].includes(name) && !name.startsWith("x-ratelimit-"),
  );
  return JSON.stringify([response.status, headers, body]);
}

// Keeps: public-api 5.11, 5.12, 7.18
test("every reason not to know a client gives the same 401, at every endpoint", async () => {
  const parts = parseApiKey(tenant.apiKey)!;
  const revoked = await fixture.key(tenant.accountId, SCOPES);
  await fixture.store.write((tx) => revokeKey(tx, revoked.keyId, fixture.clock.nowMs()));
  const expired = await fixture.key(tenant.accountId, SCOPES, fixture.clock.nowMs());
  const suspended = await fixture.tenant();
  await suspend(suspended.accountId);
  const other = parseApiKey(expired.apiKey)!;
  const reasons: Record<string, Record<string, string>> = {
    "no key": {},
    "an empty key": { "x-api-key": "" },
    "a malformed key": { authorization: "Bearer bdr_nonsense" },
    "a wrong secret": {
      "x-api-key": formatApiKey({ mode: "live", keyId: parts.keyId, secret: other.secret }),
    },
    "an unknown key": { "x-api-key": formatApiKey(generateApiKey(seededChance(99))) },
    "a revoked key": { "x-api-key": revoked.apiKey },
    "an expired key": { authorization: `Bearer ${expired.apiKey}` },
    "a suspended account": { authorization: `Bearer ${suspended.apiKey}` },
  };
  const looks = new Map<string, string[]>();
  for (const [, endpoint] of EACH_ENDPOINT) {
    for (const [reason, headers] of Object.entries(reasons)) {
      const look = await looksOf(await ask(fixture, endpoint, sample, headers));
      looks.set(look, [...(looks.get(look) ?? []), `${endpoint.path} ${reason}`]);
    }
  }
  expect([...looks.values()].map((alike) => alike.length)).toEqual([ENDPOINTS.length * 8]);
  expect([...looks.keys()][0]).toContain("401,");
  expect([...looks.keys()][0]).toContain("UNAUTHORIZED");
});

// Keeps: public-api 5.13, 7.20
test("an account that is suspended while its submission is under way is told 403", async () => {
  const racing = await httpFixture({
    submit: (real) => async (order) => {
      await racing.store.write((tx) =>
        tx.run(
          "UPDATE accounts SET status = 'SUSPENDED', suspended_reason = 'x' WHERE id = ?",
          order.accountId,
        ),
      );
      return real(order);
    },
  });
  const client = await racing.tenant();
  expect(await verdict(await submitTo(racing, client, "race"))).toBe("403 ACCOUNT_SUSPENDED");
  expect(racing.store.read.get("SELECT count(*) AS n FROM batches")).toEqual({ n: 0 });
  expect(await verdict(await submitTo(racing, client, "race"))).toBe("401 UNAUTHORIZED");
  await racing.close();
});

// Keeps: public-api 5.14, 4.2.4, 4.3.2, 7.21, 7.27
test("another account's resource looks in everything like one that does not exist", async () => {
  const stranger = await fixture.tenant();
  const missing = "01KJQX5Y8M3T7V9B2C4D6F8G0H";
  const since = "/messages?status_changed_since=2026-03-02T08:00:00Z&batch_id=";
  for (const [theirs, none] of [
    [`/batches/${sample.batchId}`, `/batches/${missing}`],
    [`/messages/${sample.messageId}`, `/messages/${missing}`],
    [`${since}${sample.batchId}`, `${since}${missing}`],
  ] as const) {
    expect((await getFrom(fixture, tenant, theirs)).status).toBe(200);
    const look = await looksOf(await getFrom(fixture, stranger, theirs));
    expect(look).toBe(await looksOf(await getFrom(fixture, stranger, none)));
    expect(look).toContain("[404,");
    expect(look).toContain("NOT_FOUND");
  }
});

// Keeps: public-api 5.14
test("feed, balance and senders show an account what is its own", async () => {
  const stranger = await fixture.tenant();
  const data = async (path: string) =>
    ((await (await getFrom(fixture, stranger, path)).json()) as { data: unknown }).data;
  expect(await data("/messages?status_changed_since=2026-03-02T08:00:00Z")).toMatchObject({ messages: [] });
  expect(await data("/account/balance")).toMatchObject({ balance: 1_000_000, reserved: 0 });
  await fixture.store.write((tx) =>
    tx.run("UPDATE senders SET name = 'MINE' WHERE account_id = ?", stranger.accountId),
  );
  expect(await data("/sender-ids")).toMatchObject({ sender_ids: [{ sender: "MINE" }] });
});

// Keeps: public-api 4.12.2, 5.15
test("no path creates, lists or revokes keys", async () => {
  const document = (await (await fetch(`${fixture.http.url}/openapi.json`)).json()) as { paths: object };
  expect(Object.keys(document.paths).filter((path) => /key/i.test(path))).toEqual([]);
  const headers = { "x-api-key": tenant.apiKey };
  for (const path of ["/keys", "/api-keys", "/account/keys", "/account/api-keys", `/keys/${tenant.keyId}`]) {
    for (const method of ["GET", "POST", "DELETE"]) {
      const response = await fetch(`${fixture.http.url}/public/v1${path}`, { method, headers });
      expect(await verdict(response)).toBe("404 NOT_FOUND");
    }
  }
});
