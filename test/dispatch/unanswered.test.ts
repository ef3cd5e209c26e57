import { describe, expect, test } from "vitest";
import { toUnansweredFact } from "../../src/dispatch/attempt.ts";

const POLICY = { OTP: "resend", TRANSACTIONAL: "resend", MARKETING: "wait", wait_hours: 24 } as const;
const NOW = 1_000_000;
const message = { messageId: 7, messageClass: "OTP", resends: 0, expiresAt: NOW + 1 } as const;
const WAIT = { kind: "unanswered", messageId: 7, next: "wait", untilMs: NOW + 24 * 3_600_000 };

describe("a submit that nobody answered", () => {
  test.each(["OTP", "TRANSACTIONAL"] as const)("of %s is sent again", (messageClass) => {
    expect(toUnansweredFact({ ...message, messageClass }, POLICY, NOW)).toEqual({
      kind: "unanswered",
      messageId: 7,
      next: "resend",
    });
  });

  test("of MARKETING waits for 24 hours", () => {
    expect(toUnansweredFact({ ...message, messageClass: "MARKETING" }, POLICY, NOW)).toEqual(WAIT);
  });

  test("waits after three resends", () => {
    expect(toUnansweredFact({ ...message, resends: 2 }, POLICY, NOW)).toMatchObject({ next: "resend" });
    expect(toUnansweredFact({ ...message, resends: 3 }, POLICY, NOW)).toEqual(WAIT);
  });

  // Keeps: behaviour 6.27
  test("waits when its validity is over", () => {
    expect(toUnansweredFact({ ...message, expiresAt: NOW }, POLICY, NOW)).toEqual(WAIT);
  });

  test("does what the configuration says of its class", () => {
    const policy = { OTP: "wait", TRANSACTIONAL: "wait", MARKETING: "resend", wait_hours: 2 } as const;
    expect(toUnansweredFact(message, policy, NOW)).toEqual({ ...WAIT, untilMs: NOW + 2 * 3_600_000 });
    expect(toUnansweredFact({ ...message, messageClass: "MARKETING" }, policy, NOW)).toMatchObject({
      next: "resend",
    });
  });
});
