import { describe, expect, test } from "vitest";
import { toCustomerNetwork } from "../../../src/core/ip-networks.ts";
import { createMetricsRegistry, LIMITED } from "../../../src/core/metrics-registry.ts";
import { AttemptLimiter, createSignInLimits } from "../../../src/domain/accounts/sign-in.ts";

const at = (address: string) => ({ address, agent: "" });
const clock = { steadyMs: () => 0 };

test("names that were tried less often make room: nobody clears a window by inventing others", () => {
  const counted = new AttemptLimiter(clock, { most: () => 3, windowMs: 1000, mostNames: 10 });
  for (let nth = 0; nth < 3; nth++) expect(counted.take("owner")).toBeNull();
  for (let nth = 0; nth < 1000; nth++) expect(counted.take(`invented ${nth}`)).toBeNull();
  expect(counted.take("owner")).toBe(1);
});

describe("signing in", () => {
  const limits = () => {
    const tally = createMetricsRegistry();
    return { tally, ...createSignInLimits(clock, () => ({ byLogin: 10, byNetwork: 50 }), tally) };
  };

  test("an address that is refused counts against no login", () => {
    const { login } = limits();
    for (let nth = 0; nth < 50; nth++) login(`invented-${nth}@example.bf`, at("198.51.100.1"), false);
    for (let nth = 0; nth < 20; nth++)
      expect(login("owner@example.bf", at("198.51.100.1"), false)).not.toBeNull();
    expect(login("owner@example.bf", at("192.0.2.1"), false)).toBeNull();
  });

  test("is limited as is said at the time", () => {
    let most = { byLogin: 1, byNetwork: 2 };
    const { login } = createSignInLimits(clock, () => most, createMetricsRegistry());
    const from = at("198.51.100.1");
    expect([login("a@b.bf", from, false), login("a@b.bf", from, false)]).toEqual([null, 900]);
    expect(login("c@b.bf", from, false)).toBe(900);
    most = { byLogin: 9, byNetwork: 9 };
    expect([login("a@b.bf", from, false), login("c@b.bf", from, false)]).toEqual([null, null]);
  });

  test("ten thousand other logins from an address that is refused clear no login's window", () => {
    const { login } = limits();
    for (let nth = 0; nth < 10; nth++)
      expect(login("owner@example.bf", at("198.51.100.1"), false)).toBeNull();
    for (let nth = 0; nth < 10_050; nth++) login(`n${nth}@example.bf`, at("198.51.100.1"), false);
    expect(login("owner@example.bf", at("192.0.2.1"), false)).not.toBeNull();
  });

  test("one IPv6 network of 64 bits is one address, however it is written", () => {
    const { address, tally } = limits();
    for (let nth = 0; nth < 50; nth++) expect(address(at(`2001:db8:0:1::${nth.toString(16)}`))).toBeNull();
    expect(address(at("2001:0DB8:0:0001:ffff::1"))).not.toBeNull();
    expect(address(at("2001:db8:0:2::1"))).toBeNull();
    expect(tally.counters(LIMITED).of("sign-ins of a network").value).toBe(1);
  });
});

describe("a network", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::FFFF:c000:0207", "192.0.2.7"],
    ["::1", "0:0:0:0::/64"],
    ["2001:DB8::8:800:200C:417A", "2001:db8:0:0::/64"],
    ["2001:0db8:0000:0000:0008:0800:200c:417a", "2001:db8:0:0::/64"],
    ["64:ff9b::192.0.2.7", "64:ff9b:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["", ""],
    ["unknown", "unknown"],
  ])("of %s is %s", (address, network) => {
    expect(toCustomerNetwork(address)).toBe(network);
  });

  test("is no longer than an address, whatever a proxy wrote", () => {
    expect(toCustomerNetwork("x".repeat(10_000)).length).toBeLessThanOrEqual(45);
  });
});
