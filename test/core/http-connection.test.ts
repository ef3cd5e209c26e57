import { expect, test } from "vitest";
import { type ConnectionSocket, HttpConnection, streamedResponse } from "../../src/core/http-connection.ts";
import { chunkedBody } from "../../src/core/http-parser.ts";

/** A connection over a socket that takes as many octets as it is told to. */
function connected(fetch: (request: Request) => Response | Promise<Response>) {
  let room = Number.POSITIVE_INFINITY;
  let written = "";
  let seconds = -1;
  let isPaused = false;
  const turns: (() => void)[] = [];
  const socket: ConnectionSocket = {
    write: (octets) => {
      const taken = Math.min(room, octets.length);
      written += Buffer.from(octets.subarray(0, taken)).toString("latin1");
      room -= taken;
      return taken;
    },
    pause: () => {
      isPaused = true;
    },
    resume: () => {
      isPaused = false;
    },
    timeout: (after) => {
      seconds = after;
    },
    shutdown: () => {},
    terminate: () => {},
  };
  const connection = new HttpConnection(socket, null, {
    fetch,
    idleSeconds: 40,
    maxBodyBytes: 100_000_000,
    tellsWhenGone: false,
    origin: "http://localhost",
    scheme: "http",
    date: () => "",
    underWay: () => {},
    awaitsTurn: (_, readOn) => turns.push(readOn) > 0,
    isStopping: () => false,
    over: () => {},
  });
  return {
    say: (text: string) => connection.received(Buffer.from(text, "latin1")),
    /** From now on the socket takes so many octets more. */
    roomFor: (octets: number) => {
      room = octets;
      connection.drained();
    },
    written: () => written,
    /** After how many seconds it is closed if nothing happens; 0: never. */
    seconds: () => seconds,
    isPaused: () => isPaused,
    /** Its turn to read on came, as often as it waited for it. */
    takeTurns: () => {
      for (const read of turns.splice(0)) read();
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("an answer that is being made has the time that it takes, also once its client was slow for a moment", async () => {
  let enqueue = (_piece: Uint8Array): void => {};
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      enqueue = (piece) => controller.enqueue(piece);
    },
  });
  const client = connected(() => streamedResponse(body, {}));
  client.roomFor(500);
  client.say("GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
  await turn();
  expect(client.seconds()).toBe(0);
  enqueue(new Uint8Array(10_000).fill(120));
  await turn();
  // The client is behind: one that takes nothing more is closed.
  expect(client.seconds()).toBe(40);
  client.roomFor(Number.POSITIVE_INFINITY);
  await turn();
  expect(client.seconds()).toBe(0);
  enqueue(new Uint8Array(10).fill(120));
  await turn();
  expect([client.seconds(), client.written().endsWith(`${"x".repeat(10)}\r\n`)]).toEqual([0, true]);
});

test("a refusal that the socket does not take at once is the last, and what comes behind it is dropped", async () => {
  const client = connected(() => new Response("hello"));
  client.roomFor(10);
  client.say("no request\r\n\r\n");
  for (let more = 0; more < 20; more++) client.say("nor is this\r\n\r\n");
  client.roomFor(Number.POSITIVE_INFINITY);
  await turn();
  expect(client.written().match(/HTTP\/1\.1 400/g)).toHaveLength(1);
});

test("chunks of one octet are one piece for whoever reads them, and are held back like any body", async () => {
  const read = Promise.withResolvers<number[]>();
  const go = Promise.withResolvers<void>();
  const client = connected(async (request) => {
    await go.promise;
    const sizes: number[] = [];
    for await (const piece of request.body ?? []) sizes.push(piece.length);
    read.resolve(sizes);
    return new Response("");
  });
  client.say("POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (let write = 0; write < 30; write++) client.say("1\r\nx\r\n".repeat(10_000));
  client.takeTurns();
  expect(client.isPaused()).toBe(true);
  client.say("0\r\n\r\n");
  go.resolve();
  const sizes = await read.promise;
  expect([sizes.length <= 31, sizes.reduce((sum, size) => sum + size, 0)]).toEqual([true, 300_000]);
});

test("a connection that brings much waits for its turn to bring more, also where nobody reads it any more", async () => {
  const read = Promise.withResolvers<number>();
  const client = connected(async (request) => {
    read.resolve((await request.arrayBuffer()).byteLength);
    return new Response("no", { status: 422, headers: { connection: "close" } });
  });
  client.say("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 200000\r\n\r\n");
  expect(client.isPaused()).toBe(false);
  for (const octets of [100_000, 100_000]) {
    client.say("x".repeat(octets));
    expect(client.isPaused()).toBe(true);
    client.takeTurns();
    expect(client.isPaused()).toBe(false);
  }
  expect(await read.promise).toBe(200_000);
  await turn();
  expect(client.written()).toContain("HTTP/1.1 422");
  client.say("x".repeat(100_000));
  expect(client.isPaused()).toBe(true);
  client.takeTurns();
  expect(client.isPaused()).toBe(false);
});

test("one that has its turn is still held back while what it brought is not wanted", async () => {
  const go = Promise.withResolvers<void>();
  const client = connected(async (request) => {
    await go.promise;
    return new Response(String((await request.arrayBuffer()).byteLength));
  });
  client.say(`POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 400000\r\n\r\n${"x".repeat(300_000)}`);
  client.takeTurns();
  expect(client.isPaused()).toBe(true);
  go.resolve();
  await turn();
  expect(client.isPaused()).toBe(false);
});

test("chunks are the same body however they are cut, and what is no chunk is refused wherever it is cut", () => {
  const wire = "5;a=b\r\nhello\r\n1\r\n \r\n5\r\nworld\r\n0\r\nX: y\r\n\r\nGET /";
  for (let step = 1; step <= wire.length; step++) {
    const framing = chunkedBody();
    let body = "";
    let taken = 0;
    for (let at = 0; at < wire.length && !framing.isComplete(); at += step) {
      const took = framing.take(Buffer.from(wire.slice(at, at + step)));
      body += took.piece.toString();
      taken += took.taken;
    }
    expect([body, framing.isComplete(), wire.slice(taken)]).toEqual(["hello world", true, "GET /"]);
  }
  for (const bad of [
    ...["\r\n", ";a\r\n", "g\r\n", "-1\r\n", " 1\r\n", "1\nx", "1\rx", "1;a\rb\r\nx\r\n", "123456789\r\n"],
    ...[
      "1\r\nxy",
      "1\r\nx\n",
      "1\r\nx\r1",
      "0\r\nX: y\n\r\n",
      "0\r\n\rx",
      `1;${"a".repeat(2000)}`,
      `0\r\n${"a".repeat(20_000)}`,
    ],
  ]) {
    for (const step of [1, bad.length]) {
      const framing = chunkedBody();
      const play = () => {
        for (let at = 0; at < bad.length; at += step) framing.take(Buffer.from(bad.slice(at, at + step)));
      };
      expect(play).toThrow();
    }
  }
});
