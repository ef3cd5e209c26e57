import { expect, test } from "vitest";
import { trustedClock } from "../../src/core/trusted-clock.ts";
import { createMirroredClock, sampleClock } from "../../src/webhooks/worker-protocol.ts";
import { testClock } from "../kit/test-clock.ts";

const HOUR_MS = 3_600_000;

/** The appliance's clock, and that of a thread, over one wall clock. */
function clocks() {
  const wall = testClock();
  const appliance = trustedClock(wall);
  const thread = createMirroredClock(wall, sampleClock(appliance));
  return { wall, appliance, thread, tell: () => thread.set(sampleClock(appliance)) };
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
  const thread = createMirroredClock(wall, sampleClock(appliance));
  await wall.advance(7000);
  expect(appliance.nowMs()).toBeGreaterThan(wall.nowMs());
  expect(thread.nowMs()).toBe(appliance.nowMs());
  expect(thread.doubt()).toEqual(appliance.doubt());
});

test.each([
  ["a jump", 48 * HOUR_MS],
  ["a start years ahead", 90_000 * HOUR_MS],
])("%s that was told as doubted is over for the thread as soon as the clock is set right", (_, byMs) => {
  const wall = testClock();
  const appliance = trustedClock(wall);
  const rightMs = wall.nowMs();
  wall.setBy(byMs);
  appliance.begin(rightMs);
  const thread = createMirroredClock(wall, sampleClock(appliance));
  appliance.nowMs();
  thread.set(sampleClock(appliance));
  wall.setBy(-byMs);
  expect(thread.nowMs()).toBe(rightMs);
  expect(thread.doubt()).toBe(null);
});

test("what was said of a clock before it was set says nothing of it now", () => {
  const { wall, appliance, thread } = clocks();
  const before = thread.nowMs();
  const said = sampleClock(appliance);
  wall.setBy(48 * HOUR_MS);
  thread.set(said);
  expect(thread.nowMs()).toBe(before);
});

test("a clock that is doubted and set again, to another wrong time, stays doubted", () => {
  const { wall, appliance, thread, tell } = clocks();
  const before = thread.nowMs();
  wall.setBy(48 * HOUR_MS);
  tell();
  wall.setBy(24 * HOUR_MS);
  expect(thread.nowMs()).toBe(before);
  appliance.accept();
  tell();
  expect(thread.nowMs()).toBe(wall.nowMs());
});
