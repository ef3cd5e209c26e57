/** The line that a new key is tried with: what it asks is what the key may ask, and costs nothing. */
import { describe, expect, test } from "vitest";
import { writeFirstRequest } from "../../src/console/ui/pages/access/first-request.ts";

const ORIGIN = "https://sms.example.bf";

describe("the first request of a key", () => {
  test("is a text of the sandbox for a test key that may send", () => {
    const line = writeFirstRequest(ORIGIN, {
      api_key: "bdr_test_1",
      mode: "test",
      scopes: ["MESSAGES_SEND"],
    });
    expect(line).toMatch(
      /^curl -sS 'https:\/\/sms\.example\.bf\/public\/v1\/batches' -H 'Authorization: Bearer bdr_test_1' /,
    );
    const [, body = ""] = / -d '(.*)'$/.exec(line ?? "") ?? [];
    expect(JSON.parse(body)).toMatchObject({ sender: "TEST", recipients: [{ msisdn: "70123456" }] });
  });

  test.each([
    [["MESSAGES_SEND", "ACCOUNT_READ"], "/account/balance"],
    [["MESSAGES_SEND", "MESSAGES_READ"], "/batches?limit=1"],
    [["SENDER_IDS_READ"], "/sender-ids"],
    [["WEBHOOKS_MANAGE"], "/webhooks"],
  ] as const)("is a question that changes nothing for a live key with %j", (scopes, path) => {
    expect(writeFirstRequest(ORIGIN, { api_key: "bdr_1", mode: "live", scopes: [...scopes] })).toBe(
      `curl -sS '${ORIGIN}/public/v1${path}' -H 'Authorization: Bearer bdr_1'`,
    );
  });

  test("is none for a live key that may only send: it would be paid for", () => {
    expect(writeFirstRequest(ORIGIN, { api_key: "bdr_1", mode: "live", scopes: ["MESSAGES_SEND"] })).toBe(
      null,
    );
  });
});
