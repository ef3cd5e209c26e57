import { describe, expect, test } from "vitest";
import { answerIn, requestOctets } from "./http-text.ts";

const octets = (text: string) => Buffer.from(text.replaceAll("\n", "\r\n"));

describe("an answer", () => {
  test("is read once its body is as long as its head says", () => {
    const text = "HTTP/1.1 202 Accepted\nX-Request-Id: a\nContent-Length: 5\n\nabcde";
    const whole = { status: 202, headers: { "x-request-id": "a", "content-length": "5" }, body: "abcde" };
    expect(answerIn(octets(text))).toEqual(whole);
    expect(answerIn(octets(text.slice(0, -1)))).toBe(null);
    expect(answerIn(octets("HTTP/1.1 202 Accepted\nContent-"))).toBe(null);
  });

  test("that comes in chunks ends with the empty one", () => {
    const text = "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n3\nabc\n2\nde\n0\n\n";
    expect(answerIn(octets(text))?.body).toBe("abcde");
    expect(answerIn(octets(text.slice(0, -3)))).toBe(null);
  });
});

test("a request closes its connection, and says how long its body is in octets", () => {
  const { head, body } = requestOctets({
    client: "a",
    method: "POST",
    path: "/x?y=1",
    headers: { accept: "*/*" },
    body: "é",
  });
  expect(head.toString().split("\r\n")).toEqual([
    "POST /x?y=1 HTTP/1.1",
    "host: bendre.test",
    "connection: close",
    "content-length: 2",
    "accept: */*",
    "",
    "",
  ]);
  expect(body.length).toBe(2);
});
