import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BODY_DEADLINE_MS } from "../../../src/ingress/http/body.ts";
import {
  type HttpFixture,
  httpFixture,
  problemOf,
  rawConnection,
  submission,
  submitTo,
  type Tenant,
} from "../api/fixture.ts";

const MAX_BYTES = 200_000;
let fixture: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  fixture = await httpFixture({ api: { max_body_bytes: MAX_BYTES } });
  tenant = await fixture.tenant();
});
afterAll(() => fixture.close());

let keys = 0;
const nextKey = () => `key-${++keys}`;

function post(headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer>): Promise<Response> {
  return fetch(`${fixture.http.url}/public/v1/batches`, {
    method: "POST",
    headers: { "x-api-key": tenant.apiKey, "idempotency-key": nextKey(), ...headers },
    body,
  });
}

function head(extra: string): string {
  return `POST /public/v1/batches HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${tenant.apiKey}\r\nIdempotency-Key: ${nextKey()}\r\n${extra}\r\n\r\n`;
}

const text = JSON.stringify(submission());

describe("a content type", () => {
  test.each([
    ["application/json"],
    ["Application/JSON"],
    ["application/json; charset=utf-8"],
    ['application/json;charset="UTF-8"'],
  ])("%s is accepted", async (type) => {
    expect((await post({ "content-type": type }, text)).status).toBe(202);
  });

  // Keeps: behaviour 3.15
  test.each([
    ["text/plain"],
    ["application/x-www-form-urlencoded"],
    ["application/json; charset=latin1"],
    ["application/jsonp"],
    ["application/problem+json"],
  ])("%s is refused", async (type) => {
    const problem = await problemOf(await post({ "content-type": type }, text));
    expect([problem.code, problem.detail]).toEqual([
      "VALIDATION_FAILED",
      "the Content-Type must be application/json",
    ]);
  });

  test("must be there", async () => {
    const socket = rawConnection(fixture);
    socket.send(`${head(`Connection: close\r\nContent-Length: ${text.length}`)}${text}`);
    expect(await socket.closed()).toContain("the Content-Type must be application/json");
  });
});

test("a compressed body is refused", async () => {
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  const problem = await problemOf(await post(headers, Bun.gzipSync(text)));
  expect(problem.detail).toContain("Content-Encoding");
});

describe("a body that is not what it should be", () => {
  const json = { "content-type": "application/json" };

  // Keeps: behaviour 3.16
  test.each([[""], ["{"], ["{}x"], ["{'a':1}"], ["NaN"], ["[1,]"], ["\u0001"]])(
    "such as %j is refused",
    async (body) => {
      const problem = await problemOf(await post(json, body));
      expect([problem.status, problem.code]).toEqual([422, "VALIDATION_FAILED"]);
    },
  );

  // Keeps: behaviour 3.18
  test("is refused when it is not UTF-8, also beyond the first 64 KiB", async () => {
    const short = Buffer.from(text.replace("Bonjour", "\u00e9"), "latin1");
    const long = Buffer.concat([
      Buffer.from(`{"x":"${"a".repeat(100_000)}`),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    for (const bytes of [short, long]) {
      expect((await problemOf(await post(json, bytes))).detail).toBe("the request body is not UTF-8");
    }
  });

  test.each([[100], [90_000]])("is refused when it nests %i levels deep", async (levels) => {
    const problem = await problemOf(await post(json, "[".repeat(levels) + "]".repeat(levels)));
    expect(problem.detail).toContain("nested more than 32 levels");
  });

  test("is refused when nothing but its unknown recipient fields nest too deep", async () => {
    const deep = `${'{"a":'.repeat(40)}1${"}".repeat(40)}`;
    const problem = await problemOf(
      await post(json, text.replace('"70123456"', `"70123456","extra":${deep}`)),
    );
    expect(problem.detail).toContain("nested");
  });

  test("is judged before the idempotency key is missed", async () => {
    const response = await fetch(`${fixture.http.url}/public/v1/batches`, {
      method: "POST",
      headers: { ...json, "x-api-key": tenant.apiKey },
      body: "{",
    });
    expect((await problemOf(response)).code).toBe("VALIDATION_FAILED");
  });
});

describe("a body above the limit", () => {
  // Keeps: behaviour 3.17
  test("is refused in words when it is declared, before it arrives", async () => {
    const socket = rawConnection(fixture);
    socket.send(head(`Content-Type: application/json\r\nContent-Length: ${MAX_BYTES + 1}`));
    const answer = await socket.closed();
    expect(answer).toContain("422 Unprocessable");
    expect(answer).toContain(`at most ${MAX_BYTES} bytes`);
  });

  // Keeps: behaviour 3.17
  test("is refused in words when it is only counted", async () => {
    const socket = rawConnection(fixture);
    socket.send(head("Content-Type: application/json\r\nTransfer-Encoding: chunked"));
    const chunk = `${(65_536).toString(16)}\r\n${"a".repeat(65_536)}\r\n`;
    for (let sent = 0; sent <= MAX_BYTES; sent += 65_536) socket.send(chunk);
    const answer = await socket.closed();
    expect(answer).toContain("422 Unprocessable");
    expect(answer).toContain(`at most ${MAX_BYTES} bytes`);
  });

  test("may be as long as the limit", async () => {
    const padded = text.padEnd(MAX_BYTES, " ");
    expect((await post({ "content-type": "application/json" }, padded)).status).toBe(202);
  });
});

test("a chunked body within the limit is accepted", async () => {
  const socket = rawConnection(fixture);
  socket.send(head("Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close"));
  for (const piece of [text.slice(0, 10), text.slice(10)]) {
    socket.send(`${piece.length.toString(16)}\r\n${piece}\r\n`);
  }
  socket.send("0\r\n\r\n");
  expect(await socket.closed()).toContain("202 Accepted");
});

describe("a body that drips in", () => {
  // Keeps: behaviour 3.19
  test.each([["Content-Length: 1000"], ["Transfer-Encoding: chunked"]])(
    "past the deadline is refused and its connection closed (%s)",
    async (framing) => {
      await fixture.clock.advance(BODY_DEADLINE_MS);
      const socket = rawConnection(fixture);
      const waiting = fixture.clock.waiting();
      socket.send(head(`Content-Type: application/json\r\nExpect: 100-continue\r\n${framing}`));
      await socket.until("100 Continue");
      socket.send(framing.startsWith("T") ? "1\r\n{\r\n" : "{");
      while (fixture.clock.waiting() === waiting) await new Promise((resolve) => setImmediate(resolve));
      await fixture.clock.advance(BODY_DEADLINE_MS);
      const answer = await socket.closed();
      expect(answer).toContain("422 Unprocessable");
      expect(answer).toContain("took too long");
      expect(fixture.clock.waiting()).toBe(waiting);
    },
  );

  test("holds up nobody else", async () => {
    const slow = rawConnection(fixture);
    slow.send(`${head("Content-Type: application/json\r\nContent-Length: 1000")}{`);
    expect((await submitTo(fixture, tenant, nextKey())).status).toBe(202);
    slow.end();
  });
});

test.each([
  ["\u0000\u0001garbage\r\n\r\n"],
  ["GET /\r\n\r\n"],
  ["POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n"],
])("bytes that are not HTTP end the connection (%j)", async (bytes) => {
  const socket = rawConnection(fixture);
  socket.send(bytes);
  expect(await socket.closed()).not.toContain("200 OK");
});
