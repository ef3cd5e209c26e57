import { describe, expect, test } from "vitest";
import { reconnectDelayMs } from "../../src/smpp/connection.ts";
import { seededChance } from "../kit/test-chance.ts";

const middle = { ...seededChance(1), fraction: () => 0.5 };

describe("reconnectDelayMs", () => {
  test("doubles from the first delay up to a minute", () => {
    const delays = [1, 2, 3, 4, 5, 6, 99].map((failures) => reconnectDelayMs(middle, 5_000, failures, false));
    expect(delays).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
  });

  test("moves by at most a fifth and never over a minute", () => {
    const chance = seededChance(7);
    for (let round = 0; round < 200; round++) {
      const delayMs = reconnectDelayMs(chance, 5_000, 1 + (round % 8), false);
      const plainMs = Math.min(60_000, 5_000 * 2 ** (round % 8));
      expect(delayMs).toBeGreaterThanOrEqual(plainMs * 0.8);
      expect(delayMs).toBeLessThanOrEqual(Math.min(60_000, plainMs * 1.2));
    }
  });

  test("refused credentials wait a whole minute at once", () => {
    expect(reconnectDelayMs(middle, 1_000, 1, true)).toBe(60_000);
  });
});
