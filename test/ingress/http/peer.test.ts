import { expect, test } from "vitest";
import { networkMatcher, parseNetwork } from "../../../src/core/ip-networks.ts";
import { isLoopbackPeer, isStaffPeer, readPeer } from "../../../src/ingress/http/peer.ts";

const TRUSTED = networkMatcher(["192.0.2.100", "10.99.0.0/16", "127.0.0.1"]);
const peer = (address: string | null, headers = {}, trusted = networkMatcher([])) =>
  readPeer(address, new Headers(headers), trusted);
const from = (address: string | null, headers = {}) => isLoopbackPeer(peer(address, headers));

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
  const isStaff = networkMatcher(["10.20.0.0/16", "192.0.2.7", "2001:db8:1::/48"]);
  const isTold = (address: string | null, headers = {}) => isStaffPeer(peer(address, headers), isStaff);
  for (const address of ["10.20.3.4", "::ffff:10.20.3.4", "192.0.2.7", "2001:db8:1::9"])
    expect(isTold(address)).toBe(true);
  for (const address of ["10.21.0.1", "192.0.2.8", "2001:db8:2::9", "127.0.0.1", "x", null])
    expect(isTold(address)).toBe(false);
  expect(isTold("10.20.3.4", { forwarded: "for=198.51.100.7" })).toBe(false);
  expect(networkMatcher([])("10.20.3.4")).toBe(false);
});

test("a trusted proxy tells who its client is and how it came; nobody else does", () => {
  const through = (seenBy: string | null, forwarded: string, proto = "https") =>
    peer(seenBy, { "x-forwarded-for": forwarded, "x-forwarded-proto": proto }, TRUSTED);
  const client = { address: "198.51.100.7", isDirect: false, proto: "https" };
  expect(through("192.0.2.100", "198.51.100.7")).toEqual(client);
  expect(through("::ffff:192.0.2.100", "198.51.100.7:4711")).toEqual(client);
  expect(through("192.0.2.100", "[2001:db8::7]:443").address).toBe("2001:db8::7");
  expect(through("192.0.2.101", "198.51.100.7")).toEqual({ address: null, isDirect: false, proto: null });
  expect(through(null, "198.51.100.7").address).toBeNull();
  expect(through("192.0.2.100", "198.51.100.7", "gopher").proto).toBeNull();
});

test("what a client writes into X-Forwarded-For itself counts for nothing", () => {
  const through = (forwarded: string) => peer("192.0.2.100", { "x-forwarded-for": forwarded }, TRUSTED);
  expect(through("127.0.0.1, 198.51.100.7").address).toBe("198.51.100.7");
  expect(through("10.20.0.1, 198.51.100.7, 10.99.3.4").address).toBe("198.51.100.7");
  expect(isLoopbackPeer(through("127.0.0.1"))).toBe(false);
  expect(through("10.99.1.1, 10.99.3.4").address).toBe("10.99.1.1");
  expect(peer("192.0.2.100", { via: "1.1 proxy" }, TRUSTED).address).toBeNull();
});

test("a network is an address with as many bits as its family has, or a single address", () => {
  expect(parseNetwork("10.0.0.0/8")).toEqual({ address: "10.0.0.0", bits: 8, family: "ipv4" });
  expect(parseNetwork("::1")).toEqual({ address: "::1", bits: 128, family: "ipv6" });
  for (const text of ["10.0.0.0/33", "::1/129", "10.0.0", "example.net", "10.0.0.0/8x", ""])
    expect(parseNetwork(text)).toBeNull();
});
