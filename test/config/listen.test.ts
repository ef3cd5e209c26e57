import { describe, expect, test } from "vitest";
import { isHost, parseListen, toLocalOrigin } from "../../src/config/listen.ts";

describe("parseListen", () => {
  test("reads names, IPv4 and bracketed IPv6", () => {
    expect(parseListen("127.0.0.1:8080")).toEqual({ hostname: "127.0.0.1", port: 8080 });
    expect(parseListen("localhost:0")).toEqual({ hostname: "localhost", port: 0 });
    expect(parseListen("[::1]:65535")).toEqual({ hostname: "::1", port: 65_535 });
  });

  for (const text of [
    "",
    "8080",
    ":8080",
    "host",
    "host:",
    "host:65536",
    "host:-1",
    "::1:80",
    "[x]:80",
    "http://h:80",
  ]) {
    test(`${JSON.stringify(text)} is no address to listen on`, () => {
      expect(parseListen(text)).toBeNull();
    });
  }
});

describe("isHost", () => {
  test("takes names and addresses, never a port or a scheme", () => {
    for (const host of ["smsc.example.net", "10.0.0.1", "::1", "fe80::1", "smsc_1", "a", "a."]) {
      expect([host, isHost(host)]).toEqual([host, true]);
    }
    for (const host of ["", "smsc.example.net:2775", "tcp://x", "a b", ".", "-a", "[::1]"]) {
      expect([host, isHost(host)]).toEqual([host, false]);
    }
  });
});

test("originHere takes every address for the loopback, and leaves what names one", () => {
  const origins = ["http://0.0.0.0:8080", "https://[::]", "http://10.1.2.3:80", "http://[fd00::1]:8080"];
  expect(origins.map(toLocalOrigin)).toEqual([
    "http://127.0.0.1:8080",
    "https://[::1]",
    "http://10.1.2.3",
    "http://[fd00::1]:8080",
  ]);
});
