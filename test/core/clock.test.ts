import { describe, expect, test, vi } from "vitest";
import { isoUtc, systemClock, wait } from "../../src/core/clock.ts";
import { testClock } from "../kit/test-clock.ts";

describe("the clock", () => {
  test("a wait ends when its time has passed and no sooner", async () => {
    const clock = testClock();
    let isOver = false;
    const waiting = wait(clock, 500).then(() => {
      isOver = true;
    });
    await clock.advance(499);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(isOver).toBe(true);
    await waiting;
  });

  // Keeps: behaviour 2.6
  test("an instant is shown in UTC with milliseconds", () => {
    expect(isoUtc(Date.UTC(2026, 2, 1, 9, 30))).toBe("2026-03-01T09:30:00.000Z");
  });

  test("the machine's timers are asked for no longer delay than they keep, and none below zero", () => {
    const asked: (number | undefined)[] = [];
    const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(((_: () => void, delay?: number) => {
      asked.push(delay);
    }) as unknown as typeof setTimeout);
    for (const delayMs of [1e12, 250, -5]) systemClock.after(delayMs, () => {})();
    spy.mockRestore();
    expect(asked).toEqual([2_147_483_647, 250, 0]);
  });

  test("the machine's steady time never steps back", () => {
    const before = systemClock.steadyMs();
    expect(systemClock.steadyMs()).toBeGreaterThanOrEqual(before);
  });
});
