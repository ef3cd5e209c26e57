import { expect, test } from "vitest";
import { isFromHere } from "../../src/http/peer.ts";

const from = (address: string | null, headers = {}) => isFromHere(address, new Headers(headers));

test("loopback is here, in either version of the protocol; everything else and nothing is not", () => {
  for (const address of ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
    expect(from(address)).toBe(true);
  for (const address of ["192.0.2.1", "1270.0.0.1", "::2", "2001:db8::127.0.0.1", "", null]) {
    expect(from(address)).toBe(false);
  }
});

test("what a proxy on this machine hands on is not from here", () => {
  expect(from("127.0.0.1", { "x-forwarded-for": "198.51.100.7" })).toBe(false);
});
