import type { Appliance } from "./appliance.ts";
import { exchange } from "./raw.ts";

/** Bytes on a fresh connection, and what must come of them. */
export type Malformed = {
  readonly name: string;
  readonly bytes: string;
  /** Of verdict, number of answers, and "closed" or "open". */
  readonly expected: RegExp;
};

/** What is refused where requests are framed: a bare status, and the connection is closed, so nothing can follow. */
const BARE = /^(400|431|505) 1 closed$/;
/** A body that breaks off: told by whoever reads it, and the connection is closed, so nothing can follow. */
const BROKEN_BODY = /^422 VALIDATION_FAILED 1 closed$/;
/** One answer of ours; nothing of what was sent after it was taken for a request. */
const REFUSED = /^422 VALIDATION_FAILED 1 (open|closed)$/;
const NOT_FOUND = /^404 NOT_FOUND 1 open$/;
const SERVED = /^200 1 open$/;

/** Requests no honest client writes: framing that two readers may understand differently, heads, paths, methods. */
export function malformed({ apiKey }: Appliance): Malformed[] {
  const key = `X-API-Key: ${apiKey}\r\n`;
  const smuggled = "GET /health/live HTTP/1.1\r\nHost: h\r\n\r\n";
  const post = (headers: string, body = "", line = "POST /public/v1/batches HTTP/1.1") =>
    `${line}\r\nHost: h\r\n${key}Content-Type: application/json\r\nIdempotency-Key: m\r\n${headers}\r\n\r\n${body}`;
  const get = (path: string, headers = "Host: h\r\n", line = `GET ${path} HTTP/1.1`) =>
    `${line}\r\n${headers}${key}\r\n`;
  const chunked = (body: string) => post("Transfer-Encoding: chunked", body);
  const one = (name: string, bytes: string, expected: RegExp): Malformed => ({ name, bytes, expected });
  const balance = "/public/v1/account/balance";
  return [
    ...["-1", "+2", "0x2", "2 2", "2, 2", "9".repeat(30), "9223372036854775808", ""].map((length) =>
      one(
        `Content-Length: ${length || "(empty)"}`,
        post(`Content-Length: ${length}`, "{}"),
        /^(400 1|422 VALIDATION_FAILED 1) (closed|open)$/,
      ),
    ),
    one("Content-Length: 2^53 + 1", post("Content-Length: 9007199254740993", "{}"), REFUSED),
    one(
      "two Content-Lengths that differ",
      post("Content-Length: 2\r\nContent-Length: 60", `{}${smuggled}`),
      BARE,
    ),
    one(
      "Content-Length and Transfer-Encoding",
      post("Content-Length: 4\r\nTransfer-Encoding: chunked", `0\r\n\r\n${smuggled}`),
      BARE,
    ),
    one(
      "Transfer-Encoding and Content-Length",
      post("Transfer-Encoding: chunked\r\nContent-Length: 4", `0\r\n\r\n${smuggled}`),
      BARE,
    ),
    ...[
      "xchunked",
      "gzip, chunked",
      "identity",
      "chunked, identity",
      "\x0bchunked",
      "chunked\r\nTransfer-Encoding: identity",
    ].map((coding) =>
      one(
        `Transfer-Encoding: ${JSON.stringify(coding)}`,
        post(`Transfer-Encoding: ${coding}`, `0\r\n\r\n${smuggled}`),
        BARE,
      ),
    ),
    one("a space before the colon", post("Transfer-Encoding : chunked", `0\r\n\r\n${smuggled}`), BARE),
    one(
      "chunks in HTTP/1.0",
      post("Transfer-Encoding: chunked", `0\r\n\r\n${smuggled}`, "POST /public/v1/batches HTTP/1.0"),
      BARE,
    ),
    ...["zz", "-2", "F".repeat(17), "10000000000000002", "2 2"].map((size) =>
      one(`a chunk of size ${size}`, chunked(`${size}\r\n{}\r\n0\r\n\r\n${smuggled}`), BROKEN_BODY),
    ),
    one("a chunk longer than its size", chunked(`2\r\n{}XX\r\n0\r\n\r\n${smuggled}`), BROKEN_BODY),
    one("chunks with bare line feeds", chunked(`2\n{}\n0\n\n${smuggled}`), BROKEN_BODY),
    one(
      "a trailer that is a request",
      chunked(`2\r\n{}\r\n0\r\n${smuggled}`),
      /^422 VALIDATION_FAILED 1 open$/,
    ),
    one("bare line feeds", get(balance).replaceAll("\r", ""), BARE),
    one("a bare carriage return in the head", get(balance, "Host: h\rX: y\r\n"), BARE),
    one("U+0000 in a header", get(balance, "Host: h\r\nX: a\0b\r\n"), BARE),
    one("a folded header", get(balance, "Host: h\r\nX: a\r\n b\r\n"), BARE),
    one("a space in a header's name", get(balance, "Host: h\r\nX Y: a\r\n"), BARE),
    one("no Host", get(balance, ""), BARE),
    one("two Hosts", get(balance, "Host: a\r\nHost: b\r\n"), BARE),
    one("a Host that is none", get(balance, "Host: a/b?c#d@e\r\n"), BARE),
    one("a header of 20 kB", get(balance, `Host: h\r\nX: ${"a".repeat(20_000)}\r\n`), BARE),
    one("a header of 1 MB", get(balance, `Host: h\r\nX: ${"a".repeat(1_000_000)}\r\n`), BARE),
    one("a path of 20 kB", get(`${balance}?${"a".repeat(20_000)}`), BARE),
    one("250 headers", get(balance, `Host: h\r\n${"X: 1\r\n".repeat(250)}`), BARE),
    one("HTTP/1.0 without a Host", get(balance, "", `GET ${balance} HTTP/1.0`), /^200 1 closed$/),
    one("HTTP/9.9", get(balance, "Host: h\r\n", `GET ${balance} HTTP/9.9`), BARE),
    one("an HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", BARE),
    one("a TLS greeting", "\x16\x03\x01\x00\xc8\x01\x00\x00\xc4\x03\x03", BARE),
    ...["get", "FOO"].map((method) =>
      one(
        `the method ${method}`,
        get(balance, "Host: h\r\n", `${method} ${balance} HTTP/1.1`),
        /^501 1 closed$/,
      ),
    ),
    ...["TRACE", "OPTIONS", "PUT", "QUERY", "CONNECT"].map((method) =>
      one(
        `the method ${method}`,
        get(balance, "Host: h\r\n", `${method} ${balance} HTTP/1.1`),
        /^422 VALIDATION_FAILED 1 open$/,
      ),
    ),
    one("HEAD", get(balance, "Host: h\r\n", `HEAD ${balance} HTTP/1.1`), /^422 1 open$/),
    ...[
      "//public/v1/account/balance",
      "/public//v1/account/balance",
      "/public/v1/account%2fbalance",
      `${balance}/`,
      `${balance};x=1`,
      "/PUBLIC/v1/account/balance",
      "/public/v1/account/bal\u00e9",
      `${balance}#x`,
    ].map((path) => one(`the path ${path}`, get(path), NOT_FOUND)),
    ...[
      "/public/v1/x/../account/balance",
      "/public/v1/x/%2e%2e/account/balance",
      `http://elsewhere${balance}`,
      `${balance}?a=%zz&&==`,
    ].map((path) => one(`the path ${path}`, get(path), SERVED)),
    one("the path /public/v1/../v2/x", get("/public/v1/../v2/x"), /^400 UNSUPPORTED_VERSION 1 open$/),
    one(
      "an X-Request-Id with a line end, encoded",
      get(balance, "Host: h\r\nX-Request-Id: a%0d%0aX: 1\r\n"),
      SERVED,
    ),
    one(
      "two different keys",
      get(balance, "Host: h\r\nAuthorization: Bearer x\r\n"),
      /^401 UNAUTHORIZED 1 open$/,
    ),
    one("three requests at once", get(balance).repeat(3), /^200 3 open$/),
    one(
      "a 401 with a body, then a request",
      `POST /public/v1/batches HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello${smuggled}`,
      /^401 UNAUTHORIZED 2 open$/,
    ),
    one(
      "Expect: 100-continue beyond the limit",
      post("Expect: 100-continue\r\nContent-Length: 99999999999"),
      /^422 VALIDATION_FAILED 1 closed$/,
    ),
    one("an unknown expectation", post("Expect: miracles\r\nContent-Length: 2", "{}"), /^417 1 closed$/),
    ...[
      "text/json",
      "application/json; charset=latin1",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "",
    ].map((type) =>
      one(
        `Content-Type: ${type || "(none)"}`,
        post("Content-Length: 2", "{}").replace(
          "Content-Type: application/json\r\n",
          type && `Content-Type: ${type}\r\n`,
        ),
        REFUSED,
      ),
    ),
    one("Content-Encoding: gzip", post("Content-Encoding: gzip\r\nContent-Length: 2", "{}"), REFUSED),
  ];
}

/** Sends one of them; null when what came is what must come. */
export async function faultOf(port: number, { name, bytes, expected }: Malformed): Promise<string | null> {
  const { verdict, answers, isClosed, isSigned, text } = await exchange(port, Buffer.from(bytes, "latin1"));
  const came = `${verdict} ${answers} ${isClosed ? "closed" : "open"}`;
  if (!isSigned) return `${name}: ${came}, without X-Request-Id`;
  if (text.includes('"live"') && !came.endsWith("2 open")) return `${name}: what followed was served`;
  return expected.test(came) ? null : `${name}: ${came}, expected ${expected.source}`;
}
