import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readiness } from "../../../src/core/health.ts";
import { systemServe } from "../../../src/core/http-server.ts";
import { createMetricsRegistry } from "../../../src/core/metrics-registry.ts";
import { createDeadline } from "../../../src/core/shutdown-plan.ts";
import { type Listener, listen } from "../../../src/ingress/http/listener.ts";
import { dataAnswer } from "../../../src/ingress/http/problem.ts";
import { rateLimiter } from "../../../src/ingress/http/rate-limit.ts";
import type { KnownCaller } from "../../../src/ingress/http/request-context.ts";
import {
  createRequestHandler,
  createRoutes,
  createStartupHandler,
  requireCaller,
} from "../../../src/ingress/http/router.ts";
import { configOf, document } from "../../config/sample.ts";
import { testClock } from "../../kit/test-clock.ts";
import { testLog } from "../../kit/test-log.ts";

type Visitor = KnownCaller & { readonly name: string };

const clock = testClock();
const log = testLog();
let ids = 0;
const deps = { clock, log, tally: createMetricsRegistry(), newId: () => `id-${++ids}` };
let door: Listener;

beforeEach(() => {
  const limiter = rateLimiter(() => ({ perSecond: 1, burst: 2 }));
  const console = createRoutes<Visitor>("/console", deps, {
    authenticate: (headers) => {
      const name = headers.get("cookie");
      if (name === "nobody can look up") throw new Error("disk I/O error");
      return name === null ? null : { keyId: `session ${name}`, name };
    },
    take: () => limiter.take(1, clock.steadyMs()),
  });
  console
    .get("/greeting/:word", ({ exchange, params }) =>
      dataAnswer(`${params.word} ${requireCaller(exchange).name}`),
    )
    .post(
      "/broken",
      () => {
        throw new Error("a screw is loose");
      },
      { parse: "none" },
    );
  const metrics = createRoutes<KnownCaller>("", deps, null);
  metrics.get("/metrics", () => new Response("up 1"));
  const config = configOf(document({ server: { listen: "127.0.0.1:0" } }));
  door = listen({
    at: config.server.listen,
    certificate: null,
    clock,
    log: testLog(),
    serve: systemServe,
    closed: createStartupHandler(clock, deps.newId, readiness()),
  });
  door.open(createRequestHandler([console, metrics]));
});
test("every answer is what it says it is, to whoever shows it", async () => {
  for (const path of ["/metrics", "/console/greeting/hello", "/nowhere"]) {
    const answer = await fetch(`${door.url}${path}`, { headers: { cookie: "c" } });
    expect([path, answer.headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
  }
});

test("a route that would have its body read before anything is asked is refused at the start", () => {
  const careless = createRoutes<KnownCaller>("", deps, null);
  careless.post("/parsed", () => new Response("read"));
  expect(() => createRequestHandler([careless])).toThrow("POST /parsed leaves its body alone");
});

afterEach(() => door.stop(createDeadline(clock, 1000)));

const ask = (path: string, init: RequestInit = {}) => fetch(door.url + path, init);
const known = { headers: { cookie: "Awa" } };

describe("sets of routes that are handed to the door", () => {
  test("are answered each by its own routes and its own callers, with the headers and the log of all", async () => {
    const greeting = await ask("/console/greeting/Bonjour", known);
    expect(await greeting.json()).toEqual({ data: "Bonjour Awa" });
    expect(greeting.headers.get("x-ratelimit-remaining")).toBe("1");
    const line = { route: "/console/greeting/:word", status: 200, key_id: "session Awa" };
    expect(log.lines.at(-1)).toMatchObject({
      level: "info",
      message: "request",
      ...line,
      request_id: greeting.headers.get("x-request-id"),
    });
    const figures = await ask("/metrics");
    expect([await figures.text(), figures.headers.get("x-ratelimit-limit")]).toEqual(["up 1", null]);
    expect(log.lines.at(-1)).toMatchObject({ level: "debug", message: "request", route: "/metrics" });
  });

  test("refuse a stranger before a path is looked at, then other paths and other methods, HEAD among them", async () => {
    const verdict = async (path: string, init?: RequestInit) => {
      const answer = await ask(path, init);
      return [answer.status, answer.headers.get("allow")];
    };
    expect(await verdict("/console/greeting/Bonjour")).toEqual([401, null]);
    expect(await verdict("/console/nothing")).toEqual([401, null]);
    expect(await verdict("/console")).toEqual([401, null]);
    expect(await verdict("/console/nothing", known)).toEqual([404, null]);
    expect(await verdict("/console/greeting/a", { ...known, method: "HEAD" })).toEqual([422, "GET"]);
    expect(await verdict("/console/greeting/a", known)).toEqual([429, null]);
    expect(await verdict("/metrics", { method: "HEAD" })).toEqual([422, "GET"]);
    expect(await verdict("/metrics", { method: "PURGE" })).toEqual([422, "GET"]);
    expect(await verdict("/consoles")).toEqual([404, null]);
  });

  test("an exception is a 500 with its number, and stands in the log", async () => {
    const answer = await ask("/console/broken", { ...known, method: "POST" });
    expect(answer.status).toBe(500);
    const requestId = answer.headers.get("x-request-id");
    expect(await answer.json()).toMatchObject({ code: "INTERNAL_ERROR", request_id: requestId });
    expect(log.lines.filter(({ level }) => level === "error")).toMatchObject([
      { message: "request failed", request_id: requestId },
      { message: "request", request_id: requestId, status: 500, code: "INTERNAL_ERROR" },
    ]);
  });

  test("answer for a gate that fails as for a route that does, in words and in the log", async () => {
    const answer = await ask("/console/greeting/Bonjour", { headers: { cookie: "nobody can look up" } });
    expect([answer.status, await answer.json()]).toMatchObject([500, { code: "INTERNAL_ERROR" }]);
    const request_id = answer.headers.get("x-request-id");
    expect(request_id).toMatch(/^id-/);
    expect(log.lines.at(-2)).toMatchObject({ level: "error", message: "request failed", request_id });
    expect(log.lines.at(-1)).toMatchObject({ level: "error", message: "request", status: 500, request_id });
  });
});
