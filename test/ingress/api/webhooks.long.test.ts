import { statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { KEY_FILE } from "../../../src/webhooks/signing.ts";
import { getFrom, type HttpFixture, httpFixture, problemOf, type Tenant, verdict } from "./fixture.ts";

let fixture: HttpFixture;
let tenant: Tenant;
const names: Record<string, readonly string[]> = {};
beforeEach(async () => {
  for (const name of Object.keys(names)) delete names[name];
  fixture = await httpFixture({
    resolve: (host) => (names[host] ? Promise.resolve(names[host]) : Promise.reject(new Error("unknown"))),
  });
  tenant = await fixture.tenant();
});
afterEach(() => fixture.close());

type Webhook = Readonly<Record<string, unknown>> & { readonly webhook_id: string; readonly secret?: string };

const post = (path: string, body?: unknown, by = tenant) =>
  fetch(`${fixture.http.url}/public/v1/webhooks${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${by.apiKey}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const dataOf = async (response: Response) => ((await response.json()) as { data: Webhook }).data;
const create = async (changes: object = {}, by = tenant) =>
  dataOf(await post("", { url: "https://hook.example.test/in", ...changes }, by));
const list = async (by = tenant) => {
  const { data } = (await (await getFrom(fixture, by, "/webhooks")).json()) as {
    data: { webhooks: Webhook[] };
  };
  return data.webhooks;
};

describe("POST /webhooks", () => {
  // Keeps: public-api 1.10, 2.7.1, 2.7.2, 2.7.3, 2.7.4, 2.7.7, 2.7.10, 2.7.11, 3.3.1, 4.8.1, 4.8.8, 4.8.10, 4.8.11, 6.7
  // Keeps: behaviour 8.2
  test("answers 201 with the enabled endpoint and its secret, which no read shows again", async () => {
    const response = await post("", {
      url: "https://hook.example.test/in",
      description: "Orders",
      events: ["BATCH_SETTLED", "BATCH_SETTLED"],
    });
    expect(response.status).toBe(201);
    const { secret, ...webhook } = await dataOf(response);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toEqual({
      webhook_id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      url: "https://hook.example.test/in",
      description: "Orders",
      events: ["BATCH_SETTLED"],
      status: "ENABLED",
      consecutive_failures: 0,
      disabled_reason: null,
      last_success_at: null,
      last_failure_at: null,
      created_at: "2026-03-02T09:00:00.000Z",
      is_sandbox: false,
    });
    expect(await list()).toEqual([webhook]);
  });

  // Keeps: public-api 4.8.9, 6.2, 6.3, 6.4
  // Keeps: behaviour 8.36
  test("takes the two promised events where none is named", async () => {
    const promised = ["MESSAGE_TERMINAL", "BATCH_SETTLED"];
    for (const events of [undefined, null, []])
      expect((await create(events === undefined ? {} : { events })).events).toEqual(promised);
  });

  test("keeps the secret sealed, and out of the log and the audit list", async () => {
    const { secret = "" } = await create({ url: "https://hook.example.test/in?token=hush" });
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const [row] = fixture.store.read.all<{ sealed: Uint8Array }>("SELECT sealed FROM webhook_secrets");
    expect(Buffer.from(row!.sealed).includes(key)).toBe(false);
    expect(statSync(join(fixture.store.directory, KEY_FILE)).mode & 0o777).toBe(0o600);
    const audit = JSON.stringify(fixture.store.read.all("SELECT * FROM audit_entries"));
    expect(audit).toContain("webhook create");
    for (const said of [audit, JSON.stringify(fixture.lines)]) {
      expect(said).not.toContain(secret.slice(6, 30));
      expect(said).not.toContain("hush");
    }
  });

  // Keeps: public-api 4.8.3, 4.8.4, 4.8.6, 7.5, 7.29
  // Keeps: behaviour 8.29, 8.34
  test.each([
    ["http://hook.example.test/"],
    ["https://user:pass@hook.example.test/"],
    ["https://127.0.0.1/"],
    ["https://[::1]/"],
    ["https://[::ffff:10.0.0.1]/"],
    ["https://2130706433/"],
    ["https://169.254.169.254/latest/meta-data/"],
    ["https://10.1.2.3/"],
    ["https://100.64.0.1/"],
    ["hook.example.test"],
    [`https://hook.example.test/${"a".repeat(2048)}`],
    [7],
  ])("refuses the URL %s", async (url) => {
    const response = await post("", { url });
    expect(response.status).toBe(422);
    expect(await problemOf(response)).toMatchObject({
      code: "VALIDATION_FAILED",
      errors: [{ path: "/url" }],
    });
    expect(await list()).toEqual([]);
  });

  // Keeps: public-api 4.8.4
  // Keeps: behaviour 8.29
  test("refuses a name that resolves to a private address, without telling which", async () => {
    names["internal.example.test"] = ["192.0.43.7", "10.11.12.13"];
    const response = await post("", { url: "https://internal.example.test/" });
    const problem = await problemOf(response);
    expect([response.status, problem.code]).toEqual([422, "VALIDATION_FAILED"]);
    expect(JSON.stringify(problem)).not.toContain("10.11");
  });

  // Keeps: public-api 4.8.5
  // Keeps: behaviour 8.33
  test("accepts a name that resolves to a public address, and one that does not resolve yet", async () => {
    names["shop.example.test"] = ["192.0.43.7", "2a00:1450::1"];
    expect((await post("", { url: "https://shop.example.test/" })).status).toBe(201);
    expect((await post("", { url: "https://new.example.test/" })).status).toBe(201);
  });

  // Keeps: behaviour 8.35
  test.each([
    [{ events: ["SENT"] }, "/events/0"],
    [{ events: "MESSAGE_TERMINAL" }, "/events"],
    [{ description: "a".repeat(256) }, "/description"],
    [{ event: ["MESSAGE_TERMINAL"] }, "/event"],
  ])("refuses %j", async (changes, path) => {
    const response = await post("", { url: "https://hook.example.test/", ...changes });
    expect(await problemOf(response)).toMatchObject({ code: "VALIDATION_FAILED", errors: [{ path }] });
  });

  test.each([
    ["no JSON", "text/plain", "hello"],
    ["broken JSON", "application/json", "{"],
    ["too long a body", "application/json", JSON.stringify({ url: "a".repeat(70_000) })],
  ])("refuses %s", async (_what, type, body) => {
    const headers = { authorization: `Bearer ${tenant.apiKey}`, "content-type": type };
    const response = await fetch(`${fixture.http.url}/public/v1/webhooks`, { method: "POST", headers, body });
    expect(await verdict(response)).toBe("422 VALIDATION_FAILED");
  });

  test("stops at 100 endpoints", async () => {
    await fixture.store.write((tx) => {
      for (let number = 0; number < 100; number++) {
        tx.run(
          `INSERT INTO webhook_endpoints (ulid, account_id, url, description, events, status, created_at,
             feed_cursor_us, event_cursor) VALUES (?, ?, 'https://a.test', '', 'BATCH_SETTLED', 'ENABLED', 0, 0, 0)`,
          String(number).padStart(26, "0"),
          tenant.accountId,
        );
      }
    });
    const problem = await problemOf(await post("", { url: "https://hook.example.test/" }));
    expect([problem.code, problem.detail]).toEqual([
      "VALIDATION_FAILED",
      "an account has at most 100 webhooks, including disabled ones: ask your provider to delete some",
    ]);
  });
});

describe("GET /webhooks", () => {
  // Keeps: public-api 4.7.1, 4.7.2
  test("lists the account's own, newest first", async () => {
    const other = await fixture.tenant();
    const first = await create();
    await fixture.clock.advance(1);
    const second = await create();
    await create({}, other);
    expect((await list()).map(({ webhook_id }) => webhook_id)).toEqual([second.webhook_id, first.webhook_id]);
    expect((await list(other)).length).toBe(1);
  });
});

describe("POST /webhooks/{webhook_id}/rotate", () => {
  // Keeps: public-api 2.7.12, 4.9.1, 4.9.3
  test("answers with another secret and when the previous one ends: in 24 hours", async () => {
    const { webhook_id, secret, ...webhook } = await create();
    const response = await post(`/${webhook_id}/rotate`);
    expect(response.status).toBe(200);
    const rotated = await dataOf(response);
    expect(rotated).toEqual({
      webhook_id,
      ...webhook,
      secret: expect.stringMatching(/^whsec_/),
      previous_secret_expires_at: "2026-03-03T09:00:00.000Z",
    });
    expect(rotated.secret).not.toBe(secret);
  });

  // Keeps: behaviour 8.4
  test("keeps at most five secrets, the newest", async () => {
    const { webhook_id } = await create();
    for (let time = 0; time < 7; time++) await post(`/${webhook_id}/rotate`);
    const rows = fixture.store.read.all<{ id: number; expires_at: number | null }>(
      "SELECT id, expires_at FROM webhook_secrets ORDER BY id DESC",
    );
    expect(rows.length).toBe(5);
    expect(rows.map(({ expires_at }) => expires_at === null)).toEqual([true, false, false, false, false]);
  });

  test("does not lengthen the life of a secret that was replaced before", async () => {
    const { webhook_id } = await create();
    await post(`/${webhook_id}/rotate`);
    await fixture.clock.advance(3_600_000);
    await post(`/${webhook_id}/rotate`);
    const ends = fixture.store.read
      .all<{ at: number }>("SELECT expires_at AS at FROM webhook_secrets WHERE expires_at > 0 ORDER BY id")
      .map(({ at }) => at - fixture.clock.nowMs());
    expect(ends).toEqual([23 * 3_600_000, 24 * 3_600_000]);
  });
});

describe("POST /webhooks/{webhook_id}/disable and enable", () => {
  // Keeps: public-api 3.3.4, 4.10.1, 4.10.2, 4.11.1, 4.11.2
  test("switch an endpoint off with a reason, and on again with its failures forgotten", async () => {
    const { webhook_id } = await create();
    const disabled = await dataOf(await post(`/${webhook_id}/disable`));
    expect(disabled).toMatchObject({ status: "DISABLED_BY_USER", disabled_reason: expect.any(String) });
    await fixture.store.write((tx) => tx.run("UPDATE webhook_endpoints SET consecutive_failures = 7"));
    const enabled = await dataOf(await post(`/${webhook_id}/enable`));
    expect(enabled).toMatchObject({ status: "ENABLED", consecutive_failures: 0, disabled_reason: null });
    expect(enabled).not.toHaveProperty("secret");
  });

  // Keeps: public-api 2.7.5, 3.3.4
  test("turn DISABLED_AFTER_FAILURES into either", async () => {
    const { webhook_id } = await create();
    const fail = () =>
      fixture.store.write((tx) =>
        tx.run(
          `UPDATE webhook_endpoints SET status = 'DISABLED_AFTER_FAILURES', disabled_reason = '20 failures',
             consecutive_failures = 20`,
        ),
      );
    await fail();
    expect((await dataOf(await post(`/${webhook_id}/disable`))).status).toBe("DISABLED_BY_USER");
    await fail();
    expect(await dataOf(await post(`/${webhook_id}/enable`))).toMatchObject({
      status: "ENABLED",
      consecutive_failures: 0,
    });
  });

  test("are harmless twice", async () => {
    const { webhook_id } = await create();
    expect((await dataOf(await post(`/${webhook_id}/enable`))).status).toBe("ENABLED");
    await post(`/${webhook_id}/disable`);
    expect((await dataOf(await post(`/${webhook_id}/disable`))).status).toBe("DISABLED_BY_USER");
  });
});

describe("an operation on one endpoint", () => {
  // Keeps: public-api 4.9.2, 7.28
  test.each(["rotate", "enable", "disable", "test"])(
    "%s is 404 on a missing one and on another account's alike",
    async (verb) => {
      const other = await fixture.tenant();
      const { webhook_id } = await create({}, other);
      const bodies = [];
      for (const id of [webhook_id, "01KJQX5Y8M3T7V9B2C4D6F8G0H", "nonsense"]) {
        const response = await post(`/${id}/${verb}`);
        expect(response.status).toBe(404);
        const { request_id: _, ...problem } = await problemOf(response);
        bodies.push(problem);
      }
      expect(bodies[1]).toEqual(bodies[0]!);
      expect(bodies[2]).toEqual(bodies[0]!);
      expect((await list(other))[0]).toMatchObject({ status: "ENABLED" });
    },
  );
});

describe("every webhook operation", () => {
  // Keeps: public-api 5.9
  test.each([
    ["GET", ""],
    ["POST", ""],
    ["POST", "/01KJQX5Y8M3T7V9B2C4D6F8G0H/rotate"],
    ["POST", "/01KJQX5Y8M3T7V9B2C4D6F8G0H/enable"],
    ["POST", "/01KJQX5Y8M3T7V9B2C4D6F8G0H/disable"],
    ["POST", "/01KJQX5Y8M3T7V9B2C4D6F8G0H/test"],
  ])("%s /webhooks%s needs the scope WEBHOOKS_MANAGE", async (method, path) => {
    const reader = await fixture.key(tenant.accountId, ["MESSAGES_READ", "MESSAGES_SEND"]);
    const headers = { authorization: `Bearer ${reader.apiKey}` };
    const response = await fetch(`${fixture.http.url}/public/v1/webhooks${path}`, { method, headers });
    expect(response.status).toBe(403);
    expect(await problemOf(response)).toMatchObject({
      code: "INSUFFICIENT_SCOPE",
      detail: expect.stringContaining("WEBHOOKS_MANAGE"),
    });
  });

  // Keeps: public-api 4.12.1
  test.each([
    ["PATCH", "/01KJQX5Y8M3T7V9B2C4D6F8G0H"],
    ["DELETE", "/01KJQX5Y8M3T7V9B2C4D6F8G0H"],
    ["GET", "/01KJQX5Y8M3T7V9B2C4D6F8G0H"],
  ])("that only the console has is no path: %s /webhooks%s", async (method, path) => {
    const headers = { authorization: `Bearer ${tenant.apiKey}` };
    const response = await fetch(`${fixture.http.url}/public/v1/webhooks${path}`, { method, headers });
    expect(await verdict(response)).toBe("404 NOT_FOUND");
  });
});
