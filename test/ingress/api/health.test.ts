import { afterEach, describe, expect, test } from "vitest";
import { settingsHolder } from "../../../src/config/live-config.ts";
import { createHealth, type Finding, readiness } from "../../../src/core/health.ts";
import { createMetricsRegistry } from "../../../src/core/metrics-registry.ts";
import { said } from "../../../src/i18n/phrase.ts";
import { healthRoutes } from "../../../src/ingress/api/routes/health.ts";
import type { KnownCaller } from "../../../src/ingress/http/request-context.ts";
import { createRequestHandler, createRoutes, type Server } from "../../../src/ingress/http/router.ts";
import { configOf, document } from "../../config/sample.ts";
import { testLog } from "../../kit/test-log.ts";
import { type HttpFixture, httpFixture } from "./fixture.ts";

let fixture: HttpFixture;
afterEach(() => fixture.close());

let finding: Finding | null = { status: "ok", detail: said("3 links"), action: null };
let looks = 0;
const open = async () => {
  looks = 0;
  finding = { status: "ok", detail: said("3 links"), action: null };
  const look = () => {
    looks += 1;
    if (!finding) throw new Error("disk I/O error");
    return finding;
  };
  fixture = await httpFixture({ checks: [{ name: "operators", run: look }] });
};
const health = async (headers: Record<string, string> = {}) => {
  const answer = await fetch(`${fixture.http.url}/health`, { headers });
  return [answer.status, ((await answer.json()) as { data: unknown }).data] as const;
};

describe("the health of the appliance", () => {
  test("names its checks to this machine, with since when, what was found and what to do", async () => {
    await open();
    const since = new Date(fixture.clock.nowMs()).toISOString();
    expect(await health()).toEqual([
      200,
      {
        status: "ok",
        checks: [
          { name: "ready", status: "ok", since, detail: "submissions are accepted", action: null },
          { name: "operators", status: "ok", since, detail: "3 links", action: null },
        ],
      },
    ]);
  });

  test("is told in one word to a page of elsewhere whose name leads to this machine", async () => {
    await open();
    const { port } = new URL(fixture.http.url);
    for (const host of ["rebound.example", `rebound.example:${port}`, "127.0.0.1.rebound.example"])
      expect(await health({ host })).toEqual([200, { status: "ok" }]);
    for (const host of ["localhost", `127.0.0.1:${port}`, `[::1]:${port}`])
      expect(await health({ host })).toMatchObject([200, { checks: [{}, {}] }]);
  });

  test("is degraded, and still 200, while a check is not well, and tells since when", async () => {
    await open();
    await health();
    await fixture.clock.advance(60_000);
    finding = { status: "degraded", detail: said("orange is away"), action: said("call") };
    const since = new Date(fixture.clock.nowMs()).toISOString();
    await health();
    await fixture.clock.advance(60_000);
    expect(await health()).toMatchObject([
      200,
      { status: "degraded", checks: [{}, { status: "degraded", since, action: "call" }] },
    ]);
    finding = { status: "ok", detail: said(""), action: null };
    await fixture.clock.advance(1000);
    expect(await health()).toMatchObject([200, { status: "ok" }]);
  });

  test("is looked at by whoever asks whether it is ready: looking finds a database that cannot be written", async () => {
    await open();
    await fetch(`${fixture.http.url}/health/ready`);
    expect(looks).toBe(1);
  });

  test("is down with 503 exactly while submissions are not taken, and says why", async () => {
    await open();
    const release = fixture.ready.hold(said("the clock is doubted"));
    expect(await health()).toMatchObject([
      503,
      {
        status: "down",
        checks: [{ name: "ready", detail: expect.stringContaining("the clock is doubted") }, {}],
      },
    ]);
    release();
    expect(await health()).toMatchObject([200, { status: "ok" }]);
  });

  test("is the status alone for whoever came by a proxy: that one is on this machine, they are not", async () => {
    await open();
    for (const name of ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"]) {
      expect(await health({ [name]: "198.51.100.7" })).toEqual([200, { status: "ok" }]);
    }
  });

  test("is told in full to the networks of the staff, as the configuration has them at that moment", async () => {
    await open();
    const settings = settingsHolder(configOf(document()));
    const deps = { clock: fixture.clock, log: testLog(), newId: () => "01", tally: createMetricsRegistry() };
    const ready = readiness();
    const routes = createRoutes<KnownCaller>("", deps, null);
    healthRoutes(routes, { settings, readiness: ready, health: createHealth(deps.clock, ready, []) });
    const door = createRequestHandler([routes]);
    const server = { requestIP: () => ({ address: "10.20.0.9" }) } as unknown as Server;
    const names = async () => {
      const answer = await door(new Request("http://localhost/health"), server);
      return Object.keys(((await answer.json()) as { data: object }).data);
    };
    expect(await names()).toEqual(["status"]);
    settings.replace(configOf(document({ console: { staff_networks: ["10.20.0.0/16"] } })));
    expect(await names()).toEqual(["status", "checks"]);
    settings.replace(configOf(document({ console: { staff_networks: ["10.21.0.0/16"] } })));
    expect(await names()).toEqual(["status"]);
  });

  test("costs one look a second, however often it is asked, and a look that fails is told", async () => {
    await open();
    for (let times = 0; times < 50; times++) await health();
    expect(looks).toBe(1);
    await fixture.clock.advance(1000);
    finding = null;
    expect(await health()).toMatchObject([200, { status: "degraded" }]);
    expect(looks).toBe(2);
  });
});
