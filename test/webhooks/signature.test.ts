import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { signEvent, toSignedHeaders } from "../../src/webhooks/payload.ts";
import { secretText } from "../../src/webhooks/signing.ts";

const key = (octet: number) => new Uint8Array(32).fill(octet);
const [oldest, older, newest] = [key(1), key(2), key(3)];
const ID = "01KJQX5Y8P9Q8R7S6T5V4W3X2Y";
const BODY = '{"type":"MESSAGE_TERMINAL","data":{"sender":"Ségou «é»"}}';
/** Libraries of receivers judge the timestamp by the machine's clock. */
const now = () => Date.now();
const signing = (keys: readonly Uint8Array[], expiresAtMs = Number.POSITIVE_INFINITY) =>
  keys.map((each) => ({ key: each, expiresAtMs }));

describe("a signature", () => {
  // Keeps: behaviour 8.1
  test("is that of the Standard Webhooks example", () => {
    const example = Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64");
    const text = '{"test": 2432232314}';
    expect(signEvent([example], "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, text)).toBe(
      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    );
  });

  // Keeps: behaviour 8.1
  test("is verified by the public library", () => {
    const headers = toSignedHeaders(signing([newest]), ID, BODY, now());
    expect(new Webhook(secretText(newest)).verify(BODY, headers)).toEqual(JSON.parse(BODY));
  });

  // Keeps: behaviour 8.3
  test("verifies with each secret of a rotation, the newest one first", () => {
    const headers = toSignedHeaders(signing([newest, older]), ID, BODY, now());
    for (const secret of [newest, older]) {
      expect(() => new Webhook(secretText(secret)).verify(BODY, headers)).not.toThrow();
    }
    expect(() => new Webhook(secretText(oldest)).verify(BODY, headers)).toThrow();
    const [first] = headers["webhook-signature"]!.split(" ");
    expect(first).toBe(signEvent([newest], ID, Number(headers["webhook-timestamp"]), BODY));
  });

  // Keeps: behaviour 8.3
  test("is not made with a secret that has expired", () => {
    const at = now();
    const headers = toSignedHeaders([...signing([newest]), ...signing([older], at)], ID, BODY, at);
    expect(headers["webhook-signature"]!.split(" ").length).toBe(1);
  });

  test("fails on another body, id or time", () => {
    const headers = toSignedHeaders(signing([newest]), ID, BODY, now());
    const receiver = new Webhook(secretText(newest));
    expect(() => receiver.verify(`${BODY} `, headers)).toThrow();
    expect(() => receiver.verify(BODY, { ...headers, "webhook-id": "01K" })).toThrow();
    expect(() =>
      receiver.verify(BODY, {
        ...headers,
        "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1),
      }),
    ).toThrow();
  });
});
