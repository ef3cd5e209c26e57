import { describe, expect, test } from "vitest";
import { createPace } from "../../src/dispatch/pace.ts";
import { seededChance } from "../kit/test-chance.ts";

/** The most submits that any span of one second holds. */
function busiestSecond(leftAtMs: readonly number[]): number {
  let first = 0;
  let most = 0;
  leftAtMs.forEach((leftMs, index) => {
    while (leftMs - (leftAtMs[first] ?? 0) >= 1_000) first++;
    most = Math.max(most, index - first + 1);
  });
  return most;
}

describe("createPace", () => {
  for (const throughput of [1, 2, 30, 500]) {
    test(`no second ever holds more than ${throughput} submits, and a busy event loop still reaches that`, () => {
      const chance = seededChance(throughput);
      const pace = createPace(throughput);
      const leftAtMs: number[] = [];
      for (let nowMs = 0; nowMs < 20_000; nowMs += chance.fraction() * 45) {
        const count = pace.available(nowMs);
        pace.take(nowMs, count);
        for (let each = 0; each < count; each++) leftAtMs.push(nowMs);
      }
      expect(busiestSecond(leftAtMs)).toBe(throughput);
      expect(leftAtMs.length).toBeGreaterThan(throughput * 20 * 0.94);
    });
  }

  test("an urgent message that comes in the middle of a campaign finds a place within a fiftieth of a second", () => {
    const pace = createPace(500);
    let nowMs = 0;
    while (nowMs < 900) {
      pace.take(nowMs, pace.available(nowMs));
      const nextMs = pace.nextAtMs(nowMs);
      expect(nextMs - nowMs).toBeLessThanOrEqual(21);
      nowMs = nextMs;
    }
  });

  test("a waiting sender gets its full rate", () => {
    const pace = createPace(30);
    let nowMs = 0;
    let sent = 0;
    while (nowMs < 10_200) {
      pace.take(nowMs, 1);
      sent++;
      nowMs = pace.nextAtMs(nowMs);
      expect(pace.available(nowMs)).toBeGreaterThan(0);
    }
    expect(sent).toBe(300);
  });

  test("another throughput counts what left before it, and what the operator complained of", () => {
    const pace = createPace(10);
    for (let nowMs = 0; nowMs < 1000; nowMs = pace.nextAtMs(nowMs)) pace.take(nowMs, pace.available(nowMs));
    pace.allow(4);
    expect([pace.available(1000), pace.lastSecond(1000)]).toEqual([0, 4]);
    pace.allow(20);
    const leftAtMs: number[] = [];
    for (let nowMs = 2000; nowMs < 12_000; nowMs = pace.nextAtMs(nowMs)) {
      const count = pace.available(nowMs);
      pace.take(nowMs, count);
      for (let each = 0; each < count; each++) leftAtMs.push(nowMs);
    }
    expect(busiestSecond(leftAtMs)).toBe(20);
    pace.throttled(12_000, 11_900);
    pace.allow(100);
    expect(pace.grantedPerSecond(13_001)).toBe(10);
  });

  test("taking more than is available is a bug", () => {
    const pace = createPace(2);
    pace.take(0, 2);
    expect(() => pace.take(1_019, 1)).toThrow("pace");
    pace.take(1_020, 1);
  });

  test("a complaint halves the rate and rests for a second; a burst of complaints counts once", () => {
    const pace = createPace(100);
    for (let each = 0; each < 10; each++) pace.throttled(5_000 + each, 4_000);
    expect(pace.grantedPerSecond(5_010)).toBe(50);
    expect(pace.available(5_999)).toBe(0);
    expect(pace.nextAtMs(5_500)).toBe(6_000);
    expect(pace.available(6_000)).toBeGreaterThan(0);
  });

  test("no tenth of a second holds more than a tenth of the rate and a little, and none is lost", () => {
    const pace = createPace(200);
    const leftAtMs: number[] = [];
    for (let nowMs = 0; nowMs < 30_000; nowMs = Math.max(nowMs + 1, pace.nextAtMs(nowMs))) {
      const count = pace.available(nowMs);
      pace.take(nowMs, count);
      for (let each = 0; each < count; each++) leftAtMs.push(nowMs);
    }
    const late = leftAtMs.filter((leftMs) => leftMs >= 25_000);
    expect(late.length).toBeGreaterThan(190 * 5);
    late.forEach((leftMs, index) => {
      expect(leftMs - (late[index - 31] ?? 0)).toBeGreaterThanOrEqual(100);
    });
  });

  test("the rate never falls below one a second", () => {
    const pace = createPace(5);
    for (let nowMs = 0; nowMs < 60_000; nowMs += 1_000) pace.throttled(nowMs, nowMs);
    expect(pace.grantedPerSecond(59_000)).toBe(1);
    expect(pace.available(70_000)).toBeGreaterThan(0);
  });

  test("complaints at the slowest rate make it rest longer each time, up to ten seconds, and quiet time forgives", () => {
    const pace = createPace(2);
    const rests: number[] = [];
    let nowMs = 0;
    for (let complaint = 0; complaint < 8; complaint++) {
      pace.throttled(nowMs, nowMs);
      const next = pace.nextAtMs(nowMs);
      rests.push(next - nowMs);
      nowMs = next;
    }
    expect(rests).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000, 10_000]);
    nowMs += 5_000;
    expect(pace.grantedPerSecond(nowMs)).toBe(2);
    pace.throttled(nowMs, nowMs);
    expect(pace.nextAtMs(nowMs)).toBe(nowMs + 1_000);
  });

  test("a complaint about a submit that left before the last slow-down changes nothing", () => {
    const pace = createPace(100);
    pace.throttled(5_000, 4_900);
    pace.throttled(8_000, 4_950);
    expect(pace.grantedPerSecond(8_000)).toBe(50);
    pace.throttled(8_000, 6_500);
    expect(pace.grantedPerSecond(8_000)).toBe(25);
  });

  test("tells how many left in the last second", () => {
    const pace = createPace(100);
    pace.take(0, 3);
    pace.take(500, 4);
    expect(pace.lastSecond(999)).toBe(7);
    expect(pace.lastSecond(1_000)).toBe(4);
    expect(pace.lastSecond(2_000)).toBe(0);
  });

  test("quiet time brings the rate back step by step, and no further than the throughput", () => {
    const pace = createPace(100);
    pace.throttled(0, 0);
    expect(pace.grantedPerSecond(5_999)).toBe(50);
    expect(pace.grantedPerSecond(6_000)).toBe(63);
    expect(pace.grantedPerSecond(11_000)).toBe(79);
    expect(pace.grantedPerSecond(20_999)).toBe(99);
    expect(pace.grantedPerSecond(21_000)).toBe(100);
    expect(pace.grantedPerSecond(999_999)).toBe(100);
  });

  test("a clock that stands still grants nothing twice", () => {
    const pace = createPace(10);
    pace.take(0, 2);
    expect(pace.available(0)).toBe(0);
    expect(pace.nextAtMs(0)).toBe(102);
  });
});

describe("a pace that takes over from another", () => {
  test("counts what left by that in the last second, and goes on resting", () => {
    const before = createPace(10);
    for (let nowMs = 0; nowMs < 1000; nowMs += 20) before.take(nowMs, Math.min(1, before.available(nowMs)));
    const after = createPace(10);
    after.takeOver(before, 1000);
    expect(after.lastSecond(1000)).toBe(before.lastSecond(1000));
    expect([after.available(1000), after.available(1500), after.isResting(1000)]).toEqual([0, 0, false]);
    expect(after.available(2500)).toBeGreaterThan(0);
    before.throttled(1100, 1000);
    const last = createPace(10);
    last.takeOver(before, 1200);
    expect([last.isResting(1200), last.grantedPerSecond(1200)]).toEqual([true, 5]);
  });
});
