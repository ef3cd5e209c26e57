import { expect, test } from "vitest";
import { trustedClock } from "../../src/base/trusted-clock.ts";
import { aheadOf, toldClock } from "../../src/webhooks/told-clock.ts";
import { testClock } from "../kit/test-clock.ts";

const HOUR_MS = 3_600_000;

/** The appliance's clock, and that of a thread, over one wall clock. */
function clocks() {
  const wall = testClock();
  const appliance = trustedClock(wall);
  const thread = toldClock(wall, aheadOf(appliance));
  return { wall, appliance, thread, tell: () => thread.set(aheadOf(appliance)) };
}

test("a step that is believed is seen at once, before anything is told", async () => {
  const { wall, appliance, thread } = clocks();
  await wall.advance(5000);
  wall.setBy(14_000);
  expect(thread.nowMs()).toBe(wall.nowMs());
  expect(thread.nowMs()).toBe(appliance.nowMs());
});

test("a jump that is doubted is not seen, nor where that is told, until somebody accepts it", async () => {
  const { wall, appliance, thread, tell } = clocks();
  const before = thread.nowMs();
  wall.setBy(48 * HOUR_MS);
  expect(thread.nowMs()).toBe(before);
  expect(appliance.nowMs()).toBe(before);
  tell();
  expect(thread.nowMs()).toBe(before);
  appliance.accept();
  tell();
  expect(thread.nowMs()).toBe(wall.nowMs());
});

test("what was doubted when the appliance started is the thread's time as well", async () => {
  const wall = testClock();
  const appliance = trustedClock(wall);
  appliance.begin(wall.nowMs() + 30 * HOUR_MS);
  const thread = toldClock(wall, aheadOf(appliance));
  await wall.advance(7000);
  expect(aheadOf(appliance)).toBeGreaterThan(0);
  expect(thread.nowMs()).toBe(appliance.nowMs());
});
