import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { poll } from "./api.ts";
import { type Appliance, appliance, NO_RATE_LIMIT, type Tenant } from "./appliance.ts";

let bendre: Appliance;
let tenant: Tenant;

beforeAll(async () => {
  bendre = await appliance({ operators: { orange: "away" }, settings: NO_RATE_LIMIT });
  tenant = await bendre.tenant("Clés", { money: 1000 });
});
afterAll(() => bendre?.close());

const balance = async (headers: Record<string, string>, query = "") => {
  const answer = await fetch(`${bendre.url()}/public/v1/account/balance${query}`, {
    headers: { "x-request-id": "same", ...headers },
  });
  return { status: answer.status, text: await answer.text() };
};
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

const otp = { sender: "ACME", body: "x", message_class: "OTP", recipients: [{ msisdn: "74600001" }] };

describe("an API key", () => {
  // Keeps: public-api 5.1, 5.2
  test("is taken from either header, and from both while they agree", async () => {
    const { apiKey } = tenant;
    expect((await balance(bearer(apiKey))).status).toBe(200);
    expect((await balance({ "x-api-key": apiKey })).status).toBe(200);
    expect((await balance({ ...bearer(apiKey), "x-api-key": apiKey })).status).toBe(200);
    const { apiKey: other } = bendre.key(tenant.accountId, "--scopes", "all");
    expect((await balance({ ...bearer(apiKey), "x-api-key": other })).status).toBe(401);
  });

  // Keeps: public-api 5.3
  test("in the query string opens nothing, and no log has it", async () => {
    for (const name of ["api_key", "X-API-Key", "access_token", "key"]) {
      expect((await balance({}, `?${name}=${tenant.apiKey}`)).status).toBe(401);
    }
    expect((await balance(bearer(tenant.apiKey), "?api_key=another")).status).toBe(200);
    await poll(bendre.log, (log) => log.includes("UNAUTHORIZED") || log.includes("/account/balance"));
    expect(bendre.log()).not.toContain(tenant.apiKey);
  });

  // Keeps: public-api 5.11, 5.12, 5.15
  test("that is missing, malformed, wrong, revoked, expired or of a suspended account gets one and the same 401", async () => {
    const expiresAt = new Date(Date.now() + 1500).toISOString();
    const expiring = bendre.key(tenant.accountId, "--scopes", "all", "--expires-at", expiresAt);
    expect((await expiring.api.get("/account/balance")).status).toBe(200);
    const revoked = bendre.key(tenant.accountId, "--scopes", "all");
    expect((await revoked.api.get("/account/balance")).status).toBe(200);
    expect(bendre.admin("key", "revoke", revoked.keyId)).toMatchObject({ status: "REVOKED" });
    const suspended = await bendre.tenant("Suspendue", { money: 0 });
    bendre.admin("account", "suspend", suspended.accountId, "--reason", "impayé");

    const refused = await balance({});
    expect(refused.status).toBe(401);
    expect(JSON.parse(refused.text)).toMatchObject({ code: "UNAUTHORIZED", request_id: "same" });
    const { apiKey } = tenant;
    const wrongSecret = apiKey.slice(0, 20) + apiKey.slice(20).split("").reverse().join("");
    for (const key of ["", "x", "bdr_", wrongSecret, `${apiKey}x`, revoked.apiKey, suspended.apiKey]) {
      expect(await balance(bearer(key))).toEqual(refused);
    }
    await poll(
      () => balance(bearer(expiring.apiKey)),
      ({ status }) => status === 401,
    );
    expect(await balance(bearer(expiring.apiKey))).toEqual(refused);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt));

    bendre.admin("account", "resume", suspended.accountId);
    expect((await balance(bearer(suspended.apiKey))).status).toBe(200);
    const statuses = (bendre.admin("key", "list", tenant.accountId).keys as { status: string }[]).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual(["ACTIVE", "ACTIVE", "EXPIRED", "REVOKED"]);
  });

  test("revoked or expired stays so when the server is started again", async () => {
    const { keyId, api } = bendre.key(tenant.accountId, "--scopes", "all");
    await bendre.end("SIGKILL");
    bendre.admin("key", "revoke", keyId);
    await bendre.start();
    expect((await api.get("/account/balance")).status).toBe(401);
    expect((await tenant.api.get("/account/balance")).status).toBe(200);
  });

  // Keeps: public-api 5.4, 5.5, 5.6, 5.7, 5.8, 5.10, 7.19
  test("opens only what its scopes name, and the missing one is named", async () => {
    const id = "01KJQX5Y8M3T7V9B2C4D6F8G0H";
    const since = "status_changed_since=2026-01-01T00:00:00Z";
    const endpoints = [
      ["MESSAGES_SEND", "POST", "/batches", 422],
      ["MESSAGES_READ", "GET", `/batches/${id}`, 404],
      ["MESSAGES_READ", "GET", `/messages/${id}`, 404],
      ["MESSAGES_READ", "GET", `/messages?${since}`, 200],
      ["ACCOUNT_READ", "GET", "/account/balance", 200],
      ["SENDER_IDS_READ", "GET", "/sender-ids", 200],
    ] as const;
    for (const scope of new Set(endpoints.map(([needed]) => needed))) {
      const { api } = bendre.key(tenant.accountId, "--scopes", scope);
      for (const [needed, method, path, open] of endpoints) {
        const { status, body } = await api.ask(path, { method });
        expect([scope, path, status]).toEqual([scope, path, needed === scope ? open : 403]);
        if (needed === scope) continue;
        expect(body).toMatchObject({ code: "INSUFFICIENT_SCOPE", detail: expect.stringContaining(needed) });
      }
    }
  });
});

describe("the limit of a key", () => {
  let strict: Appliance;
  beforeAll(async () => {
    strict = await appliance({
      operators: { orange: "away" },
      settings: "[api]\nrequests_per_second = 1\nburst = 5",
    });
  });
  afterAll(() => strict?.close());

  // Keeps: public-api 7.23, 8.16, 8.17, 8.18, 8.22
  test("answers 429 with its headers, having done nothing; another key is not touched, and in time it opens again", async () => {
    const { accountId, api } = await strict.tenant("Pressée", { money: 1000 });
    const { api: other } = strict.key(accountId, "--scopes", "all");
    for (let left = 4; left >= 0; left--) {
      const { status, headers } = await api.get("/account/balance");
      expect([status, headers.get("x-ratelimit-limit")]).toEqual([200, "5"]);
      expect(Number(headers.get("x-ratelimit-remaining"))).toBeGreaterThanOrEqual(left);
    }
    const limited = await poll(
      () => api.post("limited", "not even a batch"),
      ({ status }) => status === 429,
    );
    expect(limited.body).toMatchObject({ status: 429, code: "RATE_LIMITED" });
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(limited.headers.get("x-ratelimit-remaining")).toBe("0");
    expect(Number(limited.headers.get("x-ratelimit-reset"))).toBeGreaterThanOrEqual(4);

    expect((await other.get("/account/balance")).status).toBe(200);
    expect((await other.post("first", otp)).status).toBe(202);
    // The refused requests left the idempotency key as it was.
    const opened = await poll(
      () => api.post("limited", { ...otp, body: "y" }),
      ({ status }) => status !== 429,
    );
    expect(opened.status).toBe(202);
  });
});
