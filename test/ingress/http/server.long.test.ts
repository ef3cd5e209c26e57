import { describe, expect, test } from "vitest";
import { settingsHolder } from "../../../src/config/live-config.ts";
import { createHealth, readiness } from "../../../src/core/health.ts";
import { systemServe } from "../../../src/core/http-server.ts";
import { createDeadline } from "../../../src/core/shutdown-plan.ts";
import { startThread } from "../../../src/core/thread.ts";
import { keyUses } from "../../../src/domain/accounts/api-keys.ts";
import { said } from "../../../src/i18n/phrase.ts";
import { publicApi } from "../../../src/ingress/api/public-api.ts";
import { listen } from "../../../src/ingress/http/listener.ts";
import { createRequestHandler, createStartupHandler } from "../../../src/ingress/http/router.ts";
import { configOf, document } from "../../config/sample.ts";
import { testLog } from "../../kit/test-log.ts";
import { httpFixture, rawConnection, submission, submitTo, verdict } from "../api/fixture.ts";

describe("starting", () => {
  test("the address is there first; who asks before anything is behind it is asked to come back", async () => {
    const fixture = await httpFixture();
    const { config, clock } = {
      config: configOf(document({ server: { listen: "127.0.0.1:0" } })),
      clock: fixture.clock,
    };
    const ready = readiness();
    const started = ready.hold(said("starting"));
    let ids = 0;
    const bound = listen({
      at: config.server.listen,
      certificate: null,
      clock,
      log: testLog(),
      serve: systemServe,
      closed: createStartupHandler(clock, () => `id-${++ids}`, ready),
    });
    const get = async (path: string) => {
      const answer = await fetch(bound.url + path);
      return [answer.status, answer.headers.get("retry-after"), await answer.json()];
    };
    expect(await get("/health/live")).toEqual([200, null, { data: { status: "live" } }]);
    expect(await get("/health/ready")).toEqual([
      503,
      "1",
      { data: { status: "not ready", reasons: ["starting"] } },
    ]);
    expect(await get("/public/v1/account/balance")).toMatchObject([
      503,
      "5",
      { code: "SERVICE_UNAVAILABLE" },
    ]);
    const { headers } = await fetch(`${bound.url}/public/v1/account/balance`);
    expect([headers.get("connection"), headers.get("x-request-id")]).toEqual(["close", `id-${ids}`]);
    const health = createHealth(clock, ready, []);
    const api = publicApi({
      ...fixture,
      keyUses: keyUses(),
      startThread,
      settings: settingsHolder(config),
      log: testLog(),
      readiness: ready,
      health,
    });
    bound.open(createRequestHandler(api.sets));
    started();
    expect(await get("/health/ready")).toEqual([200, null, { data: { status: "ready" } }]);
    expect(await get("/public/v1/account/balance")).toMatchObject([401, null, { code: "UNAUTHORIZED" }]);
    await bound.stop(createDeadline(clock, 1000));
    await fixture.close();
  });
});

describe("stopping", () => {
  test("lets a request under way finish, and refuses new connections", async () => {
    let open = () => {};
    const held = new Promise<void>((resolve) => {
      open = resolve;
    });
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const fixture = await httpFixture({
      submit: (real) => async (order) => {
        arrived();
        await held;
        return real(order);
      },
    });
    const tenant = await fixture.tenant();
    const answer = submitTo(fixture, tenant, "last");
    await arrival;
    const closing = fixture.http.stop();
    await expect(fetch(`${fixture.http.url}/health/live`, { keepalive: false })).rejects.toThrow();
    open();
    expect((await answer).status).toBe(202);
    await closing;
    await fixture.close();
  });

  test("waits neither for a head that was never finished", async () => {
    const fixture = await httpFixture();
    const half = rawConnection(fixture);
    half.send("GET /public/v1/acc");
    await fetch(`${fixture.http.url}/health/live`, { keepalive: false });
    await fixture.close();
    expect(await half.closed()).toBe("");
  });

  test("a body that does not come is waited for as long as an answer, then its connection is closed", async () => {
    const fixture = await httpFixture();
    const { apiKey } = await fixture.tenant();
    const slow = rawConnection(fixture);
    slow.send(
      `POST /public/v1/batches HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${apiKey}\r\nIdempotency-Key: a\r\n` +
        'Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{"sender":',
    );
    while ((await (await fetch(`${fixture.http.url}/health/live`)).text()) && fixture.clock.waiting() === 0);
    const closing = fixture.close();
    await fixture.clock.advance(5500);
    await closing;
    expect(await slow.closed()).toBe("");
  });

  // Keeps: behaviour 4.68
  test("a submission that comes while it is stopping, or whose body does, is asked to come back; its key stays free", async () => {
    const fixture = await httpFixture();
    const tenant = await fixture.tenant();
    const body = JSON.stringify(submission());
    const slow = rawConnection(fixture);
    slow.send(
      `POST /public/v1/batches HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${tenant.apiKey}\r\nIdempotency-Key: slow\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    while ((await (await fetch(`${fixture.http.url}/health/live`)).text()) && fixture.clock.waiting() === 0);
    const release = fixture.ready.hold(said("stopping"));
    const refused = await submitTo(fixture, tenant, "late");
    expect([refused.headers.get("retry-after"), await verdict(refused)]).toEqual([
      "5",
      "503 SERVICE_UNAVAILABLE",
    ]);
    slow.send(body.slice(10));
    expect(await slow.until("SERVICE_UNAVAILABLE")).toContain("HTTP/1.1 503");
    release();
    for (const key of ["late", "slow"]) expect((await submitTo(fixture, tenant, key)).status).toBe(202);
    await fixture.close();
  });

  test("does not wait for connections that ask for nothing", async () => {
    const fixture = await httpFixture();
    const idle = rawConnection(fixture);
    idle.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await idle.until("live");
    await fixture.close();
    expect(await idle.closed()).toContain("200 OK");
  });

  test("gives up on an answer that takes longer than five seconds", async () => {
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const fixture = await httpFixture({
      submit: () => () => {
        arrived();
        return new Promise(() => {});
      },
    });
    const stuck = submitTo(fixture, await fixture.tenant(), "stuck").then(
      () => "answered",
      () => "broken off",
    );
    await arrival;
    const closing = fixture.close();
    await fixture.clock.advance(5000);
    await closing;
    expect(await stuck).toBe("broken off");
  });
});

// Keeps: behaviour 3.39
test("the documentation and everything it loads come from the server itself", async () => {
  const fixture = await httpFixture();
  const get = (path: string) => fetch(fixture.http.url + path);
  const seen = new Set(["/docs", "/docs/errors", "/docs/webhooks", "/docs/try"]);
  for (const path of seen) {
    const page = await get(path);
    expect([path, page.status]).toEqual([path, 200]);
    const isPage = page.headers.get("content-type")?.startsWith("text/html");
    if (!isPage) continue;
    expect(page.headers.get("content-security-policy")).toContain("default-src 'self'");
    for (const [, source = ""] of (await page.text()).matchAll(
      /(?:src|href|action)="([^"#]*)(?:#[^"]*)?"/g,
    )) {
      expect([path, source]).toEqual([path, expect.stringMatching(/^(\/(?!\/).*|data:.*|)$/)]);
      if (source.startsWith("/")) seen.add(source);
    }
  }
  expect(seen.size).toBeGreaterThan(30);
  expect((await get("/docs/try.js")).headers.get("content-type")).toBe("text/javascript");
  expect((await get("/docs/guide.css")).headers.get("content-type")).toBe("text/css");
  await fixture.close();
});

test("a submission of 10,000 recipients is answered in one piece", async () => {
  const fixture = await httpFixture();
  const tenant = await fixture.tenant();
  const recipients = Array.from({ length: 10_000 }, (_, index) => ({
    msisdn: `7012${String(index).padStart(4, "0")}`,
  }));
  const response = await submitTo(fixture, tenant, "large", submission({ recipients }));
  expect(response.status).toBe(202);
  expect(await response.json()).toMatchObject({
    data: { accepted: 10_000, rejected: 0, reserved_amount: 150_000 },
  });
  await fixture.close();
});
