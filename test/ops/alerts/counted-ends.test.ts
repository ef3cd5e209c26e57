import { expect, test } from "vitest";
import { createMetricsRegistry } from "../../../src/core/metrics-registry.ts";
import { MESSAGES } from "../../../src/domain/messages/message-metrics.ts";
import { countOutcomes, hoursSinceStored, markStored } from "../../../src/ops/alerts/delivery-rates.ts";

test("what ended counts at once, and what was written down counts there and no more here", () => {
  const tally = createMetricsRegistry();
  const ended = (operator: string, status: string): void => {
    tally.counters(MESSAGES).of(operator, "OTP", status).value += 1;
  };
  const nowMs = 1000 * 3_600_000;
  expect(hoursSinceStored(tally, nowMs)).toEqual([]);
  ended("moov", "DELIVERED");
  ended("moov", "SENT");
  expect(hoursSinceStored(tally, nowMs)).toEqual([{ operator: "moov", hour: 1000, delivered: 1, failed: 0 }]);
  markStored(tally, countOutcomes(tally));
  expect(hoursSinceStored(tally, nowMs)).toEqual([]);
  ended("moov", "FAILED");
  ended("orange", "DELIVERED");
  expect(hoursSinceStored(tally, nowMs)).toEqual([
    { operator: "moov", hour: 1000, delivered: 0, failed: 1 },
    { operator: "orange", hour: 1000, delivered: 1, failed: 0 },
  ]);
});
