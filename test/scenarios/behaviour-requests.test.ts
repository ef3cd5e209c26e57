import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { settingsHolder } from "../../src/config/live-config.ts";
import { createHealth, readiness } from "../../src/core/health.ts";
import { isUlid } from "../../src/core/ids.ts";
import type { Reader } from "../../src/db/reader.ts";
import { suspendAccount } from "../../src/domain/accounts/accounts.ts";
import { authenticate, keyUses, revokeKey } from "../../src/domain/accounts/api-keys.ts";
import { submitter } from "../../src/domain/submission/submit.ts";
import { configOf, document, operator } from "../config/sample.ts";
import {
  getFrom,
  type HttpFixture,
  httpFixture,
  problemOf,
  submission,
  submitTo,
  type Tenant,
  verdict,
} from "../ingress/api/fixture.ts";
import { startHttp } from "../kit/start-http.ts";
import { testLog } from "../kit/test-log.ts";
import { textOf } from "../tidy/source.ts";

let fixture: HttpFixture;
let tenant: Tenant;
/** What happens to a submission between its authentication and a transaction of it. */
let meanwhile: (() => Promise<unknown>) | null = null;
let keys = 0;
const nextKey = () => `requests-${++keys}`;

beforeAll(async () => {
  fixture = await httpFixture({
    // Owns a prefix and has no price.
    operators: { telecel: operator({ prefixes: ["22658"] }) },
    beforeWrite: () => meanwhile?.(),
  });
});
beforeEach(async () => {
  meanwhile = null;
  tenant = await fixture.tenant();
});
afterAll(() => fixture.close());

const suspend = (accountId: number) => fixture.store.write((tx) => suspendAccount(tx, accountId, "unpaid"));
const recipients = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ msisdn: String(70_000_000 + index) }));

describe("the order of the checks", () => {
  // Keeps: behaviour 3.14, 3.23
  test("a request that is wrong in everything is told one thing after the other, as each is mended", async () => {
    const limited = await httpFixture({ api: { requests_per_second: 1, burst: 1 } });
    const owner = await limited.tenant();
    const weak = await limited.key(owner.accountId, ["ACCOUNT_READ"]);
    const strong = await limited.key(owner.accountId, ["MESSAGES_SEND"]);
    const request = {
      path: "/public/v2/nothing",
      method: "DELETE",
      headers: { "content-type": "text/plain" } as Record<string, string>,
      body: "{" as string,
    };
    const told: string[] = [];
    const ask = async () => {
      const { path, ...init } = request;
      told.push(await verdict(await fetch(limited.http.url + path, init)));
    };
    const mend = async (change: () => void) => {
      change();
      // The bucket holds one request and is filled in a second.
      await limited.clock.advance(1000);
      await ask();
    };
    await ask();
    await mend(() => (request.path = "/public/v1/nothing"));
    await getFrom(limited, weak, "/account/balance");
    request.headers["x-api-key"] = weak.apiKey;
    await ask();
    await mend(() => {});
    await mend(() => (request.path = "/public/v1/batches"));
    await mend(() => (request.method = "POST"));
    await mend(() => (request.headers["x-api-key"] = strong.apiKey));
    await mend(() => (request.headers["content-type"] = "application/json"));
    await mend(() => (request.body = JSON.stringify(submission({ recipients: [], sender: 5 }))));
    request.headers["idempotency-key"] = "order";
    await mend(() => {});
    await mend(() => (request.body = JSON.stringify(submission({ recipients: [], sender: "NOBODY" }))));
    await mend(() => (request.body = JSON.stringify(submission({ sender: "NOBODY" }))));
    await mend(() => (request.body = JSON.stringify(submission())));
    expect(told).toEqual([
      "400 UNSUPPORTED_VERSION",
      "401 UNAUTHORIZED",
      "429 RATE_LIMITED",
      "404 NOT_FOUND",
      "422 VALIDATION_FAILED",
      "403 INSUFFICIENT_SCOPE",
      "422 VALIDATION_FAILED",
      "422 VALIDATION_FAILED",
      "422 IDEMPOTENCY_KEY_REQUIRED",
      "422 VALIDATION_FAILED",
      "422 BATCH_EMPTY",
      "422 SENDER_NOT_APPROVED",
      "202 undefined",
    ]);
    await limited.close();
  });

  // Keeps: behaviour 3.22
  test("a key used with another body is refused before the shape of that body is judged", async () => {
    await submitTo(fixture, tenant, "used");
    expect(await verdict(await submitTo(fixture, tenant, "used", { nonsense: true }))).toBe(
      "409 IDEMPOTENCY_KEY_REUSED",
    );
  });
});

describe("a key that is refused", () => {
  /** Every way not to be let in by a key, each with a key of its own. */
  const refused = async (): Promise<readonly (readonly [string, string])[]> => {
    const nowMs = fixture.clock.nowMs();
    const [revoked, expired] = [
      await fixture.key(tenant.accountId, ["ACCOUNT_READ"]),
      await fixture.key(tenant.accountId, ["ACCOUNT_READ"], nowMs),
    ];
    await fixture.store.write((tx) => revokeKey(tx, revoked.keyId, nowMs));
    const suspended = await fixture.tenant();
    await suspend(suspended.accountId);
    const gone = await fixture.key(tenant.accountId, ["ACCOUNT_READ"]);
    const other = await fixture.key(tenant.accountId, ["ACCOUNT_READ"]);
    await fixture.store.write((tx) => {
      tx.run("DELETE FROM api_keys WHERE key_id = ?", gone.keyId);
      tx.run("UPDATE api_keys SET secret_sha256 = zeroblob(32) WHERE key_id = ?", other.keyId);
    });
    return [
      ["revoked", revoked.apiKey],
      ["expired", expired.apiKey],
      ["of a suspended account", suspended.apiKey],
      ["unknown", gone.apiKey],
      ["with another secret", other.apiKey],
    ];
  };

  // Keeps: behaviour 3.6
  test("answers the same 401 whatever is wrong with it, and as if there were none", async () => {
    const answerTo = async (headers: Record<string, string>) => {
      const response = await fetch(`${fixture.http.url}/public/v1/account/balance`, { headers });
      const { request_id: _, ...body } = await problemOf(response);
      const names = [...response.headers.keys()].sort();
      return JSON.stringify({ status: response.status, names, body });
    };
    const none = await answerTo({});
    expect(none).toContain("UNAUTHORIZED");
    expect(await answerTo({ "x-api-key": "bdr_malformed" })).toBe(none);
    for (const [, apiKey] of await refused()) expect(await answerTo({ "x-api-key": apiKey })).toBe(none);
  });

  // Keeps: behaviour 2.2, 3.7
  test("costs one look-up whatever is wrong with it, and none when it was mistyped", async () => {
    let lookUps = 0;
    const read: Reader = {
      ...fixture.store.read,
      known: (sql, ...params) => {
        lookUps += 1;
        return fixture.store.read.known(sql, ...params);
      },
    };
    const costOf = (apiKey: string) => {
      lookUps = 0;
      expect(authenticate(read, apiKey, fixture.clock.nowMs())).toBeNull();
      return lookUps;
    };
    for (const [, apiKey] of await refused()) expect(costOf(apiKey)).toBe(1);
    const last = tenant.apiKey.at(-1) === "0" ? "1" : "0";
    expect(costOf(tenant.apiKey.slice(0, -1) + last)).toBe(0);
  });

  // Keeps: behaviour 2.4
  test("was compared in constant time, and nowhere else is a secret compared", () => {
    const source = textOf("src/domain/accounts/api-keys.ts");
    expect(source.match(/timingSafeEqual\(digest, /g)).toHaveLength(1);
    expect(source.match(/secret_sha256/g)).toHaveLength(4);
  });
});

describe("X-Request-Id", () => {
  const idOf = async (path: string, headers: Record<string, string> = {}, method = "GET") => {
    const response = await fetch(fixture.http.url + path, { method, headers });
    return response.headers.get("x-request-id") ?? "";
  };

  // Keeps: behaviour 3.27
  test("is on every answer, whatever it is", async () => {
    const key = { "x-api-key": tenant.apiKey };
    const ids = [
      await idOf("/public/v1/account/balance", key),
      await idOf("/public/v1/account/balance"),
      await idOf("/public/v9/x"),
      await idOf("/public/v1/nothing", key),
      await idOf("/public/v1/account/balance", key, "DELETE"),
      await idOf("/public/v1/account/balance", key, "HEAD"),
      await idOf("/nothing"),
      await idOf("/health/live"),
      await idOf("/docs"),
      await idOf("/openapi.json"),
      (await submitTo(fixture, tenant, nextKey())).headers.get("x-request-id") ?? "",
      (await submitTo(fixture, tenant, nextKey(), "{")).headers.get("x-request-id") ?? "",
    ];
    expect(ids.filter((id) => !isUlid(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  // Keeps: behaviour 3.28
  test.each([
    ["A1._:-z", true],
    ["x".repeat(64), true],
    ["x".repeat(65), false],
    ["a,b", false],
    ["a/b", false],
    ["a;b=c", false],
    ['"a"', false],
    ["{a}", false],
  ])("%s is the client's own: %s", async (own, isKept) => {
    const id = await idOf("/public/v1/nothing", { "x-request-id": own });
    expect(id === own).toBe(isKept);
    expect(isKept || isUlid(id)).toBe(true);
  });

  // Keeps: behaviour 3.29
  test("is in the error's body and in the log, also of an unexpected failure", async () => {
    meanwhile = () => Promise.reject(new Error("a disk failed"));
    const response = await submitTo(fixture, tenant, nextKey());
    const id = response.headers.get("x-request-id");
    expect(await problemOf(response)).toMatchObject({ code: "INTERNAL_ERROR", request_id: id } as never);
    const lines = fixture.lines.filter(({ request_id }) => request_id === id);
    expect(lines.map(({ message }) => message)).toEqual(["request failed", "request"]);
  });
});

describe("ACCOUNT_SUSPENDED", () => {
  // Keeps: behaviour 3.30
  test.each([[1], [251], [10_001]])(
    "answers 403 to %i recipients when the account is suspended after the request was let in",
    async (count) => {
      meanwhile = () => suspend(tenant.accountId);
      const response = await submitTo(
        fixture,
        tenant,
        nextKey(),
        submission({ recipients: recipients(count) }),
      );
      expect(await verdict(response)).toBe("403 ACCOUNT_SUSPENDED");
      const left = fixture.store.read.get("SELECT 1 FROM batches WHERE account_id = ?", tenant.accountId);
      expect(left).toBeNull();
      expect(await verdict(await submitTo(fixture, tenant, nextKey()))).toBe("401 UNAUTHORIZED");
    },
  );
});

describe("CONFIGURATION_ERROR", () => {
  // Keeps: behaviour 3.32, 3.33, 3.34
  test.each([
    ["a channel without a provider", { channel: "WHATSAPP" }, { channel: "WHATSAPP" }],
    ["an operator without a price", { recipients: [{ msisdn: "58000001" }] }, { operator: "telecel" }],
    [
      "one recipient of many there",
      { recipients: [{ msisdn: "70000001" }, { msisdn: "58000001" }] },
      { operator: "telecel" },
    ],
  ])("answers 500 to %s; the log says which, the body does not", async (_what, changes, said) => {
    const response = await submitTo(fixture, tenant, nextKey(), submission(changes));
    const text = await response.clone().text();
    expect(await verdict(response)).toBe("500 CONFIGURATION_ERROR");
    expect(text).toContain("the service is not configured");
    expect(text).not.toMatch(/telecel|provider/i);
    expect(fixture.lines).toContainEqual(expect.objectContaining({ level: "error", ...said }));
  });

  // Keeps: behaviour 3.52
  test("is worth a retry where a price is missing, and not where the channel has no provider", async () => {
    const told = async (changes: Readonly<Record<string, unknown>>) => {
      const response = await submitTo(fixture, tenant, nextKey(), submission(changes));
      const { code, is_retryable } = await problemOf(response);
      return [code, is_retryable, response.headers.get("retry-after")];
    };
    expect(await told({ recipients: [{ msisdn: "58000001" }] })).toEqual(["CONFIGURATION_ERROR", true, null]);
    expect(await told({ channel: "WHATSAPP" })).toEqual(["CONFIGURATION_ERROR", false, null]);
  });

  // Keeps: behaviour 3.33
  test("is not what a batch is told whose recipients there are dropped anyway", async () => {
    const changes = { body: "{x}", recipients: [{ msisdn: "58000001" }] };
    expect((await submitTo(fixture, tenant, nextKey(), submission(changes))).status).toBe(202);
  });
});

describe("above 10,000 recipients", () => {
  const large = (changes: Readonly<Record<string, unknown>>) =>
    submitTo(fixture, tenant, nextKey(), submission({ recipients: recipients(10_001), ...changes }));

  // Keeps: behaviour 3.26
  test.each([
    ["shape", "422 VALIDATION_FAILED", { is_test: "no" }],
    ["a misspelt field", "422 VALIDATION_FAILED", { schedule_at: "2026-03-03T09:00:00Z" }],
    ["sender", "422 SENDER_NOT_APPROVED", { sender: "NOBODY" }],
    ["schedule", "422 SCHEDULE_INVALID", { scheduled_at: "2020-01-01T00:00:00Z" }],
    ["timezone", "422 SCHEDULE_INVALID", { timezone: "Mars/Olympus" }],
    ["blank body", "422 BATCH_BODY_EMPTY", { body: " " }],
    ["channel", "500 CONFIGURATION_ERROR", { channel: "WHATSAPP" }],
    [
      "the type of the last attribute",
      "422 VALIDATION_FAILED",
      { recipients: [...recipients(10_000), { msisdn: "70999999", attributes: { a: [1] } }] },
    ],
  ])("%s is checked before the 202: %s", async (_what, expected, changes) => {
    expect(await verdict(await large(changes))).toBe(expected);
    const left = fixture.store.read.get("SELECT 1 FROM batches WHERE account_id = ?", tenant.accountId);
    expect(left).toBeNull();
  });
});

describe("a claim of an Idempotency-Key", () => {
  // Keeps: behaviour 3.46, 3.48
  test("is void once its process has died, and holds while it lives", async () => {
    let arrived = () => {};
    const isUnderWay = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    let release = () => {};
    meanwhile = () => {
      arrived();
      return new Promise<void>((resolve) => {
        release = resolve;
      });
    };
    const key = nextKey();
    const first = submitTo(fixture, tenant, key);
    await isUnderWay;
    expect(await verdict(await submitTo(fixture, tenant, key))).toBe("409 REQUEST_IN_PROGRESS");
    // The next process has the database and nothing else of the first.
    const { store, clock } = fixture;
    const config = configOf(document({ server: { listen: "127.0.0.1:0" } }));
    const services = { ...fixture.services, submitBatch: submitter(fixture.intake) };
    const newId = () => "01KJQX5Y8M3T7V9B2C4D6F8G0H";
    const ready = readiness();
    const next = await startHttp({
      settings: settingsHolder(config),
      clock,
      log: testLog(),
      newId,
      store,
      readiness: ready,
      health: createHealth(clock, ready, []),
      services,
      keyUses: keyUses(),
    });
    const again = await submitTo({ ...fixture, http: next }, tenant, key);
    expect([again.status, again.headers.has("idempotency-replayed")]).toEqual([202, false]);
    await next.stop();
    meanwhile = null;
    release();
    await first;
  });
});
