import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rateLimiter } from "../../../src/ingress/http/rate-limit.ts";
import {
  getFrom,
  type HttpFixture,
  httpFixture,
  problemOf,
  submitTo,
  type Tenant,
  verdict,
} from "../api/fixture.ts";

describe("a bucket", () => {
  // Keeps: behaviour 3.8
  test("allows a burst, then as many as flow in", () => {
    const limiter = rateLimiter(() => ({ perSecond: 2, burst: 3 }));
    const allowed = (atMs: number) => limiter.take(1, atMs).isAllowed;
    expect([allowed(0), allowed(0), allowed(0), allowed(0)]).toEqual([true, true, true, false]);
    expect([allowed(499), allowed(500), allowed(500)]).toEqual([false, true, false]);
  });

  test("never holds more than the burst", () => {
    const limiter = rateLimiter(() => ({ perSecond: 2, burst: 3 }));
    limiter.take(1, 0);
    expect(limiter.take(1, 3_600_000)).toMatchObject({ limit: 3, remaining: 2, resetSeconds: 1 });
  });

  test("tells when the next request is allowed and when it is full again", () => {
    const limiter = rateLimiter(() => ({ perSecond: 0.1, burst: 2 }));
    limiter.take(1, 0);
    limiter.take(1, 0);
    expect(limiter.take(1, 0)).toEqual({
      isAllowed: false,
      limit: 2,
      perSecond: 0.1,
      remaining: 0,
      resetSeconds: 20,
      retrySeconds: 10,
    });
  });

  // Keeps: behaviour 3.8
  test("is each key's own", () => {
    const limiter = rateLimiter(() => ({ perSecond: 1, burst: 1 }));
    expect([limiter.take(1, 0).isAllowed, limiter.take(2, 0).isAllowed]).toEqual([true, true]);
  });
});

describe("the limit of a key", () => {
  let fixture: HttpFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await httpFixture({ api: { requests_per_second: 1, burst: 2 } });
  });
  afterAll(() => fixture.close());

  const left = (response: Response) =>
    ["limit", "remaining", "reset"].map((name) => response.headers.get(`x-ratelimit-${name}`)).join(" ");

  // Keeps: behaviour 3.10
  test("is told with every authenticated answer, whatever it is", async () => {
    tenant = await fixture.tenant();
    expect(left(await getFrom(fixture, tenant, "/account/balance"))).toBe("2 1 1");
    const missing = await getFrom(fixture, tenant, "/nothing");
    expect([missing.status, left(missing)]).toEqual([404, "2 0 2"]);
  });

  // Keeps: behaviour 3.9
  // Keeps: public-api 7.23, 8.17
  test("answers 429 with Retry-After above it, and lets in again after that", async () => {
    tenant = await fixture.tenant();
    await getFrom(fixture, tenant, "/account/balance");
    await getFrom(fixture, tenant, "/account/balance");
    const refused = await getFrom(fixture, tenant, "/account/balance");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(left(refused)).toBe("2 0 2");
    expect(await problemOf(refused)).toMatchObject({
      code: "RATE_LIMITED",
      detail: "the key's request limit was exceeded: 1 requests a second, 2 at once",
    });
    await fixture.clock.advance(1000);
    expect((await getFrom(fixture, tenant, "/account/balance")).status).toBe(200);
  });

  // Keeps: behaviour 3.14
  // Keeps: public-api 8.16
  test("comes before the path, the scope and the body are judged", async () => {
    tenant = await fixture.tenant(["WEBHOOKS_MANAGE"]);
    await getFrom(fixture, tenant, "/x");
    await getFrom(fixture, tenant, "/x");
    expect(await verdict(await getFrom(fixture, tenant, "/x"))).toBe("429 RATE_LIMITED");
    expect(await verdict(await submitTo(fixture, tenant, "k", "{"))).toBe("429 RATE_LIMITED");
  });
});
