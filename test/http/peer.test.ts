import { expect, test } from "vitest";
import { networkList, parseNetwork } from "../../src/base/networks.ts";
import { isFromHere, isFromStaff } from "../../src/http/peer.ts";

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

test("staff are callers of their networks, in either version of the protocol, and nobody whom a proxy hands on", () => {
  const isStaff = networkList(["10.20.0.0/16", "192.0.2.7", "2001:db8:1::/48"]);
  const isTold = (address: string | null, headers = {}) =>
    isFromStaff(address, new Headers(headers), isStaff);
  for (const address of ["10.20.3.4", "::ffff:10.20.3.4", "192.0.2.7", "2001:db8:1::9"])
    expect(isTold(address)).toBe(true);
  for (const address of ["10.21.0.1", "192.0.2.8", "2001:db8:2::9", "127.0.0.1", "x", null])
    expect(isTold(address)).toBe(false);
  expect(isTold("10.20.3.4", { forwarded: "for=198.51.100.7" })).toBe(false);
  expect(networkList([])("10.20.3.4")).toBe(false);
});

test("a network is an address with as many bits as its family has, or a single address", () => {
  expect(parseNetwork("10.0.0.0/8")).toEqual({ address: "10.0.0.0", bits: 8, family: "ipv4" });
  expect(parseNetwork("::1")).toEqual({ address: "::1", bits: 128, family: "ipv6" });
  for (const text of ["10.0.0.0/33", "::1/129", "10.0.0", "example.net", "10.0.0.0/8x", ""])
    expect(parseNetwork(text)).toBeNull();
});
