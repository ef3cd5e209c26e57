import { deepStrictEqual, ok } from "node:assert";
import { type ConnectionSocket, HttpConnection } from "../../../src/core/http-connection.ts";
import { answersIn } from "../../kit/raw-answers.ts";
import type { Dice } from "../dice.ts";
import { octetsOf, type Target } from "../target.ts";

const LINES = [
  "GET /a HTTP/1.1\r\nHost: h\r\n\r\n",
  "HEAD /a?b=c HTTP/1.1\r\nHost: h:80\r\nConnection: close\r\n\r\n",
  "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello",
  "POST /a HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello",
  "PUT http://h/a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5;e=1\r\nhello\r\n0\r\nT: x\r\n\r\n",
  "POST /a HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
  "\r\n",
];

/** Octets as they come on a connection of a client. */
export const requests: Target = {
  name: "requests",
  promise:
    "the same requests are asked, in their order, and each is answered, however the octets are cut into writes",
  form: "hex",
  words: [
    ...[
      "\r\n",
      "\n",
      "\r",
      " ",
      ":",
      "0\r\n\r\n",
      "HTTP/1.1",
      "Host: h\r\n",
      "Connection: close\r\n",
      "\0",
      "é",
    ],
    ...["Content-Length: ", "Transfer-Encoding: chunked\r\n", "Expect: 100-continue\r\n", ...LINES],
  ],
  longest: 4096,
  isPumped: true,
  draw: (rolls: Dice) =>
    octetsOf(Array.from({ length: 1 + rolls.below(4) }, () => rolls.pick(LINES)).join("")),
  open: () => ({ run, close: () => {} }),
};

type Played = {
  /** What the application was asked: method, URL, and the body or that it broke off. */
  readonly asked: readonly string[];
  readonly statuses: readonly number[];
  readonly isEnded: boolean;
};

async function run(input: Uint8Array): Promise<string> {
  const whole = await play(input, input.length);
  // A long input in some hundred writes: each looks at what came of its head before.
  const cut = await play(input, Math.max(1 + (input.length % 13), input.length >> 8));
  deepStrictEqual(cut, whole);
  const { asked, statuses, isEnded } = whole;
  // What is no request is answered with one bare refusal, behind all others.
  const answered = statuses.slice(0, asked.length);
  deepStrictEqual(
    answered,
    asked.map(() => 202),
  );
  const refused = statuses.slice(asked.length);
  ok(refused.length <= 1, "one refusal at most");
  ok(isEnded, "the connection ends with its client");
  return `${Math.min(asked.length, 3)} asked${asked.some((one) => one.endsWith("broke off")) ? ", broken off" : ""}, ${refused[0] ?? "none"} refused`;
}

/** Plays the input in writes of so many octets, then the end of the client's half. */
async function play(input: Uint8Array, step: number): Promise<Played> {
  const asked: string[] = [];
  let written = "";
  let isEnded = false;
  const end = (): void => {
    isEnded = true;
  };
  const socket: ConnectionSocket = {
    write: (octets) => {
      written += Buffer.from(octets).toString("latin1");
      return octets.length;
    },
    pause: () => {},
    resume: () => {},
    timeout: () => {},
    shutdown: end,
    terminate: end,
  };
  let underWay = 0;
  const connection = new HttpConnection(socket, null, {
    fetch: async (request) => {
      const body = await request.text().catch(() => "broke off");
      asked.push(`${request.method} ${request.url} ${body}`);
      return new Response("", { status: 202 });
    },
    idleSeconds: 10,
    maxBodyBytes: 1_000_000,
    tellsWhenGone: false,
    origin: "http://localhost",
    scheme: "http",
    date: () => "",
    underWay: (change) => {
      underWay += change;
    },
    awaitsTurn: () => false,
    isStopping: () => false,
    over: () => {},
  });
  const octets = Buffer.from(input);
  for (let at = 0; at < octets.length; at += Math.max(1, step)) {
    connection.received(octets.subarray(at, at + Math.max(1, step)));
  }
  connection.ended();
  while (underWay > 0) await new Promise((resolve) => setImmediate(resolve));
  connection.closed();
  // HEAD says a length and has no body: each answer here is empty, so that none is cut wrong.
  return { asked, statuses: answersIn(written).map(({ status }) => status), isEnded };
}
