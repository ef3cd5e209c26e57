import { describe, expect, test } from "vitest";
import { classifyAddress } from "../../src/https/address-guard.ts";

describe("an address that an endpoint may not have", () => {
  // Keeps: behaviour 8.31
  test.each([
    ["0.0.0.0", "unspecified"],
    ["0.1.2.3", "unspecified"],
    ["127.0.0.1", "loopback"],
    ["127.255.255.254", "loopback"],
    ["10.0.0.1", "private"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.168.1.1", "private"],
    ["169.254.169.254", "link_local"],
    ["100.64.0.1", "carrier_nat"],
    ["100.127.255.255", "carrier_nat"],
    ["192.0.0.170", "protocols"],
    ["192.88.99.1", "protocols"],
    ["192.0.2.1", "examples"],
    ["198.18.0.1", "examples"],
    ["198.19.255.255", "examples"],
    ["198.51.100.1", "examples"],
    ["203.0.113.1", "examples"],
    ["224.0.0.1", "multicast"],
    ["239.255.255.255", "multicast"],
    ["240.0.0.1", "reserved"],
    ["255.255.255.255", "reserved"],
    ["::", "unspecified"],
    ["::1", "loopback"],
    ["fc00::1", "unique_local"],
    ["fdff::1", "unique_local"],
    ["fe80::1", "link_local"],
    ["febf::1", "link_local"],
    ["fec0::1", "site_local"],
    ["ff02::1", "multicast"],
    ["2001:2::1", "protocols"],
    ["2001:db8::1", "examples"],
    ["3fff:fff::1", "examples"],
    ["100::1", "examples"],
    ["4000::1", "not_global"],
    ["fe80::1%eth0", "no_internet"],
    ["hook.example.test", "no_internet"],
    ["", "no_internet"],
  ])("%s is refused: %s", (address, kind) => {
    expect(classifyAddress(address)).toBe(kind);
  });

  // Keeps: behaviour 8.32
  test.each([
    ["mapped", "::ffff:127.0.0.1"],
    ["mapped, in hexadecimal", "::ffff:7f00:1"],
    ["mapped, written out", "0:0:0:0:0:ffff:7f00:0001"],
    ["mapped, even of a public address", "::ffff:8.8.8.8"],
    ["compatible", "::127.0.0.1"],
    ["translated", "::ffff:0:127.0.0.1"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["local NAT64", "64:ff9b:1::7f00:1"],
    ["6to4", "2002:7f00:1::"],
    ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    ["ISATAP", "2a00:1450:1:2:0:5efe:127.0.0.1"],
    ["ISATAP, universal", "2a00:1450::200:5efe:7f00:1"],
  ])("IPv4 inside IPv6 is refused: %s", (_form, address) => {
    expect(classifyAddress(address)).toBe("inner_ipv4");
  });
});

describe("a public address", () => {
  test.each([
    "8.8.8.8",
    "1.1.1.1",
    "100.63.255.255",
    "100.128.0.1",
    "172.15.255.255",
    "172.32.0.1",
    "192.167.255.255",
    "198.17.255.255",
    "223.255.255.255",
    "2001:4860:4860::8888",
    "2600::",
    "2a00:1450:0:5efe::1",
    "2a00:1450::1",
  ])("%s is allowed", (address) => {
    expect(classifyAddress(address)).toBeNull();
  });
});
