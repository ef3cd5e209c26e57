import { afterAll, beforeAll, expect, test } from "vitest";
import { readiness } from "../../../src/core/health.ts";
import { systemServe } from "../../../src/core/http-server.ts";
import { createMetricsRegistry } from "../../../src/core/metrics-registry.ts";
import { createDeadline } from "../../../src/core/shutdown-plan.ts";
import { brandRoutes, ICON_LINK, STYLE_LINK } from "../../../src/ingress/http/brand.ts";
import { type Listener, listen } from "../../../src/ingress/http/listener.ts";
import type { KnownCaller } from "../../../src/ingress/http/request-context.ts";
import {
  createRequestHandler,
  createRoutes,
  createStartupHandler,
} from "../../../src/ingress/http/router.ts";
import { configOf, document } from "../../config/sample.ts";
import { testClock } from "../../kit/test-clock.ts";
import { testLog } from "../../kit/test-log.ts";

const clock = testClock();
const log = testLog();
let ids = 0;
const deps = { clock, log, tally: createMetricsRegistry(), newId: () => `id-${++ids}` };
let door: Listener;

beforeAll(() => {
  const config = configOf(document({ server: { listen: "127.0.0.1:0" } }));
  door = listen({
    at: config.server.listen,
    certificate: null,
    clock,
    log,
    serve: systemServe,
    closed: createStartupHandler(clock, deps.newId, readiness()),
  });
  const brand = createRoutes<KnownCaller>("", deps, null);
  brandRoutes(brand);
  door.open(createRequestHandler([brand]));
});
afterAll(() => door.stop(createDeadline(clock, 1000)));

test("what pages name in their head is there, small, for a browser to keep", async () => {
  const named = [ICON_LINK, STYLE_LINK].map((link) => /href="([^"]+)"/.exec(link)?.[1] ?? "");
  for (const path of [...named, "/favicon.ico"]) {
    const answer = await fetch(door.url + path);
    expect([path, answer.status, answer.headers.get("cache-control")]).toEqual([
      path,
      200,
      "public, max-age=86400",
    ]);
    expect((await answer.arrayBuffer()).byteLength).toBeLessThan(2048);
  }
});

test("the icon that browsers ask for by themselves is an ICO with one picture of 32 pixels", async () => {
  const answer = await fetch(`${door.url}/favicon.ico`);
  expect(answer.headers.get("content-type")).toBe("image/x-icon");
  const bytes = new DataView(await answer.arrayBuffer());
  const [kind, pictures] = [bytes.getUint16(2, true), bytes.getUint16(4, true)];
  expect([kind, pictures, bytes.getUint8(6), bytes.getUint8(7)]).toEqual([1, 1, 32, 32]);
  const [size, begin] = [bytes.getUint32(14, true), bytes.getUint32(18, true)];
  expect(begin + size).toBe(bytes.byteLength);
  // The eight octets that a PNG begins with.
  expect(bytes.getBigUint64(begin)).toBe(0x89504e470d0a1a0an);
});
