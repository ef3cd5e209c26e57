import { describe, expect, test } from "vitest";
import { createRateWatch } from "../../src/simulator/submit.ts";
import { Throttle, type ThrottleLimits } from "../../src/simulator/throttle.ts";

/** How many of `count` submits at each of the times are taken. */
function taken(limits: ThrottleLimits, timesMs: readonly number[], count = 10): number[] {
  const throttle = new Throttle();
  return timesMs.map((nowMs) => {
    let accepted = 0;
    for (let asked = 0; asked < count; asked++) {
      if (!throttle.allows(limits, nowMs)) continue;
      throttle.count(limits, nowMs);
      accepted += 1;
    }
    return accepted;
  });
}

describe("a throttle", () => {
  test("without a rate takes everything", () => {
    const limits = { throttlePerSecond: 0, throttleWindowMs: 1000, throttleBurst: 0 };
    expect(taken(limits, [0, 0])).toEqual([10, 10]);
  });

  test("holds its rate in any second, not only in those of the clock", () => {
    const limits = { throttlePerSecond: 5, throttleWindowMs: 1000, throttleBurst: 0 };
    expect(taken(limits, [900, 1100, 1899, 1900])).toEqual([5, 0, 0, 5]);
  });

  test("over a longer window takes as much at once and then nothing for as long", () => {
    const limits = { throttlePerSecond: 2, throttleWindowMs: 4000, throttleBurst: 0 };
    expect(taken(limits, [0, 3999, 4000])).toEqual([8, 0, 8]);
  });

  test("over a shorter window than one submit takes one", () => {
    const limits = { throttlePerSecond: 2, throttleWindowMs: 100, throttleBurst: 0 };
    expect(taken(limits, [0, 99, 100])).toEqual([1, 0, 1]);
  });

  test("as a bucket begins full, refills at its rate and never overflows", () => {
    const limits = { throttlePerSecond: 4, throttleWindowMs: 1000, throttleBurst: 6 };
    expect(taken(limits, [0, 250, 500, 60_000])).toEqual([6, 1, 1, 6]);
  });
});

test("the rate is what must have come in the second before, itself included", () => {
  const seen = createRateWatch();
  const at = (nowMs: number) => seen(nowMs, nowMs);
  expect([0, 0, 500, 949, 950, 1450, 5000].map(at)).toEqual([1, 2, 3, 4, 3, 3, 1]);
});

test("what may have waited to be read counts from when it can have come", () => {
  const seen = createRateWatch();
  expect([seen(0, 0), seen(100, 400), seen(1000, 1000), seen(1050, 1050)]).toEqual([1, 2, 2, 2]);
});
