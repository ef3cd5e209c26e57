import { describe, expect, test } from "vitest";
import type { ChargeOn } from "../../../src/core/money.ts";
import {
  deriveMoneyPosition,
  type MoneyPosition,
  type PricedMessage,
} from "../../../src/domain/messages/message-money.ts";

/** Three segments at 15: 45 in all. Two were accepted where the operator took some. */
const message = (changes: Partial<PricedMessage>): PricedMessage => ({
  status: "QUEUED",
  isFinal: false,
  segments: 3,
  price: 15,
  acceptedSegments: 0,
  ...changes,
});

const OPEN: MoneyPosition = { amount: 0, isClosed: false };
const whole: MoneyPosition = { amount: 45, isClosed: true };
const part: MoneyPosition = { amount: 30, isClosed: true };
const nothing: MoneyPosition = { amount: 0, isClosed: true };

const ended = { isFinal: true };
const sent = { acceptedSegments: 3 };

describe("the money of a message (docs/behaviour.md#charge-and-release)", () => {
  test.each([
    ["waiting in the queue", message({}), OPEN, OPEN],
    ["waiting again, two segments taken", message({ acceptedSegments: 2 }), OPEN, OPEN],
    ["with the operator", message({ status: "SUBMITTED" }), OPEN, OPEN],
    [
      "with the operator, two segments taken",
      message({ status: "SUBMITTED", acceptedSegments: 2 }),
      OPEN,
      OPEN,
    ],
    ["accepted whole", message({ status: "SENT", ...sent }), whole, OPEN],
    [
      "accepted whole, and no receipt will come",
      message({ status: "SENT", ...sent, ...ended }),
      whole,
      whole,
    ],
    ["delivered", message({ status: "DELIVERED", ...sent, ...ended }), whole, whole],
    ["undelivered after it was accepted", message({ status: "FAILED", ...sent, ...ended }), whole, nothing],
    ["refused before anything was taken", message({ status: "FAILED", ...ended }), nothing, nothing],
    [
      "refused after two segments",
      message({ status: "FAILED", ...ended, acceptedSegments: 2 }),
      part,
      nothing,
    ],
    ["cancelled", message({ status: "CANCELLED", ...ended }), nothing, nothing],
    [
      "cancelled after two segments",
      message({ status: "CANCELLED", ...ended, acceptedSegments: 2 }),
      part,
      nothing,
    ],
  ] as const)("%s", (_, of, onAccepted, onDelivered) => {
    const rules: [ChargeOn, MoneyPosition][] = [
      ["accepted", onAccepted],
      ["delivered", onDelivered],
    ];
    for (const [rule, expected] of rules)
      expect([rule, deriveMoneyPosition(of, rule)]).toEqual([rule, expected]);
  });
});
