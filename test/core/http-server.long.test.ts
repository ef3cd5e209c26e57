import type { Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { streamedResponse } from "../../src/core/http-connection.ts";
import { type HttpServer, readTurns, type ServeOptions, systemServe } from "../../src/core/http-server.ts";
import { HOOK_CERTIFICATE, HOOK_KEY } from "../kit/certificates.ts";
import { octetForms, type WireRequest } from "../kit/octets-behind.ts";
import { answersIn, answersTo, openRaw } from "../kit/raw-answers.ts";

const CERTIFICATE = { cert: HOOK_CERTIFICATE, key: HOOK_KEY };
const servers: HttpServer[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) await server.stop(true);
});

/** Turns of the event loop, so that octets behind a request come while it is being answered. */
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

function serve(fetch: ServeOptions["fetch"], more: Partial<ServeOptions> = {}): HttpServer {
  const at = { hostname: "127.0.0.1", port: 0 };
  const server = systemServe({ at, maxRequestBodySize: 268_435_456, fetch, ...more });
  servers.push(server);
  return server;
}

const echo: ServeOptions["fetch"] = async (request) => {
  const body = await request.text();
  await turns(20);
  return new Response(`${request.method} ${new URL(request.url).pathname} ${body}`, { status: 202 });
};

async function open(server: HttpServer, tls = false): Promise<Socket> {
  const socket = await openRaw(server.port ?? 0, tls);
  sockets.push(socket);
  return socket;
}

/** All that comes until the server ends the connection. */
async function untilEnd(socket: Socket, ...writes: string[]): Promise<string> {
  let text = "";
  socket.on("data", (octets) => {
    text += octets.toString("latin1");
  });
  const ended = new Promise<void>((resolve) => {
    for (const event of ["end", "close", "error"]) socket.once(event, () => resolve());
  });
  for (const write of writes) socket.write(Buffer.from(write, "latin1"));
  await ended;
  return text;
}

const request = (n: number): WireRequest => ({
  line: "POST /a HTTP/1.1",
  fields: ["Host: here", "Content-Type: text/plain"],
  body: `number ${n}`,
});

describe.each([
  ["HTTP", false],
  ["HTTPS", true],
] as const)("over %s, a request is answered whatever stands behind it", (_, tls) => {
  const forms = octetForms(request);
  test.each(forms.map((form) => [form.name, form] as const))("%s", async (_, form) => {
    const server = serve(echo, { certificate: tls ? CERTIFICATE : null });
    const answers = await answersTo(server.port ?? 0, tls, form);
    const promised = answers.slice(0, form.answered);
    expect(promised.map(({ status, body }) => [status, body])).toEqual(
      Array.from({ length: form.answered }, (_, n) => [202, `POST /a number ${n + 1}`]),
    );
    for (const { status } of answers.slice(form.answered)) expect([400, 431]).toContain(status);
  });

  test("an answer of 100 MB comes whole, and the one behind it after it", async () => {
    const server = serve(
      async (asked) => {
        if (!asked.url.endsWith("/long")) return echo(asked, { requestIP: () => null });
        let left = 100;
        const body = new ReadableStream<Uint8Array>(
          {
            pull: (controller) => {
              if (left === 0) controller.close();
              else controller.enqueue(new Uint8Array(1_000_000).fill(left));
              left -= 1;
            },
          },
          { highWaterMark: 0 },
        );
        return streamedResponse(body, {});
      },
      { certificate: tls ? CERTIFICATE : null },
    );
    const socket = await open(server, tls);
    let count = 0;
    let tail = "";
    const done = new Promise<void>((resolve) => {
      socket.on("data", (octets) => {
        count += octets.length;
        tail = (tail + octets.toString("latin1")).slice(-400);
        if (tail.endsWith("POST /a number 2")) resolve();
      });
    });
    const { line, fields, body } = request(2);
    socket.write(
      `GET /long HTTP/1.1\r\nHost: here\r\n\r\n${line}\r\n${fields.join("\r\n")}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await done;
    expect(count).toBeGreaterThan(100_000_000);
    expect(tail).toContain("\r\n0\r\n\r\nHTTP/1.1 202");
  }, 60_000);
});

describe("a request that different readers would end in different places is refused, and nothing behind it is read", () => {
  test.each([
    ["two lengths", ["Content-Length: 5", "Content-Length: 6"], 400],
    ["a list of lengths", ["Content-Length: 5, 5"], 400],
    ["a length with a sign", ["Content-Length: +5"], 400],
    ["a length and chunks", ["Content-Length: 5", "Transfer-Encoding: chunked"], 400],
    ["two transfer codings", ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], 400],
    ["a coding that is not known", ["Transfer-Encoding: gzip, chunked"], 400],
    ["a coding that only looks like chunked", ["Transfer-Encoding: xchunked"], 400],
    ["a blank before the colon", ["Content-Length : 5"], 400],
    ["a field that goes on in the next line", ["A: b", " c", "Content-Length: 5"], 400],
    ["a line end that is half of one", ["A: b\nContent-Length: 5"], 400],
    ["a return that stands alone", ["A: b\rContent-Length: 5"], 400],
    ["a NUL", ["A: b\0c", "Content-Length: 5"], 400],
    ["an expectation that is not known", ["Expect: more", "Content-Length: 5"], 417],
  ] as const)("%s", async (_, fields, status) => {
    let asked = 0;
    const server = serve(() => {
      asked += 1;
      return new Response("");
    });
    const head = ["POST /a HTTP/1.1", "Host: here", ...fields, "", ""].join("\r\n");
    const text = await untilEnd(await open(server), `${head}helloPOST /b HTTP/1.1\r\nHost: here\r\n\r\n`);
    expect(answersIn(text).map((answer) => answer.status)).toEqual([status]);
    expect(text).toContain("connection: close");
    expect(asked).toBe(0);
  });

  test.each([
    ["no host", "GET /a HTTP/1.1\r\n\r\n", 400],
    ["no target", "GET HTTP/1.1\r\nHost: here\r\n\r\n", 400],
    ["a blank in the target", "GET /a b HTTP/1.1\r\nHost: here\r\n\r\n", 400],
    ["another version", "GET /a HTTP/2.0\r\nHost: here\r\n\r\n", 505],
    ["a method that nobody knows", "FROB /a HTTP/1.1\r\nHost: here\r\n\r\n", 501],
    ["a method in small letters", "get /a HTTP/1.1\r\nHost: here\r\n\r\n", 501],
    ["a tunnel", "CONNECT here:1 HTTP/1.1\r\nHost: here\r\n\r\n", 501],
    ["line ends of another system", "GET /a HTTP/1.1\nHost: here\n\n", 400],
    ["the beginning of TLS", "\x16\x03\x01\x02\0\x01\0\x01", 400],
    ["a field of 20,000 octets", `GET /a HTTP/1.1\r\nHost: here\r\nA: ${"a".repeat(20_000)}\r\n\r\n`, 431],
    ["a head without an end", `GET /a HTTP/1.1\r\nHost: here\r\nA: ${"a".repeat(20_000)}`, 431],
    ["300 fields", `GET /a HTTP/1.1\r\nHost: here\r\n${"a: b\r\n".repeat(300)}\r\n`, 431],
  ] as const)("%s", async (_, text, status) => {
    const server = serve(() => new Response("was asked"));
    const answers = answersIn(await untilEnd(await open(server), text));
    expect(answers.map((answer) => answer.status)).toEqual([status]);
  });
});

describe("a body", () => {
  const asking = (fields: string): string => `POST /a HTTP/1.1\r\nHost: here\r\n${fields}\r\n\r\n`;

  test("that is waited for with 100 Continue is asked for once somebody reads it, and not before", async () => {
    const server = serve(async (asked) =>
      asked.headers.has("authorization")
        ? echo(asked, { requestIP: () => null })
        : new Response("", { status: 401 }),
    );
    const refused = await untilEnd(await open(server), asking("Expect: 100-continue\r\nContent-Length: 5"));
    expect(refused).toMatch(/^HTTP\/1\.1 401 /);
    const socket = await open(server);
    let text = "";
    socket.on("data", (octets) => {
      text += octets.toString();
      if (text === "HTTP/1.1 100 Continue\r\n\r\n") socket.write("hello");
    });
    socket.write(
      asking("Authorization: x\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 5"),
    );
    await new Promise((resolve) => socket.once("end", resolve));
    expect(answersIn(text).map(({ status, body }) => [status, body])).toEqual([[202, "POST /a hello"]]);
  });

  test("that breaks off is told to whoever reads it, who can still answer a client that ended its half", async () => {
    const server = serve((asked) =>
      asked.text().then(
        () => new Response("whole"),
        () => new Response("broke off", { status: 422 }),
      ),
    );
    for (const [fields, body] of [
      ["Content-Length: 50", "hello"],
      ["Transfer-Encoding: chunked", "5\r\nhello\r\n"],
      ["Transfer-Encoding: chunked", "5\r\nhelloX\r\n0\r\n\r\n"],
      ["Transfer-Encoding: chunked", "5\nhello\n0\n\n"],
      ["Transfer-Encoding: chunked", "-5\r\nhello\r\n0\r\n\r\n"],
    ] as const) {
      const socket = await open(server);
      const told = untilEnd(socket, `GET /a HTTP/1.1\r\nHost: here\r\n\r\n${asking(fields)}${body}`);
      socket.end();
      expect(answersIn(await told).map((answer) => [answer.status, answer.body])).toEqual([
        [200, "whole"],
        [422, "broke off"],
      ]);
    }
  });

  test("that nobody reads is passed over where it is short; where it is long its connection ends with the answer", async () => {
    const server = serve((asked) => new Response(asked.url.slice(-1), { status: 401 }));
    const socket = await open(server);
    let text = "";
    socket.on("data", (octets) => {
      text += octets.toString();
    });
    socket.write(asking("Content-Length: 20000"));
    while (answersIn(text).length < 1) await turns(1);
    socket.write("x".repeat(20_000) + asking("Content-Length: 0"));
    while (answersIn(text).length < 2) await turns(1);

    // The client goes on sending for a while, and still reads its answer.
    const long = await open(server);
    const told = untilEnd(long, asking("Content-Length: 100000000"));
    for (let piece = 0; piece < 50; piece += 1) long.write("x".repeat(100_000));
    const [answer] = answersIn(await told);
    expect(answer).toMatchObject({ status: 401, head: expect.stringContaining("connection: close") });
  });

  test("of a megabyte that is read slowly is held back at the client, and comes whole", async () => {
    const server = serve(async (asked) => {
      let count = 0;
      for await (const piece of asked.body ?? []) {
        count += piece.byteLength;
        await turns(3);
      }
      return new Response(String(count));
    });
    for (const field of ["Content-Length: 5000000", "Transfer-Encoding: chunked"]) {
      const body = field.startsWith("Content")
        ? "x".repeat(5_000_000)
        : `${"186a0\r\n".concat("x".repeat(100_000), "\r\n").repeat(50)}0\r\n\r\n`;
      const text = await untilEnd(await open(server), `${asking(`${field}\r\nConnection: close`)}${body}`);
      expect(answersIn(text)[0]?.body).toBe("5000000");
    }
  });

  test("longer than the server takes is a bare 413 where its length is declared, and breaks off where it is not", async () => {
    const server = serve(
      (asked) =>
        asked.text().then(
          () => new Response("read"),
          () => new Response("", { status: 422 }),
        ),
      {
        maxRequestBodySize: 10,
      },
    );
    const declared = await untilEnd(await open(server), asking("Content-Length: 11"));
    expect(declared).toMatch(/^HTTP\/1\.1 413 /);
    const counted = await untilEnd(
      await open(server),
      `${asking("Transfer-Encoding: chunked")}b\r\n01234567890\r\n`,
    );
    expect(counted).toMatch(/^HTTP\/1\.1 422 /);
  });

  test("of a GET is passed over", async () => {
    const server = serve(echo);
    const [first, second] = await answersTo(server.port ?? 0, false, {
      name: "",
      writes: [
        "GET /a HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\n\r\nhelloGET /b HTTP/1.1\r\nHost: here\r\n\r\n",
      ],
      endsHalf: false,
      answered: 2,
    });
    expect([first?.body, second?.body]).toEqual(["GET /a ", "GET /b "]);
  });
});

describe("an answer", () => {
  test("to HEAD has the length of what GET answers, and no body", async () => {
    const server = serve(() => new Response("hello"));
    const socket = await open(server);
    const text = await untilEnd(socket, "HEAD /a HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n");
    expect(text).toContain("content-length: 5\r\n");
    expect(text.endsWith("\r\n\r\n")).toBe(true);
  });

  test("says several cookies each in a field of its own", async () => {
    const headers = new Headers({ "content-type": "text/plain" });
    headers.append("set-cookie", "a=1");
    headers.append("set-cookie", "b=2");
    const server = serve(() => new Response("hello", { headers }));
    const text = await untilEnd(await open(server), "GET /a HTTP/1.0\r\n\r\n");
    expect(text).toMatch(/set-cookie: a=1\r\nset-cookie: b=2\r\n/);
  });

  test("that throws is a bare 500, and the next request is answered", async () => {
    const server = serve((asked) => {
      if (asked.url.endsWith("/bad")) throw new Error("no");
      return Promise.reject(new Error("no"));
    });
    for (const path of ["/bad", "/worse"]) expect((await fetch(new URL(path, server.url))).status).toBe(500);
  });

  test("that streams stops being made when its client is gone, or ends its half where it goes on for ever", async () => {
    const cancelled: string[] = [];
    const server = serve((asked) => {
      const { pathname } = new URL(asked.url);
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(Buffer.from("first")),
        cancel: () => {
          cancelled.push(pathname);
        },
      });
      return streamedResponse(body, {}, { endsWithClient: pathname === "/live" });
    });
    const first = async (path: string): Promise<Socket> => {
      const socket = await open(server);
      const came = new Promise<void>((resolve) => {
        let text = "";
        socket.on("data", (octets) => {
          text += octets.toString();
          if (text.includes("first")) resolve();
        });
      });
      socket.write(`GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`);
      await came;
      return socket;
    };
    const live = await first("/live");
    live.end();
    while (cancelled.length < 1) await turns(1);
    const other = await first("/other");
    other.resetAndDestroy();
    while (cancelled.length < 2) await turns(1);
    expect(cancelled).toEqual(["/live", "/other"]);
  });
});

describe("a server", () => {
  test("is not held by a client that connects and speaks no TLS", async () => {
    const server = serve(echo, { certificate: CERTIFICATE });
    const silent = await open(server);
    const half = await open(server);
    half.write(Buffer.from("160301", "hex"));
    while ((await fetch(server.url, { tls: { rejectUnauthorized: false } })).status !== 202);
    const ended = Promise.all([untilEnd(silent), untilEnd(half)]);
    await server.stop(true);
    expect(await ended).toEqual(["", ""]);
  });

  test("knows by what scheme it was asked, whatever the host", async () => {
    for (const [certificate, scheme] of [
      [CERTIFICATE, "https"],
      [null, "http"],
    ] as const) {
      const server = serve((asked) => new Response(asked.url), { certificate });
      for (const [host, url] of [
        ["my_host", `${scheme}://my_host/a`],
        ["a:99999", `${scheme}://localhost/a`],
        ["", `${scheme}://localhost/a`],
      ]) {
        const head = `GET /a HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
        const text = await untilEnd(await open(server, certificate !== null), head);
        expect(answersIn(text)).toMatchObject([{ status: 200, body: url }]);
      }
    }
  });

  test("knows the other end of each connection", async () => {
    const addresses: (string | undefined)[] = [];
    const server = serve((asked, { requestIP }) => {
      addresses.push(requestIP(asked)?.address);
      return new Response("");
    });
    await fetch(server.url);
    expect(addresses).toEqual(["127.0.0.1"]);
  });

  test("that stops closes what asks for nothing, and answers what was asked, for the last time", async () => {
    const answer = Promise.withResolvers<Response>();
    const arrived = Promise.withResolvers<void>();
    const server = serve((asked) => {
      if (asked.url.endsWith("/now")) return new Response("now");
      arrived.resolve();
      return answer.promise;
    });
    const idle = await open(server);
    const busy = await open(server);
    const idleTold = untilEnd(idle, "GET /now HTTP/1.1\r\nHost: here\r\n\r\n");
    const busyTold = untilEnd(busy, "GET /later HTTP/1.1\r\nHost: here\r\n\r\n");
    await arrived.promise;
    while (server.pendingRequests > 1) await turns(1);
    expect(server.pendingRequests).toBe(1);
    const stopped = server.stop();
    expect(answersIn(await idleTold)).toMatchObject([{ status: 200, body: "now" }]);
    answer.resolve(new Response("later"));
    expect(answersIn(await busyTold)).toMatchObject([
      { status: 200, body: "later", head: expect.stringContaining("connection: close") },
    ]);
    busy.destroy();
    await stopped;
    expect(server.pendingRequests).toBe(0);
  });

  test("tells by the signal of a request that its client ended, where it is asked to", async () => {
    const gone = Promise.withResolvers<void>();
    const server = serve(
      (asked) =>
        new Promise((resolve) => {
          asked.signal.addEventListener("abort", () => {
            gone.resolve();
            resolve(new Response(""));
          });
        }),
      { tellsWhenGone: true },
    );
    const socket = await open(server);
    socket.write("GET /a HTTP/1.1\r\nHost: here\r\n\r\n");
    while (server.pendingRequests === 0) await turns(1);
    socket.destroy();
    await gone.promise;
    while (server.pendingRequests > 0) await turns(1);
  });
});

test.each([
  ["HTTP", false],
  ["HTTPS", true],
] as const)("over %s, of three hundred connections that open at once each is answered", async (_, tls) => {
  const server = serve(echo, { certificate: tls ? CERTIFICATE : null });
  const opened = await Promise.all(Array.from({ length: 300 }, () => open(server, tls)));
  const answers = await Promise.all(
    opened.map((socket, n) =>
      untilEnd(
        socket,
        `POST /a HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: 4\r\n\r\n${1000 + n}`,
      ),
    ),
  );
  expect(answers.map((answer) => answer.split("\r\n\r\n")[1])).toEqual(
    Array.from({ length: 300 }, (_, n) => `POST /a ${1000 + n}`),
  );
});

test("connections that bring much share turns of the event loop: two megabytes in each, and four of those that wait", () => {
  const soon: (() => void)[] = [];
  const endTurn = () => {
    for (const next of soon.splice(0)) next();
  };
  const awaitsTurn = readTurns({ soon: (callback) => void soon.push(callback) });
  const read: string[] = [];
  const bring = (name: string, octets: number) => awaitsTurn(octets, () => void read.push(name));

  expect([bring("a", 500_000), bring("a", 500_000)]).toEqual([false, false]);
  endTurn();
  expect(["a", "b", "c", "d", "e"].map((name) => bring(name, 2_100_000))).toEqual([
    true,
    true,
    true,
    true,
    true,
  ]);
  endTurn();
  expect(read).toEqual(["a", "b", "c", "d"]);
  // Whoever comes while one waits is behind it.
  expect(bring("a", 100_000)).toBe(true);
  endTurn();
  expect(read).toEqual(["a", "b", "c", "d", "e", "a"]);
  expect(bring("a", 100_000)).toBe(false);
  endTurn();
  expect(soon).toEqual([]);
});
