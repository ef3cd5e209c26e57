import { describe, expect, test } from "vitest";
import { endpointUrlFault, readEndpointUrl } from "../../src/webhooks/endpoint-url.ts";

describe("an endpoint's URL", () => {
  test("is taken apart into what a connection needs", () => {
    expect(readEndpointUrl("https://Shop.Example.test./hooks/a%20b?t=1#top")).toEqual({
      target: {
        host: "shop.example.test",
        isAddress: false,
        port: 443,
        path: "/hooks/a%20b?t=1",
        authority: "shop.example.test.",
      },
    });
    expect(readEndpointUrl("https://[2a00:1450::1]:8443")).toEqual({
      target: {
        host: "2a00:1450::1",
        isAddress: true,
        port: 8443,
        path: "/",
        authority: "[2a00:1450::1]:8443",
      },
    });
  });

  test.each([
    ["https://0x7f.1/"],
    ["https://2130706433/"],
    ["https://127.1/"],
    ["https://0177.0.0.1/"],
    ["https://①②⑦.⓪.⓪.①/"],
  ])("that writes 127.0.0.1 in another way is that address: %s", (url) => {
    expect(readEndpointUrl(url)).toMatchObject({ target: { host: "127.0.0.1", isAddress: true } });
  });

  test.each([
    ["http://shop.example.test/", "must be an https: URL"],
    ["ftp://shop.example.test/", "must be an https: URL"],
    ["javascript:alert(1)", "must be an https: URL"],
    ["shop.example.test/hook", "must be a URL"],
    ["", "must be a URL"],
    ["https://", "must be a URL"],
    ["https://user@shop.example.test/", "must not hold a user name or password"],
    ["https://:secret@shop.example.test/", "must not hold a user name or password"],
    ["https://shop.example.test:0/", "must not name port 0"],
    ["https://shop.example.test:99999/", "must be a URL"],
    [" https://shop.example.test/", "must not hold spaces, control characters or backslashes"],
    ["https://shop.exa\nmple.test/", "must not hold spaces, control characters or backslashes"],
    ["https://shop.example.test\\@127.0.0.1/", "must not hold spaces, control characters or backslashes"],
    [`https://shop.example.test/${"a".repeat(2023)}`, "must have at most 2048 characters"],
  ])("is refused: %s", (url, fault) => {
    expect(readEndpointUrl(url)).toEqual({ fault });
  });

  // Keeps: public-api 4.8.2, 8.12
  test("may have 2048 characters", () => {
    const url = `https://shop.example.test/${"a".repeat(2022)}`;
    expect(url.length).toBe(2048);
    expect(readEndpointUrl(url)).toHaveProperty("target");
  });

  // Keeps: public-api 4.8.6
  test.each([
    ["https:///hooks/bendre"],
    ["https:////shop.example.test/hook"],
    ["https:shop.example.test/hook"],
    ["https:/shop.example.test/hook"],
    ["HTTPS:shop.example.test"],
    ["https://@shop.example.test/hook"],
    ["https://:@shop.example.test/hook"],
    ["https://?shop.example.test"],
    ["https://#shop.example.test"],
  ])("that has no authority right after https:// is not registered: %s", (url) => {
    expect(endpointUrlFault(url)).toMatch(/^must (begin with https:\/\/ and a host|be a URL)$/);
  });

  test.each([
    ["https://shop..example.test/hook"],
    ["https://.shop.example.test/hook"],
    [`https://${"a".repeat(64)}.test/`],
    [`https://${"a.".repeat(126)}test/`],
  ])("whose host no DNS can hold is not registered: %s", (url) => {
    expect(endpointUrlFault(url)).toBe("must name a host that DNS can hold");
  });

  test.each([
    ["https://\tshop.example.test/", "must not hold spaces, control characters or backslashes"],
    ["https:\\\\shop.example.test\\hook", "must not hold spaces, control characters or backslashes"],
    ["https://shop.example.test:00/", "must not name port 0"],
    ["https://:443/", "must be a URL"],
    ["https://./hook", "must name a host"],
  ])("is not registered either: %s", (url, fault) => {
    expect(endpointUrlFault(url)).toBe(fault);
  });

  test.each([
    ["https://shop.example.test"],
    ["HTTPS://Shop.Example.test:8443/hook?t=a@b#c"],
    ["https://shop.example.test./"],
    ["https://[2a00:1450::1]/hook"],
    ["https://203.0.113.5/hook"],
    ["https://maïs.example.test/hook"],
    [`https://${"a".repeat(63)}.test/`],
  ])("is registered: %s", (url) => {
    expect(endpointUrlFault(url)).toBe(null);
  });
});
