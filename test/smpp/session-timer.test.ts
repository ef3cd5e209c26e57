import { describe, expect, test } from "vitest";
import { createSessionTimer } from "../../src/smpp/liveness.ts";
import { testClock } from "../kit/test-clock.ts";

describe("the time of a link", () => {
  test("is the steady clock, and a tenth of it while the link is not read", async () => {
    const clock = testClock();
    const time = createSessionTimer(clock, () => {});
    await clock.advance(1_000);
    expect(time.nowMs()).toBe(1_000);
    time.slow();
    await clock.advance(20_000);
    expect(time.nowMs()).toBeCloseTo(3_000);
    time.slow();
    await clock.advance(10_000);
    expect(time.nowMs()).toBeCloseTo(4_000);
    time.normal();
    time.normal();
    expect(time.nowMs()).toBeCloseTo(4_000);
    await clock.advance(5_000);
    expect(time.nowMs()).toBeCloseTo(9_000);
    time.slow();
    await clock.advance(10_000);
    expect(time.nowMs()).toBeCloseTo(10_000);
  });
});
