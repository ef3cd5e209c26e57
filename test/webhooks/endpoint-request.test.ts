import { describe, expect, test } from "vitest";
import { english } from "../../src/i18n/text.ts";
import { readEndpointRequest } from "../../src/webhooks/endpoint-request.ts";

const url = "https://shop.example.test/hook";
const faults = (json: unknown) => {
  const read = readEndpointRequest(json);
  if (read.ok) throw new Error("not refused");
  return (read.refusal.faults ?? []).map(({ path, message }) => `${path} ${english(message)}`);
};

describe("the registration of an endpoint", () => {
  // Keeps: behaviour 8.36
  test("needs a URL and nothing else, and gets the two events that are promised", () => {
    const events = ["MESSAGE_TERMINAL", "BATCH_SETTLED"];
    for (const extra of [{}, { events: null, description: null }, { events: [] }]) {
      expect(readEndpointRequest({ url, ...extra })).toEqual({
        ok: true,
        value: { url, description: "", events },
      });
    }
  });

  // Keeps: behaviour 8.13
  test("may name every event there is", () => {
    const added = ["BATCH_REJECTED", "BATCH_FAILED", "BATCH_CANCELLED", "WALLET_LOW"];
    const events = ["MESSAGE_TERMINAL", "BATCH_SETTLED", "BATCH_ACCEPTED", ...added];
    expect(readEndpointRequest({ url, events })).toMatchObject({ ok: true, value: { events } });
  });

  test("keeps each event once, in the order asked for", () => {
    const events = ["WALLET_LOW", "BATCH_SETTLED", "WALLET_LOW", "BATCH_FAILED"];
    expect(readEndpointRequest({ url, events })).toMatchObject({
      value: { events: ["WALLET_LOW", "BATCH_SETTLED", "BATCH_FAILED"] },
    });
  });

  // Keeps: public-api 4.8.7, 8.13
  test("takes a description of 255 characters, counted as people count", () => {
    expect(readEndpointRequest({ url, description: "🥁".repeat(255) }).ok).toBe(true);
    expect(faults({ url, description: "🥁".repeat(256) })).toEqual([
      "/description must have at most 255 characters",
    ]);
  });

  test("is told every fault at once", () => {
    expect(faults({ url: "http://a.test", description: 7, events: ["SENT", 4], "a/b": 1 })).toEqual([
      "/a~1b is not a field of a webhook",
      "/url must be an https: URL",
      "/description must be a text",
      expect.stringContaining("/events/0 must be one of MESSAGE_TERMINAL, "),
      expect.stringContaining("/events/1 must be one of "),
    ]);
  });

  test.each([[{}], [{ url: 5 }], [{ url: null }]])("without a URL is refused: %j", (json) => {
    expect(faults(json)).toEqual(["/url must be a text"]);
  });

  test.each([[null], [[]], ["text"], [4]])("that is no object is refused: %j", (json) => {
    expect(readEndpointRequest(json)).toMatchObject({ ok: false, refusal: { code: "VALIDATION_FAILED" } });
  });
});
