import { describe, expect, test } from "vitest";
import { phrase } from "../../src/i18n/phrase.ts";
import { findEndpointUrlFault, readEndpointUrl } from "../../src/webhooks/endpoint-request.ts";

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
    ["http://shop.example.test/", "fault.url.https"],
    ["ftp://shop.example.test/", "fault.url.https"],
    ["javascript:alert(1)", "fault.url.https"],
    ["shop.example.test/hook", "fault.url"],
    ["", "fault.url"],
    ["https://", "fault.url"],
    ["https://user@shop.example.test/", "fault.url.credentials"],
    ["https://:secret@shop.example.test/", "fault.url.credentials"],
    ["https://shop.example.test:0/", "fault.url.port"],
    ["https://shop.example.test:99999/", "fault.url"],
    [" https://shop.example.test/", "fault.url.signs"],
    ["https://shop.exa\nmple.test/", "fault.url.signs"],
    ["https://shop.example.test\\@127.0.0.1/", "fault.url.signs"],
    [`https://shop.example.test/${"a".repeat(2023)}`, "fault.too_long"],
  ])("is refused: %s", (url, code) => {
    expect(readEndpointUrl(url)).toMatchObject({ fault: { code } });
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
    expect(findEndpointUrlFault(url)?.code).toMatch(/^fault\.url(\.written_out)?$/);
  });

  test.each([
    ["https://shop..example.test/hook"],
    ["https://.shop.example.test/hook"],
    [`https://${"a".repeat(64)}.test/`],
    [`https://${"a.".repeat(126)}test/`],
  ])("whose host no DNS can hold is not registered: %s", (url) => {
    expect(findEndpointUrlFault(url)).toEqual(phrase("fault.url.name"));
  });

  test.each([
    ["https://\tshop.example.test/", "fault.url.signs"],
    ["https:\\\\shop.example.test\\hook", "fault.url.signs"],
    ["https://shop.example.test:00/", "fault.url.port"],
    ["https://:443/", "fault.url"],
    ["https://./hook", "fault.url.no_host"],
  ])("is not registered either: %s", (url, fault) => {
    expect(findEndpointUrlFault(url)?.code).toBe(fault);
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
    expect(findEndpointUrlFault(url)).toBe(null);
  });
});
