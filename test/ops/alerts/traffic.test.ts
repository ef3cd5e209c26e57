import { describe, expect, test } from "vitest";
import {
  advanceTraffic,
  deriveDeliveryRates,
  type TrafficMemory,
} from "../../../src/ops/alerts/delivery-rates.ts";

const MIN = 60_000;
const HOUR = 3_600_000;

function watch() {
  let memory: TrafficMemory | undefined;
  return (nowMs: number, counts: Partial<Record<"throttled" | "matched" | "unmatched", number>>) => {
    const full = { operator: "orange", throttled: 0, matched: 0, unmatched: 0, ...counts };
    const seen = advanceTraffic(memory, full, nowMs);
    memory = seen.memory;
    return seen.traffic;
  };
}

describe("receipts of an operator", () => {
  test("count for a quarter of an hour, from the first on", () => {
    const look = watch();
    expect(look(0, { unmatched: 3 })).toMatchObject({ matched: 0, unmatched: 3 });
    for (let minute = 1; minute <= 15; minute++) look(minute * MIN, { matched: minute, unmatched: 3 });
    expect(look(15 * MIN, { matched: 15, unmatched: 3 })).toMatchObject({ unmatched: 0 });
    expect(look(16 * MIN, { matched: 16, unmatched: 63 })).toMatchObject({ unmatched: 60 });
    for (let minute = 17; minute <= 33; minute++) look(minute * MIN, { matched: minute, unmatched: 63 });
    expect(look(34 * MIN, { matched: 34, unmatched: 63 })).toMatchObject({ unmatched: 0 });
  });
});

describe("an operator that asks for less", () => {
  test("does so since it began, until it has not for two minutes", () => {
    const look = watch();
    expect(look(0, {}).throttledSinceMs).toBeNull();
    expect(look(MIN, { throttled: 1 }).throttledSinceMs).toBe(MIN);
    expect(look(2 * MIN, { throttled: 5 }).throttledSinceMs).toBe(MIN);
    expect(look(4 * MIN - 1, { throttled: 5 }).throttledSinceMs).toBe(MIN);
    expect(look(4 * MIN, { throttled: 5 }).throttledSinceMs).toBeNull();
    expect(look(5 * MIN, { throttled: 6 }).throttledSinceMs).toBe(5 * MIN);
  });
});

describe("the share that an operator delivers", () => {
  const NOW = 100 * 24 * HOUR + HOUR / 2;
  const hour = (back: number, delivered: number, failed: number) => ({
    operator: "orange",
    hour: Math.floor(NOW / HOUR) - back,
    delivered,
    failed,
  });

  test("is that of the latest hours that hold enough, beside the median of the days before", () => {
    const days = [90, 80, 95, 85, 10].map((share, day) =>
      hour(24 * (day + 1) + 1, share * 10, 1000 - share * 10),
    );
    expect(
      deriveDeliveryRates([hour(0, 50, 50), hour(1, 80, 20), hour(2, 0, 1000), ...days], NOW, 200),
    ).toEqual([{ operator: "orange", messages: 200, share: 65, usual: 85 }]);
  });

  test("tells nothing with fewer messages, and knows no median without a day that has enough", () => {
    expect(deriveDeliveryRates([hour(0, 100, 99)], NOW, 200)).toEqual([]);
    expect(deriveDeliveryRates([hour(0, 100, 100), hour(30, 10, 10)], NOW, 200)).toMatchObject([
      { usual: null },
    ]);
  });
});
