import { createServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { ignoreProxies } from "../../src/core/proxies.ts";
import { orderAddresses, type RefusedKind } from "../../src/https/address-guard.ts";
import { type HttpsTarget, systemRequest } from "../../src/https/https-request.ts";
import { createPost, type PostEnd, type PosterRules } from "../../src/https/post.ts";
import { phrase } from "../../src/i18n/phrase.ts";
import { readEndpointUrl } from "../../src/webhooks/endpoint-request.ts";
import { TEST_AUTHORITY } from "../kit/certificates.ts";
import { until } from "../kit/tenants.ts";
import { testClock } from "../kit/test-clock.ts";
import { SERVER_CERTIFICATE, SERVER_KEY } from "../smpp/server-certificate.ts";
import { type Answer, ok, type Receiver, startReceiver, status } from "../webhooks/receiver.ts";

const HOST = "hook.example.test";
const LATE = phrase("network.late", { seconds: 15 });

/** A name that leads to such an address. */
const leadsTo = (kind: RefusedKind) =>
  phrase("network.address.name", { kind: phrase(`network.kind.${kind}`) });
const receivers: Receiver[] = [];
afterEach(() => {
  for (const receiver of receivers.splice(0)) receiver.close();
});

async function receiving(answer: () => Answer = () => ok, certificate?: { cert: string; key: string }) {
  const receiver = await startReceiver(answer, certificate);
  receivers.push(receiver);
  return receiver;
}

function target(port: number, host = HOST, path = "/hook?t=1"): HttpsTarget {
  const read = readEndpointUrl(`https://${host}:${port}${path}`);
  if ("fault" in read) throw new Error(read.fault.code);
  return read.target;
}

/** The way to endpoints as a rehearsal opens it, with what a test changes. */
function opened(changes: Partial<PosterRules> = {}) {
  return createPost({
    request: systemRequest,
    clock: systemClock,
    resolve: () => Promise.resolve(["127.0.0.1"]),
    own: () => new Set(),
    allowPrivate: () => true,
    ca: TEST_AUTHORITY,
    timeoutMs: 15_000,
    ...changes,
  });
}

const headers = { "content-type": "application/json", "webhook-id": "01K" };
const delivered = { status: 204, retryAfter: null, error: null };

describe("a post to an endpoint", () => {
  // Keeps: public-api 6.1
  test("goes to the resolved address under the name: in SNI, in Host, in the path that was given", async () => {
    const receiver = await receiving();
    const asked: string[] = [];
    const post = opened({
      resolve: (host) => {
        asked.push(host);
        return Promise.resolve(["127.0.0.1"]);
      },
    });
    expect(await post(target(receiver.port), headers, '{"é":1}')).toEqual(delivered);
    expect(asked).toEqual([HOST]);
    expect(receiver.names).toEqual([HOST]);
    const [request] = receiver.received;
    expect(request).toMatchObject({ path: "/hook?t=1", body: '{"é":1}' });
    expect(request?.headers).toMatchObject({ host: `${HOST}:${receiver.port}`, ...headers });
  });

  test("uses its connection again, and only for the same name", async () => {
    const receiver = await receiving();
    const post = opened();
    for (let number = 0; number < 5; number++) await post(target(receiver.port), headers, "{}");
    expect(receiver.connections()).toBe(1);
    await post(target(receiver.port, "other.hooks.example.test"), headers, "{}");
    expect(receiver.names).toEqual([HOST, "other.hooks.example.test"]);
  });

  test("reaches an address that the URL names itself, whose certificate must be for that address", async () => {
    const receiver = await receiving();
    const post = opened({ resolve: () => Promise.reject(new Error("not asked")) });
    expect(await post(target(receiver.port, "127.0.0.1"), headers, "{}")).toEqual(delivered);
  });

  // Keeps: behaviour 8.18
  test("is a success with any 2xx, whatever the body says, and reads on for the next", async () => {
    const receiver = await receiving(() => "HTTP/1.1 202 Yes\r\ncontent-length: 5\r\n\r\nerror");
    const post = opened();
    for (let number = 0; number < 2; number++) {
      expect(await post(target(receiver.port), headers, "{}")).toMatchObject({ status: 202, error: null });
    }
    expect(receiver.connections()).toBe(1);
  });
});

describe("a receiver's certificate", () => {
  const errorOf = async (receiver: Receiver, host = HOST, ca: string | null = TEST_AUTHORITY) =>
    (await opened({ ca })(target(receiver.port, host), headers, "{}")).error;

  test("must be for the name, not for the address it answered at", async () => {
    const receiver = await receiving();
    expect(await errorOf(receiver, "evil.example.test")).toEqual(phrase("network.certificate.name"));
    expect(receiver.received).toEqual([]);
  });

  test("must be of a known authority, the system's or the additional one", async () => {
    const receiver = await receiving();
    expect(await errorOf(receiver, HOST, null)).toEqual(phrase("network.certificate.authority"));
    const stranger = await receiving(() => ok, { cert: SERVER_CERTIFICATE, key: SERVER_KEY });
    expect(await errorOf(stranger, "smsc.example.test")).toEqual(phrase("network.certificate.self_signed"));
    expect([...receiver.received, ...stranger.received]).toEqual([]);
  });

  test("is judged although the environment says that none is to be", async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    try {
      const receiver = await receiving();
      expect(await errorOf(receiver, "other.example.test")).toEqual(phrase("network.certificate.name"));
      expect(await errorOf(receiver, HOST, null)).toEqual(phrase("network.certificate.authority"));
      expect(receiver.received).toEqual([]);
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
  });

  test("is judged anew although another name's connection to the same address is open", async () => {
    const receiver = await receiving();
    const post = opened();
    await post(target(receiver.port), headers, "{}");
    const end = await post(target(receiver.port, "evil.example.test"), headers, "{}");
    expect(end.error).toEqual(phrase("network.certificate.name"));
    expect(receiver.received.length).toBe(1);
  });
});

describe("an address that is not allowed", () => {
  const refusal = async (changes: Partial<PosterRules>, host = HOST) => {
    const receiver = await receiving();
    const end = await opened({ allowPrivate: () => false, ...changes })(
      target(receiver.port, host),
      headers,
      "{}",
    );
    expect([receiver.connections(), end.status]).toEqual([0, null]);
    return end.error;
  };

  test("is not connected to, whether the URL names it or its name resolves to it", async () => {
    const kind = phrase("network.kind.loopback");
    const loopback = phrase("network.address.host", { host: "127.0.0.1", kind });
    expect(await refusal({}, "127.0.0.1")).toEqual(loopback);
    // Where a name leads inside is not told.
    expect(await refusal({})).toEqual(leadsTo("loopback"));
    expect(await refusal({ resolve: () => Promise.resolve(["::ffff:127.0.0.1"]) })).toEqual(
      leadsTo("inner_ipv4"),
    );
  });

  test("refuses a name that has a public address as well", async () => {
    const resolve = () => Promise.resolve(["192.0.43.7", "10.0.0.1"]);
    expect(await refusal({ resolve })).toEqual(leadsTo("private"));
  });

  test("may be the server's own", async () => {
    const changes = { resolve: () => Promise.resolve(["192.0.43.7"]), own: () => new Set(["192.0.43.7"]) };
    expect(await refusal(changes)).toEqual(leadsTo("own"));
  });

  // Keeps: behaviour 8.30
  test("is refused every time", async () => {
    const receiver = await receiving();
    const post = opened({ allowPrivate: () => false });
    for (let time = 0; time < 3; time++) {
      const end = await post(target(receiver.port), headers, "{}");
      expect(end.error).toEqual(leadsTo("loopback"));
    }
    expect(receiver.connections()).toBe(0);
  });

  // Keeps: behaviour 8.30
  test("is refused when the name resolves to it only the second time", async () => {
    const receiver = await receiving();
    const answers = [["192.0.43.7"], ["127.0.0.1"]];
    const post = opened({ allowPrivate: () => false, resolve: () => Promise.resolve(answers.shift() ?? []) });
    // Stopped after the check and before a connection, so that the test does not leave loopback.
    const first = await post(target(receiver.port), headers, "{}", AbortSignal.abort());
    expect(first.error).toEqual(phrase("network.stopped"));
    const second = await post(target(receiver.port), headers, "{}");
    expect(second.error).toEqual(leadsTo("loopback"));
    expect(receiver.connections()).toBe(0);
  });
});

describe("a receiver that misbehaves", () => {
  const endOf = async (answer: Answer): Promise<PostEnd> => {
    const receiver = await receiving(() => answer);
    return opened()(target(receiver.port), headers, "{}");
  };

  // Keeps: behaviour 8.19
  test.each([301, 302, 307, 308])("by redirecting with %i is not followed", async (code) => {
    const elsewhere = await receiving();
    const end = await endOf(status(code, { location: `https://${HOST}:${elsewhere.port}/` }));
    expect(end).toMatchObject({ status: code, error: phrase("network.answered.redirect", { status: code }) });
    expect(elsewhere.connections()).toBe(0);
  });

  test.each([400, 404, 410, 429, 500, 503])("by answering %i has failed", async (code) => {
    expect(await endOf(status(code))).toEqual({
      status: code,
      retryAfter: null,
      error: phrase("network.answered", { status: code }),
    });
  });

  test("and says when to come again is heard", async () => {
    expect((await endOf(status(503, { "retry-after": "77" }))).retryAfter).toBe("77");
  });

  test("by hanging up has got the event once, and twice only where a kept connection may have been closed", async () => {
    let isWell = false;
    const receiver = await startReceiver(() => (isWell ? ok : (socket) => socket.destroy()));
    receivers.push(receiver);
    const post = opened();
    const got = async () => {
      const before = receiver.received.length;
      await post(target(receiver.port), headers, "{}");
      return receiver.received.length - before;
    };
    expect([await got(), await got()]).toEqual([1, 1]);
    isWell = true;
    expect(await got()).toBe(1);
    isWell = false;
    expect([await got(), await got()]).toEqual([2, 1]);
  });

  test("by not speaking HTTP, or by hanging up, has failed", async () => {
    expect((await endOf((socket) => socket.end("hello\r\n\r\n"))).error?.code).toMatch(
      /^network\.(answered\.no_http|closed)$/,
    );
    expect((await endOf((socket) => socket.destroy())).error).toEqual(phrase("network.closed"));
  });

  test("by breaking off its answer after the 2xx has taken the event", async () => {
    const end = await endOf((socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\nabc"));
    expect(end).toMatchObject({ status: 200, error: null });
  });

  // Keeps: behaviour 8.22
  test.each([
    ["", ""],
    [" that it also gives a length", "content-length: 10\r\n"],
  ])(
    "by sending an endless answer%s is hung up on after 64 KiB, and has taken the event",
    async (_, length) => {
      const receiver = await receiving(() => (socket) => {
        socket.write(`HTTP/1.1 200 OK\r\n${length}transfer-encoding: chunked\r\n\r\n`);
        const chunk = `4000\r\n${"a".repeat(0x4000)}\r\n`;
        const more = () => {
          while (!socket.destroyed && socket.write(chunk)) {
            // Until the buffer is full; then as fast as it is read.
          }
        };
        socket.on("drain", more);
        more();
      });
      const post = opened({ timeoutMs: 2000 });
      expect(await post(target(receiver.port), headers, "{}")).toMatchObject({ status: 200, error: null });
      await receiver.untilQuiet();
    },
  );

  test("by not speaking TLS has failed", async () => {
    const plain = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    });
    const port = await new Promise<number>((resolve) => {
      plain.listen(0, "127.0.0.1", () => resolve((plain.address() as { port: number }).port));
    });
    expect((await opened()(target(port), headers, "{}")).error).toEqual(phrase("network.handshake"));
    plain.close();
  });

  test("by not being there has failed, and its second address is tried", async () => {
    const receiver = await receiving();
    const gone = await receiving();
    gone.close();
    expect((await opened()(target(gone.port), headers, "{}")).error).toEqual(phrase("network.refused"));
    // Nothing listens at 127.0.0.2.
    const both = opened({ resolve: () => Promise.resolve(["127.0.0.2", "127.0.0.1"]) });
    expect(await both(target(receiver.port), headers, "{}")).toEqual(delivered);
  });

  test("by having no name in DNS has failed, and is asked for again next time", async () => {
    const receiver = await receiving();
    let asked = 0;
    const post = opened({
      resolve: () => {
        asked += 1;
        if (asked > 1) return Promise.resolve(["127.0.0.1"]);
        return Promise.reject(Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" }));
      },
    });
    expect((await post(target(receiver.port), headers, "{}")).error).toEqual(phrase("network.name.unknown"));
    expect(await post(target(receiver.port), headers, "{}")).toEqual(delivered);
  });

  test("by closing kept connections between two events loses none", async () => {
    const receiver = await receiving();
    const post = opened();
    await post(target(receiver.port), headers, "1");
    const hangUp = await receiving(() => (socket) => socket.end(ok));
    for (let number = 0; number < 3; number++) {
      expect((await post(target(hangUp.port), headers, "{}")).error).toBeNull();
    }
  });
});

describe("the one timeout", () => {
  /** A post whose time runs out on a clock that stands still until then. */
  const late = async (answer: Answer, resolve?: PosterRules["resolve"]) => {
    const receiver = await receiving(() => answer);
    const clock = testClock();
    const post = opened({ clock, timeoutMs: 15_000, ...(resolve ? { resolve } : {}) });
    const end = post(target(receiver.port), headers, "{}");
    if (!resolve) await receiver.until(1);
    await clock.advance(14_999);
    let isOver = false;
    void end.then(() => {
      isOver = true;
    });
    await clock.advance(0);
    expect(isOver).toBe(false);
    await clock.advance(1);
    const { error, status: code } = await end;
    await until(() => receiver.open() === 0);
    return { error, status: code };
  };

  // Keeps: behaviour 8.18
  test("covers a receiver that takes the request and says nothing", async () => {
    expect(await late(() => {})).toEqual({ status: null, error: LATE });
  });

  test("covers headers that drip", async () => {
    const drip: Answer = (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => socket.write("x-drop: a\r\n"), 5);
      socket.on("close", () => clearInterval(timer));
    };
    expect(await late(drip)).toEqual({ status: null, error: LATE });
  });

  // Keeps: behaviour 8.18
  test("covers a body that drips, although its status was 200", async () => {
    const drip: Answer = (socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 60000\r\n\r\n");
      const timer = setInterval(() => socket.write("a"), 5);
      socket.on("close", () => clearInterval(timer));
    };
    expect((await late(drip)).error).toEqual(LATE);
  });

  test("covers a name that nobody answers for", async () => {
    const never = () => new Promise<readonly string[]>(() => {});
    expect(await late(ok, never)).toEqual({ status: null, error: LATE });
  });
});

describe("proxy variables", () => {
  test("of the environment reroute nothing", async () => {
    const receiver = await receiving();
    const proxy = await receiving();
    process.env.HTTPS_PROXY = `http://127.0.0.1:${proxy.port}`;
    process.env.https_proxy = `http://127.0.0.1:${proxy.port}`;
    ignoreProxies();
    expect(await opened()(target(receiver.port), headers, "{}")).toEqual(delivered);
    expect(proxy.connections()).toBe(0);
  });
});

test("of the addresses of a name IPv4 is tried first, each kind in the order it was given", () => {
  const given = ["2001:db8::1", "192.0.2.1", "2001:db8::2", "192.0.2.2"];
  expect(orderAddresses(given)).toEqual(["192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2"]);
});
