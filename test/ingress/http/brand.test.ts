import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MAX_LOGO_BYTES } from "../../../src/config/logo.ts";
import { readiness } from "../../../src/core/health.ts";
import { systemServe } from "../../../src/core/http-server.ts";
import { createMetricsRegistry } from "../../../src/core/metrics-registry.ts";
import { createDeadline } from "../../../src/core/shutdown-plan.ts";
import { brandRoutes, ICON_LINK, LOGO_PATH, STYLE_LINK } from "../../../src/ingress/http/brand.ts";
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
let logo = "";

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
  brandRoutes(brand, {
    now: () => ({ seller: { ...config.seller, logo } }),
    pem: () => null,
    onChange: () => () => {},
  });
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

test("the seller's logo is there as it is, and as a page of its own it runs nothing", async () => {
  const directory = mkdtempSync(join(tmpdir(), "logo-"));
  const at = (name: string, content: string | Uint8Array) => {
    const path = join(directory, name);
    writeFileSync(path, content);
    return path;
  };
  const svg = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><script>x()</script></svg>';
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const asked = async (path: string) => {
    logo = path;
    const answer = await fetch(door.url + LOGO_PATH);
    return { status: answer.status, type: answer.headers.get("content-type"), answer };
  };
  expect(await asked("")).toMatchObject({ status: 404 });
  expect(await asked(join(directory, "none.png"))).toMatchObject({ status: 404 });
  expect(await asked(at("page.svg", "<html></html>"))).toMatchObject({ status: 404 });
  expect(await asked(at("large.svg", `<svg>${" ".repeat(MAX_LOGO_BYTES)}</svg>`))).toMatchObject({
    status: 404,
  });
  expect(await asked(at("logo.anything", png))).toMatchObject({ status: 200, type: "image/png" });
  const { status, type, answer } = await asked(at("logo.svg", svg));
  expect([status, type, await answer.text()]).toEqual([200, "image/svg+xml", svg]);
  expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(answer.headers.get("content-security-policy")).toContain("sandbox");
  rmSync(directory, { recursive: true });
});
