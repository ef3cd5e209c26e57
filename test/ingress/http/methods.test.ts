import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { said } from "../../../src/i18n/phrase.ts";
import {
  getFrom,
  type HttpFixture,
  httpFixture,
  problemOf,
  rawConnection,
  type Tenant,
  verdict,
} from "../api/fixture.ts";

let fixture: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  fixture = await httpFixture();
  tenant = await fixture.tenant();
});
afterAll(() => fixture.close());

const ask = (method: string, path: string, apiKey: string | null = tenant.apiKey) =>
  fetch(fixture.http.url + path, { method, headers: apiKey === null ? {} : { "x-api-key": apiKey } });

describe("a version that is not served", () => {
  // Keeps: behaviour 3.1
  test.each([
    ["/public/v2/batches"],
    ["/public/v2"],
    ["/public/v0/x"],
    ["/public/v10/batches"],
    ["/public/v01"],
  ])("answers 400 at %s, key or no key", async (path) => {
    expect(await verdict(await ask("GET", path))).toBe("400 UNSUPPORTED_VERSION");
    expect(await verdict(await ask("POST", path, null))).toBe("400 UNSUPPORTED_VERSION");
  });
});

describe("a path that does not exist", () => {
  // Keeps: behaviour 3.11
  test.each([
    ["/public/v1"],
    ["/public/v1/"],
    ["/public/v1/nothing"],
    ["/public/v1/batches/"],
    ["/public/v1//batches"],
    ["/public/v1/b%61tches"],
    ["/public/v1/Batches"],
    ["/public/v1/batches/a/b"],
    ["/public/v1/webhook"],
  ])("answers 404 at %s to a valid key, and 401 without one", async (path) => {
    expect(await verdict(await ask("GET", path))).toBe("404 NOT_FOUND");
    expect(await verdict(await ask("GET", path, null))).toBe("401 UNAUTHORIZED");
  });

  test.each([["/public"], ["/publicv2/x"], ["/public/vx"], ["/healthy"], ["/docs/x"], ["/docs/en/x/"]])(
    "answers 404 at %s outside the API, without a key",
    async (path) => {
      const answer = await fetch(fixture.http.url + path, { headers: { accept: "application/json" } });
      expect(await verdict(answer)).toBe("404 NOT_FOUND");
    },
  );

  test.each([
    ["/", "text/html,application/xhtml+xml,*/*;q=0.8"],
    ["/docs/", "text/html"],
    ["/docs/", "*/*"],
  ])("leads from %s to the documentation for who accepts %s", async (path, accept) => {
    const answer = await fetch(fixture.http.url + path, { headers: { accept }, redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/docs"]);
  });
});

describe("another method than the path has", () => {
  // Keeps: behaviour 3.12
  test.each([
    ["PUT", "/public/v1/batches", "GET, POST"],
    ["OPTIONS", "/public/v1/batches", "GET, POST"],
    ["DELETE", "/public/v1/batches/01KJQX5Y8M3T7V9B2C4D6F8G0H", "GET"],
    ["POST", "/public/v1/messages", "GET"],
    ["PATCH", "/public/v1/sender-ids", "GET"],
    ["POST", "/health/live", "GET, HEAD"],
    ["POST", "/docs", "GET, HEAD"],
  ])("answers 422 to %s %s and allows %s", async (method, path, allow) => {
    const response = await ask(method, path);
    expect(response.headers.get("allow")).toBe(allow);
    expect(await verdict(response)).toBe("422 VALIDATION_FAILED");
  });

  test("answers HEAD in the API with 422 and no body", async () => {
    const response = await ask("HEAD", "/public/v1/account/balance");
    expect([response.status, response.headers.get("allow")]).toEqual([422, "GET"]);
  });
});

describe("HEAD of a page or a document", () => {
  test.each([
    "/",
    "/docs",
    "/docs/en/",
    "/docs/fr/errors",
    "/docs/en/search?q=key",
    "/openapi.json",
    "/health",
  ])("answers for %s as GET does, without the body", async (path) => {
    const [whole, head] = await Promise.all([ask("GET", path, null), ask("HEAD", path, null)]);
    expect([head.status, await head.text()]).toEqual([whole.status, ""]);
    for (const name of ["content-type", "content-length", "cache-control", "location", "vary"])
      expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)]);
  });
});

describe("health", () => {
  test("is live and ready without a key", async () => {
    expect((await ask("GET", "/health/live", null)).status).toBe(200);
    expect((await ask("GET", "/health/ready", null)).status).toBe(200);
  });

  test("is live but not ready while the appliance says so", async () => {
    const release = fixture.ready.hold(said("the clock is doubted"));
    const answer = await ask("GET", "/health/ready", null);
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { data: { status: "not ready", reasons: ["the clock is doubted"] } },
    ]);
    expect((await ask("GET", "/health/live", null)).status).toBe(200);
    release();
    expect((await ask("GET", "/health/ready", null)).status).toBe(200);
  });
});

describe("a host name", () => {
  test.each([["a"], ["gw"], ["gw:1"], ["sms"], ["sms.example.net"]])(
    "such as %s does not confuse the routes",
    async (host) => {
      const socket = rawConnection(fixture);
      socket.send(
        `GET /public/v1/account/balance?x=1 HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${tenant.apiKey}\r\nConnection: close\r\n\r\n`,
      );
      expect(await socket.closed()).toContain("200 OK");
    },
  );
});

/** A request with head lines written by hand, and the first answer to it. */
async function answerTo(requestLine: string, ...headLines: string[]): Promise<string> {
  const socket = rawConnection(fixture);
  const head = [requestLine, ...headLines, `X-API-Key: ${tenant.apiKey}`, "Connection: close"];
  socket.send(`${head.join("\r\n")}\r\n\r\n`);
  return socket.closed();
}

describe("a request without a usable Host", () => {
  test.each([["/health/live"], ["/public/v1/account/balance?a=://b/c"]])(
    "is answered at %s when it is HTTP/1.0, as load balancers probe",
    async (path) => {
      expect(await answerTo(`GET ${path} HTTP/1.0`)).toContain("200 OK");
    },
  );

  test("is answered when the Host is empty", async () => {
    expect(await answerTo("GET /health/live HTTP/1.1", "Host:")).toContain("200 OK");
  });

  test.each([[["Host: a", "Host: b"]], [["Host: a b"]], [["Host: a/b?c#d@e"]], [["Host: u:p@h"]]])(
    "is refused when it is ambiguous or no host (%j)",
    async (hosts) => {
      const answer = await answerTo("GET /health/live HTTP/1.1", ...hosts);
      expect(answer).toContain("400 Bad Request");
    },
  );

  test("ends its connection when it is ambiguous: nobody knows whose the next request on it is", async () => {
    const socket = rawConnection(fixture);
    socket.send("GET /health/live HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n");
    expect(await socket.closed()).toMatch(/^HTTP\/1\.1 400 /);
  });
});

test.each([
  ["/public/v1/x/../account/balance", "200 OK"],
  ["/public/v1/x/%2e%2e/account/balance", "200 OK"],
  ["/public/v1/../v2/account/balance", "UNSUPPORTED_VERSION"],
  ["/health/../public/v1/x", "NOT_FOUND"],
  ["http://elsewhere/public/v1/account/balance", "200 OK"],
  ["/public/v1/account/balance?", "200 OK"],
  ["/public/v1/account/balance?a=%zz&&==", "200 OK"],
  ["/public/v1/account%2fbalance", "NOT_FOUND"],
  ["/public/v1/account/balance;a=1", "NOT_FOUND"],
  ["/public/v1/batches/..%2f..%2fhealth", "NOT_FOUND"],
])(
  "dot segments of %s are resolved before anything is judged, and nothing else is",
  async (path, expected) => {
    expect(await answerTo(`GET ${path} HTTP/1.1`, "Host: localhost")).toContain(expected);
  },
);

// Keeps: behaviour 3.28, 3.29
test("X-Request-Id is the client's own when it is safe, else a new one", async () => {
  const withId = (id: string) =>
    fetch(`${fixture.http.url}/public/v1/x`, { headers: { "x-request-id": id, "x-api-key": tenant.apiKey } });
  const own = await withId("order-42:7.b_c");
  expect(own.headers.get("x-request-id")).toBe("order-42:7.b_c");
  expect((await problemOf(own)).request_id).toBe("order-42:7.b_c");
  for (const unsafe of ["a b", 'a"b', "x".repeat(65), "<script>"]) {
    expect((await withId(unsafe)).headers.get("x-request-id")).toMatch(/^[0-9A-Z]{26}$/);
  }
  expect(fixture.lines.some((line) => line.request_id === "order-42:7.b_c")).toBe(true);
});

// Keeps: behaviour 3.38
// Keeps: public-api 4.2.4, 5.14
test("another account's resource looks exactly like a missing one", async () => {
  const stranger = await fixture.tenant();
  const missing = await problemOf(await getFrom(fixture, stranger, "/batches/01KJQX5Y8M3T7V9B2C4D6F8G0H"));
  const odd = await problemOf(await getFrom(fixture, stranger, "/batches/%00"));
  expect(odd).toEqual({ ...missing, request_id: odd.request_id });
});
