import { describe, expect, test } from "vitest";
import { cacheExpensive } from "../../src/core/concurrency.ts";
import { testClock } from "../kit/test-clock.ts";

describe("what takes long to make", () => {
  test("is made once for all who ask meanwhile, and again when it is old; what failed is not kept", async () => {
    const clock = testClock();
    let made = 0;
    const ask = cacheExpensive(clock, 1000, async () => {
      made += 1;
      if (made === 3) throw new Error("not now");
      return made;
    });
    expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
    await clock.advance(999);
    expect(await ask()).toBe(1);
    await clock.advance(1);
    expect(await ask()).toBe(2);
    await clock.advance(1000);
    expect(await ask().catch(() => "failed")).toBe("failed");
    expect(await ask()).toBe(4);
  });

  test("is kept for fifty times what making takes, and not longer for a machine that stood still once", async () => {
    const clock = testClock();
    let made = 0;
    const takes = [1000, 10, 10, 30_000, 10];
    const ask = cacheExpensive(clock, 100, async () => {
      const tookMs = takes[made] ?? 10;
      made += 1;
      await new Promise<void>((done) => clock.after(tookMs, done));
      return made;
    });
    const asked = async (tookMs: number): Promise<number> => {
      const answer = ask();
      await clock.advance(tookMs);
      return answer;
    };
    expect(await asked(1000)).toBe(1);
    await clock.advance(100);
    expect(await asked(10)).toBe(2);
    await clock.advance(499);
    expect(await asked(0)).toBe(2);
    await clock.advance(1);
    expect(await asked(10)).toBe(3);
    await clock.advance(500);
    expect(await asked(30_000)).toBe(4);
    await clock.advance(500);
    expect(await asked(10)).toBe(5);
  });
});
