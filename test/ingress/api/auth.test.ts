import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { revokeKey } from "../../../src/domain/accounts/api-keys.ts";
import { getFrom, type HttpFixture, httpFixture, problemOf, type Tenant, verdict } from "./fixture.ts";

let fixture: HttpFixture;
let tenant: Tenant;
let other: Tenant;

beforeAll(async () => {
  fixture = await httpFixture();
  tenant = await fixture.tenant();
  other = await fixture.tenant();
});
afterAll(() => fixture.close());

const balance = (headers: Record<string, string>, query = "") =>
  fetch(`${fixture.http.url}/public/v1/account/balance${query}`, { headers });

describe("a request is let in", () => {
  // Keeps: behaviour 3.2
  // Keeps: public-api 5.1
  test.each([["Bearer"], ["bearer"], ["BEARER"]])("with its key after %s", async (scheme) => {
    expect((await balance({ authorization: `${scheme} ${tenant.apiKey}` })).status).toBe(200);
  });

  // Keeps: behaviour 3.2
  // Keeps: public-api 5.2
  test("with its key in X-API-Key", async () => {
    expect((await balance({ "x-api-key": tenant.apiKey })).status).toBe(200);
  });

  // Keeps: behaviour 3.3
  test("with the same key in both", async () => {
    const headers = { authorization: `Bearer ${tenant.apiKey}`, "x-api-key": tenant.apiKey };
    expect((await balance(headers)).status).toBe(200);
  });

  test("with X-API-Key beside a gateway's own Authorization", async () => {
    expect((await balance({ authorization: "Basic Z3c6Z3c=", "x-api-key": tenant.apiKey })).status).toBe(200);
  });

  test("with something in the query string that is no key", async () => {
    const headers = { "x-api-key": tenant.apiKey };
    for (const query of ["?api_key=", "?api_key=secret", `?api_key=${tenant.apiKey.slice(0, -1)}!`, "?%"]) {
      expect([query, (await balance(headers, query)).status]).toEqual([query, 200]);
    }
  });
});

describe("a request is refused with the same 401", () => {
  const bodies = new Set<string>();

  const refusals: readonly (readonly [name: string, headers: () => Record<string, string>, query: string])[] =
    [
      ["without a key", () => ({}), ""],
      ["with a malformed key", () => ({ authorization: "Bearer nonsense" }), ""],
      ["with an empty key", () => ({ "x-api-key": "" }), ""],
      ["with a scheme alone", () => ({ authorization: "Bearer" }), ""],
      ["with a wrong checksum", () => ({ "x-api-key": `${tenant.apiKey.slice(0, -1)}!` }), ""],
      [
        "with two keys that differ",
        () => ({ authorization: `Bearer ${tenant.apiKey}`, "x-api-key": other.apiKey }),
        "",
      ],
      ...["Bearer x y", "Bearer", "bearer\tx", "Bearer: x", "Bearer bdr_nonsense"].map(
        (authorization): (typeof refusals)[number] => [
          `with a good X-API-Key beside the Authorization ${JSON.stringify(authorization)}`,
          () => ({ authorization, "x-api-key": tenant.apiKey }),
          "",
        ],
      ),
    ];

  // Keeps: behaviour 3.3, 3.4, 3.6
  test.each(refusals)("%s", async (_name, headers, query) => {
    const response = await balance(headers(), query);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(response.headers.has("x-ratelimit-limit")).toBe(false);
    const { request_id: _, ...body } = await problemOf(response);
    expect(body.detail).toBe("a valid API key is required, in the header Authorization: Bearer KEY");
    bodies.add(JSON.stringify(body));
    expect([...bodies].length).toBe(1);
  });

  // Keeps: public-api 5.11
  test("once the key is revoked, at once", async () => {
    const doomed = await fixture.key(tenant.accountId, ["ACCOUNT_READ"]);
    expect((await getFrom(fixture, doomed, "/account/balance")).status).toBe(200);
    await fixture.store.write((tx) => revokeKey(tx, doomed.keyId, fixture.clock.nowMs()));
    expect(await verdict(await getFrom(fixture, doomed, "/account/balance"))).toBe("401 UNAUTHORIZED");
  });

  // Keeps: public-api 5.11
  test("once the key has expired", async () => {
    const doomed = await fixture.key(tenant.accountId, ["ACCOUNT_READ"], fixture.clock.nowMs() + 1000);
    expect((await getFrom(fixture, doomed, "/account/balance")).status).toBe(200);
    await fixture.clock.advance(1000);
    expect(await verdict(await getFrom(fixture, doomed, "/account/balance"))).toBe("401 UNAUTHORIZED");
  });

  // Keeps: public-api 5.11
  test("while the account is suspended", async () => {
    const doomed = await fixture.tenant();
    await fixture.store.write((tx) =>
      tx.run(
        "UPDATE accounts SET status = 'SUSPENDED', suspended_reason = 'x' WHERE id = ?",
        doomed.accountId,
      ),
    );
    expect(await verdict(await getFrom(fixture, doomed, "/account/balance"))).toBe("401 UNAUTHORIZED");
  });
});

describe("a key in the query string", () => {
  // Keeps: behaviour 3.4
  // Keeps: public-api 5.3
  test.each([
    ["alone", () => ({}), "?api_key=KEY"],
    ["beside a good header", () => ({ "x-api-key": tenant.apiKey }), "?api_key=KEY"],
    ["that is the key of the header", () => ({ "x-api-key": other.apiKey }), "?limit=1&token=KEY"],
    ["with blanks around it, encoded", () => ({ "x-api-key": tenant.apiKey }), "?key=%20KEY+"],
    ["as the name of a parameter", () => ({ "x-api-key": tenant.apiKey }), "?KEY"],
  ])("is refused %s, and the refusal says where a key belongs", async (_name, headers, query) => {
    const response = await balance(headers(), query.replace("KEY", other.apiKey.replace("_", "%5F")));
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    const { code, detail } = await problemOf(response);
    expect(code).toBe("UNAUTHORIZED");
    expect(detail).toContain("an API key never belongs in the address");
    expect(JSON.stringify(fixture.lines)).not.toContain(other.apiKey.slice(-40));
  });

  test("is refused whatever the path and the method are, and whoever it was given to", async () => {
    const doomed = await fixture.key(tenant.accountId, ["ACCOUNT_READ"]);
    await fixture.store.write((tx) => revokeKey(tx, doomed.keyId, fixture.clock.nowMs()));
    const headers = { "x-api-key": tenant.apiKey };
    for (const [method, path] of [
      ["POST", "/batches"],
      ["GET", "/nothing"],
      ["DELETE", "/messages"],
    ] as const) {
      const url = `${fixture.http.url}/public/v1${path}?k=${doomed.apiKey}`;
      expect([path, (await fetch(url, { method, headers })).status]).toEqual([path, 401]);
    }
  });
});

describe("a key without the scope", () => {
  // Keeps: behaviour 3.13
  test.each([
    ["POST", "/batches", "MESSAGES_SEND"],
    ["GET", "/batches/01KJQX5Y8M3T7V9B2C4D6F8G0H", "MESSAGES_READ"],
    ["GET", "/messages/01KJQX5Y8M3T7V9B2C4D6F8G0H", "MESSAGES_READ"],
    ["GET", "/messages", "MESSAGES_READ"],
    ["GET", "/account/balance", "ACCOUNT_READ"],
    ["GET", "/sender-ids", "SENDER_IDS_READ"],
  ])("is refused %s %s with a 403 that names %s", async (method, path, scope) => {
    const weak = await fixture.key(tenant.accountId, ["WEBHOOKS_MANAGE"]);
    const response = await fetch(`${fixture.http.url}/public/v1${path}`, {
      method,
      headers: { "x-api-key": weak.apiKey },
    });
    const problem = await problemOf(response);
    expect([response.status, problem.code]).toEqual([403, "INSUFFICIENT_SCOPE"]);
    expect(problem.detail).toContain(scope);
    expect(response.headers.has("x-ratelimit-limit")).toBe(true);
  });
});

// Keeps: behaviour 3.5
// Keeps: public-api 5.3
test("the log names the key by its id and never holds the key or a query string", async () => {
  await balance({ "x-api-key": tenant.apiKey }, "?since=yesterday");
  await balance({ "x-api-key": tenant.apiKey }, `?api_key=${tenant.apiKey}`);
  await balance({}, `?api_key=${tenant.apiKey}`);
  const line = fixture.lines.find((entry) => entry.key_id === tenant.keyId);
  expect(line).toMatchObject({
    message: "request",
    method: "GET",
    route: "/public/v1/account/balance",
    status: 200,
  });
  const secret = tenant.apiKey.slice(`bdr_${tenant.keyId}_`.length);
  expect(JSON.stringify(fixture.lines)).not.toContain(secret);
  for (const hidden of ["api_key=", "yesterday"]) expect(JSON.stringify(fixture.lines)).not.toContain(hidden);
});
